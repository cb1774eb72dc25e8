// firn::service::settings: everything that `firn serve` can be told, as plain data.
//
// Where it comes from (flags, environment, a file) is the command's business: cli/commands/serve.cpp.
//
//     firn::service::settings s;
//     s.state = "state";
//     s.defaults.machine = 7;
//     s.spaces.push_back(s.defaults.named("orders"));
//     return firn::service::serve(s, {});
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "firn/journal.hpp"

namespace firn::service {

/// How one id space is made. Its journal is the subdirectory `name` of the state directory.
struct space_settings {
    std::string name;
    journal::options ids;  ///< The clock is filled in by the registry.

    space_settings named(std::string n) const {
        space_settings copy = *this;
        copy.name = std::move(n);
        return copy;
    }
};

/// Bounds on what one client, and all of them together, can take. Each is a refusal that says its bound.
struct limits {
    std::size_t connections = 10'000;                    ///< All listeners together.
    std::size_t ids_per_call = 10'000;                   ///< FIRN.NEXT, FIRN.RANGE, POST .../ids.
    std::size_t request_bytes = std::size_t{64} * 1024;  ///< One command or one HTTP request.
    std::size_t reply_bytes =
        std::size_t{256} * 1024;                ///< Unsent replies of a connection; then it is not read from.
    std::chrono::milliseconds idle{600'000};    ///< Without a request; 0: for ever.
    std::chrono::milliseconds request{10'000};  ///< From a request's first byte to its last.
    std::chrono::milliseconds send{10'000};     ///< A client that takes no byte of a reply.
    std::chrono::milliseconds wait{100};        ///< For a tick or a reservation, on behalf of one command.
    std::chrono::milliseconds drain{10'000};    ///< From SIGTERM to the end, at most.
    std::chrono::milliseconds drain_delay{0};   ///< From "not ready" to closing the listeners.
};

struct settings {
    std::filesystem::path state;
    space_settings defaults;             ///< For spaces made on first use.
    std::vector<space_settings> spaces;  ///< Opened at the start.
    bool create = true;                  ///< Spaces may be made on first use.
    std::size_t spaces_max = 64;         ///< Each has a thread and half a dozen descriptors.
    /// A space is not ready when its layout has less than this left.
    std::chrono::microseconds life_margin = std::chrono::hours{1};

    std::vector<std::string> resp{"127.0.0.1:3476"};
    std::vector<std::string> http{"127.0.0.1:8476"};
    std::string unix_resp;  ///< Path of a socket; empty: none.
    std::string unix_http;
    unsigned unix_mode = 0660;
    bool handover = false;  ///< Share addresses with a server that is about to stop.
    unsigned threads = 0;   ///< 0: one a core.

    std::string token;  ///< Empty: no token is asked for.
    std::string tls_certificate;
    std::string tls_key;

    std::string log_file;  ///< Empty: stderr.
    std::string log_level = "info";

    limits bounds;

    /// For tests: a file with milliseconds to add to the wall, read again whenever it is asked for.
    std::string test_clock_file;
};

}  // namespace firn::service
