#include "lab/wall.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace firn::lab {

namespace {

bool runs_at(const clock_event& e, std::int64_t true_ns) {
    return e.over_ns > 0 && e.at_ns <= true_ns && (e.endless || true_ns < e.at_ns + e.over_ns);
}

}  // namespace

wall::wall(std::span<const clock_event> events) {
    std::vector<std::int64_t> changes{0};
    for (const clock_event& e : events) {
        changes.push_back(e.at_ns);
        if (e.over_ns == 0) continue;
        if (!e.endless) changes.push_back(e.at_ns + e.over_ns);
        const std::int64_t own = e.over_ns / std::gcd(e.by_ns, e.over_ns);
        const int128 common = int128{denominator_} / std::gcd(denominator_, own) * own;
        if (common > 1'000'000'000'000)
            throw std::invalid_argument("slews whose rates have no common denominator below 10^12");
        denominator_ = static_cast<std::int64_t>(common);
    }
    std::sort(changes.begin(), changes.end());
    changes.erase(std::unique(changes.begin(), changes.end()), changes.end());

    for (const std::int64_t begin : changes) {
        piece p{.begin_ns = begin, .value = 0, .slope = denominator_};
        if (!pieces_.empty()) p.value = value_in(pieces_.back(), begin);
        for (const clock_event& e : events) {
            if (e.over_ns == 0 && e.at_ns == begin) p.value += int128{e.by_ns} * denominator_;
            if (runs_at(e, begin)) p.slope += int128{e.by_ns} * denominator_ / e.over_ns;
        }
        if (p.slope < 0)
            throw std::invalid_argument("slews that run the clock backwards: use a step, or a longer slew");
        pieces_.push_back(p);
    }
}

std::size_t wall::piece_of(std::int64_t true_ns) const {
    const auto after =
        std::upper_bound(pieces_.begin(), pieces_.end(), true_ns,
                         [](std::int64_t t, const piece& candidate) { return t < candidate.begin_ns; });
    return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

std::int64_t wall::at(std::int64_t true_ns) const {
    const piece& p = pieces_[piece_of(true_ns)];
    return static_cast<std::int64_t>(floor_div(value_in(p, true_ns), units_of_ms(1)));
}

std::optional<std::int64_t> wall::first_reading(std::int64_t reading_ms, std::int64_t from_ns) const {
    const int128 target = units_of_ms(reading_ms);
    std::int64_t from = from_ns;
    for (std::size_t i = piece_of(from_ns); i < pieces_.size(); ++i) {
        const piece& p = pieces_[i];
        from = std::max(from, p.begin_ns);
        const int128 missing = target - value_in(p, from);
        if (missing <= 0) return from;
        if (p.slope == 0) continue;
        const int128 crossing = from + ceil_div(missing, p.slope);
        if (crossing < end_of(i)) return static_cast<std::int64_t>(crossing);
    }
    return std::nullopt;
}

std::int64_t wall::reader::advance_to(std::int64_t true_ns) {
    while (wall_.end_of(piece_) <= true_ns) ++piece_;
    const piece& p = wall_.pieces_[piece_];
    const int128 value = wall_.value_in(p, true_ns);
    const std::int64_t end = wall_.end_of(piece_);
    if (wall_.denominator_ == 1 && p.slope == 1) {
        // Steps alone: one 64-bit division by a constant.
        const auto ns = static_cast<std::int64_t>(value);
        ms_ = ns / ns_per_ms - (ns % ns_per_ms < 0 ? 1 : 0);
        until_ = std::min(end, true_ns + (ms_ + 1) * ns_per_ms - ns);
        return ms_;
    }
    const int128 unit = wall_.units_of_ms(1);
    ms_ = static_cast<std::int64_t>(floor_div(value, unit));
    until_ = end;
    if (p.slope > 0)
        until_ = static_cast<std::int64_t>(
            std::min<int128>(end, true_ns + ceil_div((int128{ms_} + 1) * unit - value, p.slope)));
    return ms_;
}

}  // namespace firn::lab
