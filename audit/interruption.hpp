// firn::audit::interruption: asks a running audit to end, from a signal handler or another thread.
//
// Not std::stop_source: that is not async-signal-safe, and it cannot wake a thread that waits for a pipe.
//
//     static firn::audit::interruption stop;
//     std::signal(SIGINT, [](int) { stop.request(); });
//     firn::audit::run({.inputs = {"-"}, .stop = &stop});      // throws interrupted soon after
#pragma once

#include <atomic>

#include "audit/unique_fd.hpp"

namespace firn::audit {

class interruption {
  public:
    /// Throws failure when the system has no descriptor left.
    interruption();

    /// Threads: any, and from signal handlers. Cost: one write to a descriptor. Never fails.
    void request() noexcept;

    bool requested() const noexcept { return requested_.load(std::memory_order_relaxed); }

    /// Throws interrupted when it was requested.
    void check() const;

    /// Blocks until `fd` can be read without waiting; throws interrupted when it was requested first.
    void wait_readable(int fd) const;

  private:
    std::atomic<bool> requested_{false};
    unique_fd wake_;
};

}  // namespace firn::audit
