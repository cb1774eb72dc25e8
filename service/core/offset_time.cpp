#include "service/core/offset_time.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>

namespace firn::service {

std::int64_t offset_time::wall_ns() noexcept {
    const std::int64_t steady = steady_ns();
    if (steady - read_at_ns_.load(std::memory_order_relaxed) > 1'000'000) {
        read_at_ns_.store(steady, std::memory_order_relaxed);
        const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            std::array<char, 32> text{};
            const ssize_t n = ::read(fd, text.data(), text.size());
            ::close(fd);
            std::int64_t ms = 0;
            if (n > 0 && std::from_chars(text.data(), text.data() + n, ms).ec == std::errc{})
                offset_ns_.store(ms * 1'000'000, std::memory_order_relaxed);
        }
    }
    return detail::clock_ns(CLOCK_REALTIME) + offset_ns_.load(std::memory_order_relaxed);
}

std::int64_t offset_time::steady_ns() noexcept {
    return detail::clock_ns(CLOCK_BOOTTIME);
}

}  // namespace firn::service
