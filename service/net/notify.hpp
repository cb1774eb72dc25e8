// firn::service::notify: what systemd is told (sd_notify(3)), without its library.
//
//     firn::service::notify("READY=1\nSTATUS=serving 3 spaces");      // nothing happens outside systemd
//     auto every = firn::service::watchdog_interval();                // 0: no watchdog
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace firn::service {

void notify(std::string_view state) noexcept;
std::chrono::microseconds watchdog_interval() noexcept;

/// A socket that systemd has opened for us (LISTEN_FDS), and its name (FileDescriptorName=).
struct passed_socket {
    int fd = -1;
    std::string name;
};
std::vector<passed_socket> passed_sockets();

}  // namespace firn::service
