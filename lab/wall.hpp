// lab::wall: what a process reads. A piecewise linear function of true time, exact at every nanosecond.
//
// The wall shows whole milliseconds since the layout's epoch; true time 0 is the epoch. Events add up: two
// steps, or a step in the middle of a slew, need no special case.
//
//     lab::wall w{{{.at_ns = 100'000'000, .by_ns = -50'000'000}}};     // at true 100 the clock steps back
//     w.at(99'999'999)                                                  // 99
//     w.at(100'000'000)                                                 // 50
//     w.first_reading(99, 100'000'000)                                  // 149'000'000
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "lab/exact.hpp"

namespace firn::lab {

/// One thing that happens to a clock.
struct clock_event {
    std::int64_t at_ns = 0;    ///< True time at which it begins.
    std::int64_t by_ns = 0;    ///< How far it moves the wall; negative: back.
    std::int64_t over_ns = 0;  ///< 0: at once (a step). Otherwise evenly, `by_ns` in each `over_ns`.
    bool endless = false;      ///< A slew that goes on for ever: a drift.

    friend bool operator==(const clock_event&, const clock_event&) = default;
};

class wall {
  public:
    /// Throws std::invalid_argument when slews together would run the clock backwards, or have no common
    /// denominator below 10^12 (slews of a day and drifts in parts per billion have).
    explicit wall(std::span<const clock_event> events);

    /// The wall in ms at a true time. Cost: a binary search and a wide division; see reader.
    std::int64_t at(std::int64_t true_ns) const;

    /// The first true time, from `from_ns` on, at which the wall reads `reading_ms` or more; nothing when it
    /// never does (a clock that stands still for ever). Computed for each piece, not polled.
    std::optional<std::int64_t> first_reading(std::int64_t reading_ms, std::int64_t from_ns) const;

    /// Reads a wall at true times that do not decrease. Cost: a comparison, but for the first reading in a
    /// millisecond.
    class reader {
      public:
        explicit reader(const wall& w) : wall_(w) {}

        std::int64_t read(std::int64_t true_ns) {
            if (true_ns < until_) [[likely]]
                return ms_;
            return advance_to(true_ns);
        }

      private:
        std::int64_t advance_to(std::int64_t true_ns);

        const wall& wall_;
        std::size_t piece_ = 0;
        std::int64_t ms_ = 0;
        std::int64_t until_ = std::numeric_limits<std::int64_t>::min();
    };

  private:
    /// From `begin_ns` on, the wall reads `value` + `slope` for each nanosecond, in units of 1/denominator_
    /// ns.
    struct piece {
        std::int64_t begin_ns;
        int128 value;
        int128 slope;
    };

    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    std::size_t piece_of(std::int64_t true_ns) const;
    std::int64_t end_of(std::size_t index) const {
        return index + 1 < pieces_.size() ? pieces_[index + 1].begin_ns : never;
    }
    int128 value_in(const piece& p, std::int64_t true_ns) const {
        return p.value + p.slope * (true_ns - p.begin_ns);
    }
    int128 units_of_ms(std::int64_t ms) const { return int128{ms} * ns_per_ms * denominator_; }

    std::int64_t denominator_ = 1;
    std::vector<piece> pieces_;
};

}  // namespace firn::lab
