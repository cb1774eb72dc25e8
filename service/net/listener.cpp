#include "service/net/listener.hpp"

#include <arpa/inet.h>
#include <linux/filter.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>

#include "firn/text.hpp"

namespace firn::service {

namespace {

constexpr int backlog = 4096;

[[noreturn]] void refuse(const std::string& address, const std::string& why) {
    throw std::runtime_error("cannot listen on " + address + ": " + why);
}

std::string text_of(const sockaddr_storage& a) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (a.ss_family == AF_INET) {
        const auto& in = reinterpret_cast<const sockaddr_in&>(a);
        ::inet_ntop(AF_INET, &in.sin_addr, text.data(), text.size());
        return std::string{text.data()} + ":" + std::to_string(ntohs(in.sin_port));
    }
    if (a.ss_family == AF_INET6) {
        const auto& in = reinterpret_cast<const sockaddr_in6&>(a);
        ::inet_ntop(AF_INET6, &in.sin6_addr, text.data(), text.size());
        return "[" + std::string{text.data()} + "]:" + std::to_string(ntohs(in.sin6_port));
    }
    return "unix";
}

sockaddr_storage own_address(int fd) noexcept {
    sockaddr_storage a{};
    socklen_t size = sizeof a;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&a), &size);
    return a;
}

bool somebody_answers(const sockaddr_un& at) {
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool answers = ::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
    ::close(fd);
    return answers;
}

}  // namespace

listener::listener(int fd, std::string path) : fd_(fd), path_(std::move(path)) {
    struct stat s {};
    if (!path_.empty() && ::stat(path_.c_str(), &s) == 0) inode_ = s.st_ino;
}
listener::listener(listener&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::exchange(other.path_, {})), inode_(other.inode_) {}
listener& listener::operator=(listener&& other) noexcept {
    close();
    fd_ = std::exchange(other.fd_, -1);
    path_ = std::exchange(other.path_, {});
    inode_ = other.inode_;
    return *this;
}
listener::~listener() {
    close();
}

void listener::close() noexcept {
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
    struct stat s {};
    if (!path_.empty() && ::stat(path_.c_str(), &s) == 0 && s.st_ino == inode_) ::unlink(path_.c_str());
    path_.clear();
}

std::string listener::address() const {
    return path_.empty() ? text_of(own_address(fd_)) : "unix:" + path_;
}

bool listener::loopback() const noexcept {
    const sockaddr_storage a = own_address(fd_);
    if (a.ss_family == AF_INET)
        return (ntohl(reinterpret_cast<const sockaddr_in&>(a).sin_addr.s_addr) >> 24) == 127;
    if (a.ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6&>(a).sin6_addr);
    return true;
}

void listener::leave() noexcept {
    // The sockets that share an address are numbered in the order in which they came: ours is 0, the next
    // process's is 1. A program that always answers 1 sends every new client there; when there is no 1, the
    // kernel chooses as if there were no program. Source: socket(7), SO_ATTACH_REUSEPORT_CBPF.
    sock_filter answer_one{.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = 1};
    const sock_fprog program{.len = 1, .filter = &answer_one};
    ::setsockopt(fd_, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &program, sizeof program);
}

listener listen_tcp(std::string_view address, bool shared) {
    const std::string all{address};
    const std::size_t colon = address.rfind(':');
    const parsed port = colon == std::string_view::npos ? parsed{.fault = text_fault::empty}
                                                        : parse_decimal(address.substr(colon + 1), 65535);
    std::string host{address.substr(0, std::min(colon, address.size()))};
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    if (!port || host.empty()) refuse(all, "an address is HOST:PORT, as 127.0.0.1:3476 or [::1]:3476");

    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_PASSIVE;
    addrinfo* found = nullptr;
    if (const int failed = ::getaddrinfo(host.c_str(), std::to_string(port.value).c_str(), &hints, &found);
        failed != 0)
        refuse(all, std::string{"the host is not known ("} + ::gai_strerror(failed) + ")");
    const std::unique_ptr<addrinfo, void (*)(addrinfo*)> keep(found, &::freeaddrinfo);

    listener l(::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), "");
    if (l.fd() < 0) refuse(all, std::strerror(errno));
    const int on = 1;
    ::setsockopt(l.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (shared) ::setsockopt(l.fd(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (::bind(l.fd(), found->ai_addr, found->ai_addrlen) != 0)
        refuse(all,
               errno == EADDRINUSE
                   ? "the address is in use; choose another port, stop the server that has it, or start with "
                     "--handover if that is a firn of the same state directory that is to be replaced"
                   : std::string{std::strerror(errno)});
    // Set only after the bind: nobody shares an address by accident, but a successor may on purpose.
    if (!shared) ::setsockopt(l.fd(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (::listen(l.fd(), backlog) != 0) refuse(all, std::strerror(errno));
    return l;
}

listener listen_unix(const std::string& path, unsigned mode, bool shared) {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    if (path.size() >= sizeof at.sun_path)
        refuse("unix:" + path,
               "a socket's path has at most " + std::to_string(sizeof at.sun_path - 1) + " bytes");
    std::memcpy(at.sun_path, path.data(), path.size());
    struct stat s {};
    if (::lstat(path.c_str(), &s) == 0) {
        if (!S_ISSOCK(s.st_mode))
            refuse("unix:" + path, "there is a file that is no socket; remove it, or choose another path");
        if (!shared && somebody_answers(at))
            refuse("unix:" + path,
                   "another process listens there; stop it, or start with --handover to replace it");
    }
    // Bound beside it and renamed: at no moment is there nobody at the path.
    const std::string fresh = path + "." + std::to_string(::getpid());
    if (fresh.size() >= sizeof at.sun_path)
        refuse("unix:" + path, "its path is too long by " +
                                   std::to_string(fresh.size() + 1 - sizeof at.sun_path) +
                                   " bytes: it is made under that name and the process number");
    std::memcpy(at.sun_path, fresh.data(), fresh.size());
    ::unlink(fresh.c_str());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) refuse("unix:" + path, std::strerror(errno));
    // Its permissions from the first moment on, not from a chmod on.
    const mode_t before = ::umask(static_cast<mode_t>(0777 & ~mode));
    const int bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at);
    const int why_not_bound = errno;
    ::umask(before);
    if (bound != 0 || ::listen(fd, backlog) != 0 || ::rename(fresh.c_str(), path.c_str()) != 0) {
        const int why = bound != 0 ? why_not_bound : errno;
        ::close(fd);
        if (bound == 0) ::unlink(fresh.c_str());
        refuse("unix:" + path, std::strerror(why));
    }
    return {fd, path};
}

std::string peer_address(int fd) {
    sockaddr_storage a{};
    socklen_t size = sizeof a;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&a), &size) != 0) return "unknown";
    return text_of(a);
}

}  // namespace firn::service
