// firn::service::make_log: the server's log, whose writers never wait for whoever takes it.
//
// The thread that accepts clients, hears signals and feeds the watchdog also logs. A pipe that nobody reads
// and a disk that hangs must not stop it: lines go through a bounded queue to a thread that writes them, and
// what has no room is counted and told later. (spdlog's asynchronous logger drops lines too, but its end
// waits for the last one to be written, which may be for ever.)
//
//     auto log = firn::service::make_log(settings, nullptr);
//     log->info("ready: {} spaces", 3);
#pragma once

#include <spdlog/common.h>

#include <memory>

#include "service/settings.hpp"

namespace spdlog {
class logger;
}

namespace firn::service {

/// A sink that writes to `fd` from a thread of its own, and closes it at the end when it `owns` it. Logging
/// costs a lock; at most `lines_max` lines wait, later ones are dropped and counted in a line of their own.
/// Its end waits for the lines that wait, `last_words_ms` at most; then they are lost.
spdlog::sink_ptr make_queued_sink(int fd, bool owns);
inline constexpr std::size_t lines_max = 1024;
inline constexpr int last_words_ms = 1000;

/// To settings::log_file, opened anew (std::system_error when it cannot be), or to stderr, through the sink
/// of `before` when that went there too.
std::shared_ptr<spdlog::logger> make_log(const settings& s, const std::shared_ptr<spdlog::logger>& before);

}  // namespace firn::service
