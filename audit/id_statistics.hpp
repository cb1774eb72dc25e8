// firn::audit::id_statistics: what can be said of ids without their order.
//
//     id_statistics s{layout, now};
//     s.see(ids);
//     s.merge(other);
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "audit/report.hpp"
#include "firn/layout.hpp"

namespace firn::audit {

class id_statistics {
  public:
    static constexpr std::uint32_t shards_max = 1024;

    id_statistics(const layout& l, instant now) : layout_(l), now_(l.tick_of(now)) {}

    void see(std::span<const std::uint64_t> ids) noexcept {
        const tick end = layout_.end_tick();
        for (const auto value : ids) {
            ++low_bits_[value % shards_max];
            smallest_ = std::min(smallest_, value);
            largest_ = std::max(largest_, value);
            const tick t = layout_.decode(id{value}).tick;
            if (t >= end) {
                ++outside_;
                continue;
            }
            first_ = std::min(first_, t);
            last_ = std::max(last_, t);
            future_ += t > now_ ? 1 : 0;
        }
        ids_ += ids.size();
    }

    void merge(const id_statistics& other) noexcept {
        for (std::size_t i = 0; i < low_bits_.size(); ++i) low_bits_[i] += other.low_bits_[i];
        smallest_ = std::min(smallest_, other.smallest_);
        largest_ = std::max(largest_, other.largest_);
        first_ = std::min(first_, other.first_);
        last_ = std::max(last_, other.last_);
        future_ += other.future_;
        outside_ += other.outside_;
        ids_ += other.ids_;
    }

    void write_to(report& out) const {
        out.ids = ids_;
        out.outside = outside_;
        out.future = future_;
        if (ids_ != 0) {
            out.smallest = smallest_;
            out.largest = largest_;
        }
        if (ids_ > outside_) {
            out.first = first_;
            out.last = last_;
        }
        out.shards = shards();
    }

    /// For 2, 4, … 1024 shards, the fullest one. Empty without ids.
    std::vector<shard_report> shards() const {
        std::vector<shard_report> all;
        if (ids_ == 0) return all;
        std::vector<std::uint64_t> counts(low_bits_.begin(), low_bits_.end());
        for (std::uint32_t shards = shards_max; shards >= 2; shards /= 2) {
            // Ids with the remainders r and r + shards have the remainder r of the half as many.
            for (std::size_t r = shards; r < counts.size(); ++r) counts[r - shards] += counts[r];
            counts.resize(shards);
            all.insert(all.begin(), fullest(counts));
        }
        return all;
    }

  private:
    shard_report fullest(const std::vector<std::uint64_t>& counts) const {
        const auto top = std::max_element(counts.begin(), counts.end());
        const double fair = static_cast<double>(ids_) / static_cast<double>(counts.size());
        const double excess = static_cast<double>(*top) - fair;
        shard_report out{.shards = static_cast<std::uint32_t>(counts.size()),
                         .remainder = static_cast<std::uint32_t>(top - counts.begin()),
                         .ids = *top,
                         .ratio = static_cast<double>(*top) / fair};
        // By chance a count strays by about its square root; the fullest of 1024 by less than six of them.
        out.skewed = excess > fair / 5 && excess * excess > 36 * fair && ids_ >= 64;
        return out;
    }

    layout layout_;
    tick now_;
    std::array<std::uint64_t, shards_max> low_bits_{};
    std::uint64_t smallest_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t largest_ = 0;
    tick first_{std::numeric_limits<std::int64_t>::max()};
    tick last_{-1};
    std::uint64_t future_ = 0;
    std::uint64_t outside_ = 0;
    std::uint64_t ids_ = 0;
};

}  // namespace firn::audit
