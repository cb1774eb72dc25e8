// firn::service::serve: the whole server, from its settings to its exit status.
//
//     firn::service::settings s;                              // settings.hpp
//     return firn::service::serve(s, [&] { return read_settings_again(); });
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "service/settings.hpp"

namespace firn::service {

/// Serves until SIGTERM or SIGINT. `reload` is called on SIGHUP: bounds, the token, the log's level and new
/// spaces are taken from what it returns; what else has changed is logged as needing a restart. It may throw.
/// Returns 0 after a clean stop. Throws std::runtime_error or firn::error when it cannot start.
int serve(const settings& s, const std::function<settings()>& reload);

/// What would keep serve() from starting, found without listening and without writing; empty: nothing.
std::vector<std::string> check(const settings& s);

}  // namespace firn::service
