// firn::service::listener: a bound, listening socket, by address or path.
//
// When not to use it: for a socket that somebody else has bound (passed_sockets() in notify.hpp).
//
//     auto l = firn::service::listen_tcp("127.0.0.1:3476", false);    // throws: which address, why, the way
//     out int client = ::accept4(l.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC); l.leave(); // new
//     clients go to the next process
#pragma once

#include <string>
#include <string_view>

namespace firn::service {

class listener {
  public:
    listener() = default;
    /// Takes over a socket that is bound; `path`: unlinked at the end if it is still ours.
    listener(int fd, std::string path);
    listener(listener&& other) noexcept;
    listener& operator=(listener&& other) noexcept;
    ~listener();

    int fd() const noexcept { return fd_; }
    /// Where it really listens: "127.0.0.1:40001", "unix:/run/firn.sock".
    std::string address() const;
    bool loopback() const noexcept;

    /// Has the kernel give new clients to a process that shares the address, if there is one. What is in the
    /// queue already stays here, to be accepted.
    void leave() noexcept;
    void close() noexcept;

  private:
    int fd_ = -1;
    std::string path_;
    unsigned long long inode_ = 0;
};

/// "HOST:PORT", "[::1]:PORT". Port 0: any. `shared`: the address may be in use by a server that will stop
/// soon.
listener listen_tcp(std::string_view address, bool shared);
/// Replaces a socket file that nobody answers at, or any with `shared`.
listener listen_unix(const std::string& path, unsigned mode, bool shared);

/// "127.0.0.1:40000", "[::1]:40000" or "unix" of the client of `fd`.
std::string peer_address(int fd);

}  // namespace firn::service
