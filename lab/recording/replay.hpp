// lab::replay: what generators would have done on a recorded clock.
//
// Only the windows in which the clock read less than before are simulated (track.hpp). In the rest of the
// recording the wall only goes forward and the layout has room, so that each request is issued, once, at
// once: they are counted and not simulated, and every figure is the same as that of the whole simulated in
// one piece.
//
//     const replay r{track, {.base = {}}};                   // at 8 requests a millisecond
//     const verdict v = r.run(s);                            // s: r.base() with a policy and a start rule
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/recording/track.hpp"
#include "lab/run.hpp"

namespace firn::lab {

struct replay_options {
    scenario base{};  ///< Its layout, machine, rate, probe and ahead_max; its clock and times are replaced.
    /// The process is replaced so long after each step back; empty: after half of the step, when the new one
    /// meets what the old one did at its worst. At most 5 s. A step at the first record
    /// is none: nothing was read before it.
    std::optional<std::int64_t> deploy_after_ns{};
    bool deploys = true;
};

class replay {
  public:
    /// Throws argument_error: a rate that does not come round in a second or fills more than half of each
    /// tick, a layout whose life is over by the recording's end, a window with more requests than fit into
    /// memory. Windows whose steps lie before the layout's epoch are errors of `epoch`.
    replay(clock_track track, replay_options o);

    const clock_track& track() const noexcept { return track_; }
    const std::vector<rewind_window>& windows() const noexcept { return windows_; }
    /// Requests in all, and those of them that are simulated.
    std::uint64_t offered() const noexcept { return offered_; }
    std::uint64_t simulated() const noexcept { return simulated_; }

    /// Window `index` as a scenario: true time 0 is its begin.
    scenario scenario_of(std::size_t index) const;

    /// The verdict of the whole recording under these rules. `done` counts windows. Threads: any number.
    /// Requires a rule other than reserve: what a lost reservation costs hangs on when it was made, which may
    /// be before a window. Cost: some 20 ns for each simulated request.
    verdict run(const policy& rules, start_rule start, std::atomic<std::uint64_t>* done = nullptr) const;

  private:
    void check() const;

    clock_track track_;
    replay_options options_;
    std::vector<rewind_window> windows_;
    std::uint64_t offered_ = 0;
    std::uint64_t simulated_ = 0;
};

}  // namespace firn::lab
