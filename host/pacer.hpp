// firn::host::pacer: waits for the next look at the clocks, and is woken before by a step or a signal.
//
//     firn::host::host_pacer pacer;                          // SIGINT, SIGTERM and SIGHUP now end a wait
//     switch (pacer.wait_until(steady_ns)) { case firn::host::wake::due: … }
#pragma once

#include <cstdint>

#include "src/journal/files.hpp"

namespace firn::host {

enum class wake : std::uint8_t {
    due,        ///< The time has come.
    clock_set,  ///< The kernel says that the wall was set; sooner than the time.
    stop        ///< Somebody wants an end.
};

class pacer {
  public:
    pacer() = default;
    pacer(const pacer&) = delete;
    pacer& operator=(const pacer&) = delete;
    virtual ~pacer() = default;

    /// Waits until CLOCK_BOOTTIME reads `steady_ns`; not at all when it has passed.
    virtual wake wait_until(std::int64_t steady_ns) = 0;
};

/// Timers of the kernel: one of the steady clock, and one of the wall that is cancelled when the wall is set
/// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). Signals are blocked in the calling thread for as long as it
/// lives, and read. Throws std::system_error: no descriptors. Threads: one.
class host_pacer final : public pacer {
  public:
    host_pacer();
    ~host_pacer() override;
    wake wait_until(std::int64_t steady_ns) override;

  private:
    void arm_set_alarm();

    detail::descriptor timer_;
    detail::descriptor set_alarm_;  // none where the kernel has no such thing
    detail::descriptor signals_;
};

}  // namespace firn::host
