// The guard: compares wall and steady time, counts steps, and does not believe a leap forward at once.
//
// Pure: both readings are arguments. One thread at a time. The wall is told as an offset to steady time:
// slewing moves both clocks alike (adjtimex(2)), so the offset changes only when somebody steps the wall.
//
//     firn::detail::guard g{firn::guard_options{}};
//     std::int64_t believed = g.believe(wall_ns, steady_ns);     // Unix nanoseconds
#pragma once

#include <cstdint>

#include "firn/counter_clock.hpp"

namespace firn::detail {

/// Two clocks cannot be read at the same instant. A change of their difference below this is reading noise,
/// or a correction so small that it needs no counting; it is followed all the same.
inline constexpr std::int64_t least_step_ns = 500'000;

class guard {
  public:
    explicit guard(const guard_options& o) noexcept : options_(o) {}

    /// The Unix time to believe when the wall reads `wall_ns` and the steady clock `steady_ns`.
    std::int64_t believe(std::int64_t wall_ns, std::int64_t steady_ns) noexcept;
    /// Whether believe() would see a step in these readings, or is told the first ones.
    bool stepped(std::int64_t wall_ns, std::int64_t steady_ns) const noexcept;
    /// Believes whatever the wall reads next.
    void accept() noexcept { accepted_ = true; }
    const clock_counters& counters() const noexcept { return counters_; }

  private:
    void count(std::int64_t change) noexcept;

    guard_options options_;
    bool begun_ = false;
    bool accepted_ = false;
    std::int64_t believed_ = 0;       // offset of the wall as believed
    std::int64_t seen_ = 0;           // as last seen
    std::int64_t doubted_since_ = 0;  // steady time at which the wall leapt to where it is now
    clock_counters counters_;
};

}  // namespace firn::detail
