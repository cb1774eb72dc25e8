#include "host/clocks.hpp"

#include <sys/timex.h>

#include <limits>

#include "firn/clock.hpp"

namespace firn::host {

namespace {

/// The steady clock before and after the wall: the tightest of some attempts, since a thread that loses the
/// CPU in between would see a step where there is none.
void read_both(lab::recorded_sample& s) {
    constexpr int patience = 16;
    constexpr std::int64_t close_ns = 20'000;
    std::int64_t tightest = std::numeric_limits<std::int64_t>::max();
    for (int i = 0; i < patience && tightest > close_ns; ++i) {
        const std::int64_t before = detail::clock_ns(CLOCK_BOOTTIME);
        const std::int64_t wall = detail::clock_ns(CLOCK_REALTIME);
        const std::int64_t gap = detail::clock_ns(CLOCK_BOOTTIME) - before;
        if (gap >= tightest) continue;
        tightest = gap;
        s.steady_ns = before + gap / 2;
        s.wall_ns = wall;
    }
}

}  // namespace

lab::recorded_sample host_clocks::read() {
    lab::recorded_sample s;
    read_both(s);
    timex kernel{};  // modes 0: nothing is set
    const int state = ::adjtimex(&kernel);
    if (state < 0) {  // a container's filter may forbid it
        s.state = lab::state_not_told;
        return s;
    }
    s.offset_ns = std::int64_t{kernel.offset} * ((kernel.status & STA_NANO) != 0 ? 1 : 1000);
    s.freq_ppb = std::int64_t{kernel.freq} * 1000 / 65536;  // parts per million, 16 bits of them a fraction
    s.status = kernel.status;
    s.maxerror_us = kernel.maxerror;
    s.esterror_us = kernel.esterror;
    s.tai_s = kernel.tai;
    s.state = state;
    return s;
}

}  // namespace firn::host
