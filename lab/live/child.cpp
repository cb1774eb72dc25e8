#include "lab/live/child.hpp"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "firn/error.hpp"

namespace firn::live {

child& child::operator=(child&& other) noexcept {
    std::swap(pid_, other.pid_);
    return *this;
}

child::~child() {
    if (pid_ == 0) return;
    signal(SIGKILL);
    wait();
}

void child::signal(int number) const noexcept {
    if (pid_ > 0) ::kill(pid_, number);
}

bool child::running() noexcept {
    siginfo_t about{};
    // Left to be waited for: its number must not be somebody else's before wait().
    return pid_ > 0 && ::waitid(P_PID, static_cast<id_t>(pid_), &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           about.si_pid == 0;
}

int child::wait() noexcept {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

bool child::begin() {
    std::fflush(nullptr);  // or the child would print again what waits to be printed
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) {
        pid_ = 0;
        throw error(errc::out_of_resources, "no more processes (fork)", errno);
    }
    if (pid_ > 0) return false;
    // It ends with its parent, however that ends: nobody is left behind at work.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) end(99);
    return true;
}

void child::end(int status) noexcept {
    std::fflush(nullptr);
    ::_exit(status);
}

}  // namespace firn::live
