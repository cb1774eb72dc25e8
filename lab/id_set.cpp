#include "lab/id_set.hpp"

#include <algorithm>

namespace firn::lab {

bool id_set::add_elsewhere(std::uint64_t id) {
    if (at_->begin <= id && id < at_->end) return false;  // a replay of what was issued before
    const place p = find(id);
    if (p.index != none) {
        run& r = blocks_[p.block]->runs[p.index];
        const bool seen = id < r.end;
        if (seen || id == r.end) {
            if (!seen) ++r.end;
            go_to(p);
            return !seen;
        }
    }
    go_to(insert_after(p, {id, id + 1}));
    return true;
}

bool id_set::contains(std::uint64_t id) const {
    const place p = find(id);
    return p.index != none && id < blocks_[p.block]->runs[p.index].end;
}

std::size_t id_set::runs() const {
    std::size_t total = 0;
    for (const auto& b : blocks_) total += b->count;
    return total;
}

id_set::place id_set::find(std::uint64_t id) const {
    const auto begins_after = [](std::uint64_t value, const run& r) { return value < r.begin; };
    if (blocks_.empty() || id < blocks_.front()->runs[0].begin) return {0, none};
    std::size_t b = blocks_.size() - 1;  // nearly always: ids grow
    if (id < blocks_[b]->runs[0].begin) {
        const auto after = std::upper_bound(
            blocks_.begin(), blocks_.end(), id,
            [&](std::uint64_t value, const auto& each) { return begins_after(value, each->runs[0]); });
        b = static_cast<std::size_t>(after - blocks_.begin()) - 1;
    }
    const block& in = *blocks_[b];
    if (in.runs[in.count - 1].begin <= id) return {b, in.count - 1};
    const auto first = in.runs.begin();
    const auto after =
        std::upper_bound(first, first + static_cast<std::ptrdiff_t>(in.count), id, begins_after);
    return {b, static_cast<std::size_t>(after - first) - 1};
}

std::uint64_t id_set::begin_after(place p) const {
    if (p.index + 1 < blocks_[p.block]->count) return blocks_[p.block]->runs[p.index + 1].begin;
    if (p.block + 1 < blocks_.size()) return blocks_[p.block + 1]->runs[0].begin;
    return std::numeric_limits<std::uint64_t>::max();
}

id_set::place id_set::insert_after(place p, run r) {
    if (blocks_.empty()) blocks_.push_back(std::make_unique<block>());
    std::size_t index = p.index == none ? 0 : p.index + 1;
    if (blocks_[p.block]->count == block::capacity) {
        // A full block splits in halves, but the last one stays full when ids just grow.
        const bool grows = p.block + 1 == blocks_.size() && index == block::capacity;
        const std::size_t keep = grows ? block::capacity : block::capacity / 2;
        auto upper = std::make_unique<block>();
        block& lower = *blocks_[p.block];
        std::copy(lower.runs.begin() + static_cast<std::ptrdiff_t>(keep), lower.runs.end(),
                  upper->runs.begin());
        upper->count = block::capacity - keep;
        lower.count = keep;
        blocks_.insert(blocks_.begin() + static_cast<std::ptrdiff_t>(p.block) + 1, std::move(upper));
        if (index > keep || grows) {
            ++p.block;
            index -= keep;
        }
    }
    block& b = *blocks_[p.block];
    const auto at = b.runs.begin() + static_cast<std::ptrdiff_t>(index);
    const auto end = b.runs.begin() + static_cast<std::ptrdiff_t>(b.count);
    std::copy_backward(at, end, end + 1);
    *at = r;
    ++b.count;
    return {p.block, index};
}

void id_set::go_to(place p) {
    at_ = &blocks_[p.block]->runs[p.index];
    limit_ = begin_after(p);
}

}  // namespace firn::lab
