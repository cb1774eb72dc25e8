// A recording as a clock: where it was stepped, how it ran in between, and the windows in which it read less
// than it had before.
//
// Outside those windows nothing can go wrong, so only they need be simulated (replay.hpp).
//
//     const clock_track t = track_of(read_recording({"tracking.log"}, {}), {});
//     t.steps[0].by_ns                                       // negative: back
//     for (const rewind_window& w : rewind_windows(t, {})) …
#pragma once

#include <cstdint>
#include <vector>

#include "lab/recording/read.hpp"

namespace firn::lab {

struct track_options {
    /// A change of the error between two records is a step from here on, and a slew below. 0: as the format
    /// has it: half a millisecond of firn's, which sees steps themselves; 100 ms of the daemons', which step
    /// from there on (ntpd 128 ms; chrony's makestep) and slew below.
    std::int64_t step_min_ns = 0;
};

struct clock_step {
    std::int64_t true_ns = 0;
    std::int64_t by_ns = 0;
    std::int64_t wall_ns = 0;  ///< What it read afterwards.
    std::uint64_t line = 0;    ///< Of the first record after it.
};

/// From `begin_ns` on the wall's error is `error_ns`, and grows by `ppb` ns in each second of true time.
struct track_piece {
    std::int64_t begin_ns = 0;
    std::int64_t error_ns = 0;
    std::int64_t ppb = 0;

    std::int64_t error_at(std::int64_t true_ns) const noexcept;
    std::int64_t wall_at(std::int64_t true_ns) const noexcept { return true_ns + error_at(true_ns); }
};

struct clock_track {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::vector<track_piece> pieces;  ///< By time; the first one begins at begin_ns.
    std::vector<clock_step> steps;
};

/// Requires a recording with a record. A daemon steps when it sees the error: its step is where the record
/// before the change is. firn's is where it was seen. Between steps the error runs evenly from record to
/// record, in whole parts per billion. Threads: pure. Cost: linear.
clock_track track_of(const recording& r, const track_options& o);

/// A stretch in which the wall reads less than it has read before, and what comes before and after it for
/// as long as it takes until it no longer matters.
struct rewind_window {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t depth_ns = 0;  ///< The largest (highest wall so far − wall).
};

/// By time, apart from each other, each with all of the time in which a wall was read that it reads again.
/// `grid_ns`: they begin at whole multiples of it from the track's begin.
std::vector<rewind_window> rewind_windows(const clock_track& t, std::int64_t grid_ns);

}  // namespace firn::lab
