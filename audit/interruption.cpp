#include "audit/interruption.hpp"

#include <poll.h>
#include <sys/eventfd.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include "audit/error.hpp"

namespace firn::audit {

interruption::interruption() : wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake_) throw failure(system_words("cannot make an event descriptor", errno));
}

void interruption::request() noexcept {
    const int kept = errno;  // A signal handler must leave it as it was.
    requested_.store(true, std::memory_order_relaxed);
    const std::uint64_t one = 1;
    // Fails only when the counter is full, and then every waiter is awake already.
    [[maybe_unused]] const auto written = ::write(wake_.get(), &one, sizeof one);
    errno = kept;
}

void interruption::check() const {
    if (requested()) throw interrupted{};
}

void interruption::wait_readable(int fd) const {
    std::array<pollfd, 2> wanted{{{fd, POLLIN, 0}, {wake_.get(), POLLIN, 0}}};
    do {
        check();
    } while (::poll(wanted.data(), wanted.size(), -1) < 0 && errno == EINTR);
    check();
}

}  // namespace firn::audit
