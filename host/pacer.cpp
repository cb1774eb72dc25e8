#include "host/pacer.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <limits>
#include <system_error>

namespace firn::host {

namespace {

sigset_t ending_signals() noexcept {
    sigset_t s;
    ::sigemptyset(&s);
    for (const int one : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&s, one);
    return s;
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

itimerspec at(std::int64_t ns) noexcept {
    itimerspec when{};
    when.it_value.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
    when.it_value.tv_nsec = static_cast<long>(ns % 1'000'000'000);
    if (ns <= 0) when.it_value.tv_nsec = 1;  // zero would disarm it
    return when;
}

}  // namespace

host_pacer::host_pacer()
    : timer_(::timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK)),
      set_alarm_(::timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK)) {
    if (!timer_) fail("cannot make a timer");
    const sigset_t ending = ending_signals();
    signals_ = detail::descriptor{::signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (!signals_) fail("cannot make a descriptor for signals");
    ::pthread_sigmask(SIG_BLOCK, &ending, nullptr);
    arm_set_alarm();
}

host_pacer::~host_pacer() {
    const sigset_t ending = ending_signals();
    ::pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
}

/// A timer of the wall so far away that only its cancelling can come.
void host_pacer::arm_set_alarm() {
    if (!set_alarm_) return;
    itimerspec never{};
    never.it_value.tv_sec = std::numeric_limits<std::int32_t>::max() * std::int64_t{4};
    if (::timerfd_settime(set_alarm_.get(), TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, nullptr) !=
            0 &&
        errno != ECANCELED)
        set_alarm_ = detail::descriptor{};
}

wake host_pacer::wait_until(std::int64_t steady_ns) {
    const itimerspec when = at(steady_ns);
    if (::timerfd_settime(timer_.get(), TFD_TIMER_ABSTIME, &when, nullptr) != 0) fail("cannot set a timer");
    // A descriptor of -1 is passed over by poll.
    std::array<pollfd, 3> wanted{
        {{signals_.get(), POLLIN, 0}, {set_alarm_.get(), POLLIN, 0}, {timer_.get(), POLLIN, 0}}};
    while (::poll(wanted.data(), wanted.size(), -1) < 0)
        if (errno != EINTR) fail("cannot wait");
    if (wanted[0].revents != 0) {
        signalfd_siginfo taken{};
        [[maybe_unused]] const auto size = ::read(signals_.get(), &taken, sizeof taken);
        return wake::stop;
    }
    if (wanted[1].revents != 0) {
        std::uint64_t expired = 0;
        const bool cancelled = ::read(set_alarm_.get(), &expired, sizeof expired) < 0 && errno == ECANCELED;
        arm_set_alarm();
        if (cancelled) return wake::clock_set;
    }
    return wake::due;
}

}  // namespace firn::host
