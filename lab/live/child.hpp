// firn::live::child: a forked copy of this process that runs one function, for demonstrations and tests with
// real processes.
//
// Not for a program that has threads of its own at the time of the fork, unless the function keeps to what
// is allowed then. The child leaves by _exit(2): no destructor of the parent's objects runs in it.
//
//     firn::live::child c([&] { return issue_until_killed(); });
//     c.signal(SIGKILL);
//     int status = c.wait();                                 // 137: 128 + SIGKILL
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <exception>
#include <utility>

namespace firn::live {

class child {
  public:
    child() = default;
    /// Throws firn::error out_of_resources when there can be no more processes. `run` returns the status.
    template <class Function>
    explicit child(Function run) {
        if (!begin()) return;
        int status = 99;
        try {
            status = run();
        } catch (const std::exception& e) {
            std::fprintf(stderr, "child: %s\n", e.what());
        }
        end(status);
    }
    child(child&& other) noexcept : pid_(std::exchange(other.pid_, 0)) {}
    child& operator=(child&& other) noexcept;
    /// Kills it, when it has not been waited for.
    ~child();

    pid_t pid() const noexcept { return pid_; }
    void signal(int number) const noexcept;
    /// Whether it has not ended yet. Does not wait for it.
    bool running() noexcept;
    /// Its status, or 128 and the number of the signal that ended it. Once.
    int wait() noexcept;

  private:
    /// Forks. True in the child.
    bool begin();
    [[noreturn]] static void end(int status) noexcept;

    pid_t pid_ = 0;
};

}  // namespace firn::live
