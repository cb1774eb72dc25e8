// firn::host::clocks: this host's wall and steady clock read together, with what the kernel says of them.
//
// Not for generators: a reading makes four system calls. firn::counter_clock is theirs.
//
//     firn::host::host_clocks clocks;
//     const lab::recorded_sample s = clocks.read();
//     s.wall_ns - s.steady_ns                                // changes only when somebody steps the wall
#pragma once

#include "lab/recording/firn_recording.hpp"

namespace firn::host {

class clocks {
  public:
    clocks() = default;
    clocks(const clocks&) = delete;
    clocks& operator=(const clocks&) = delete;
    virtual ~clocks() = default;

    /// Both clocks now. Where the kernel refuses to tell its discipline, `state` is lab::state_not_told and
    /// the fields that come from adjtimex(2) are 0.
    virtual lab::recorded_sample read() = 0;
};

/// CLOCK_REALTIME, CLOCK_BOOTTIME and adjtimex(2), which only asks. Threads: any. Cost: some microseconds.
/// The two are read within 20 us of each other, if the machine lets a thread run for so long; a larger gap is
/// tried again some times.
class host_clocks final : public clocks {
  public:
    lab::recorded_sample read() override;
};

}  // namespace firn::host
