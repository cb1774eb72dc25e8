#include "service/net/notify.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "firn/text.hpp"

namespace firn::service {

namespace {

std::string_view variable(const char* name) noexcept {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view{} : std::string_view{value};
}

bool is_for_us(const char* name) noexcept {
    const std::string_view pid = variable(name);
    const parsed p = parse_decimal(pid);
    return pid.empty() || (p && p.value == static_cast<std::uint64_t>(::getpid()));
}

}  // namespace

void notify(std::string_view state) noexcept {
    const std::string_view path = variable("NOTIFY_SOCKET");
    sockaddr_un to{};
    if (path.size() < 2 || path.size() >= sizeof to.sun_path) return;
    to.sun_family = AF_UNIX;
    std::memcpy(to.sun_path, path.data(), path.size());
    if (to.sun_path[0] == '@') to.sun_path[0] = '\0';  // an abstract name
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return;
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    static_cast<void>(
        ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&to), size));
    ::close(fd);
}

std::chrono::microseconds watchdog_interval() noexcept {
    const parsed p = parse_decimal(variable("WATCHDOG_USEC"), 86'400'000'000);
    if (!p || !is_for_us("WATCHDOG_PID")) return std::chrono::microseconds{0};
    return std::chrono::microseconds{static_cast<std::int64_t>(p.value)};
}

std::vector<passed_socket> passed_sockets() {
    constexpr int first = 3;  // SD_LISTEN_FDS_START
    std::vector<passed_socket> all;
    const parsed count = parse_decimal(variable("LISTEN_FDS"), 64);
    if (!count || variable("LISTEN_PID").empty() || !is_for_us("LISTEN_PID")) return all;
    std::string_view names = variable("LISTEN_FDNAMES");
    for (int i = 0; i < static_cast<int>(count.value); ++i) {
        const std::size_t colon = std::min(names.find(':'), names.size());
        ::fcntl(first + i, F_SETFD, FD_CLOEXEC);
        all.push_back({first + i, std::string{names.substr(0, colon)}});
        names.remove_prefix(std::min(colon + 1, names.size()));
    }
    return all;
}

}  // namespace firn::service
