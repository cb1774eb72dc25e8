// Layouts and spaces as they are written in flags and configuration files.
//
// Not for ids: those are in firn/text.hpp. A fault is thrown as std::invalid_argument with one line that says
// what was seen, what is taken, and an example.
//
//     firn::layout l = firn::service::layout_from("41/10/12", "2025-01-01T00:00:00Z", "");
//     auto orders = firn::service::space_from("orders,layout=twitter,machine=7", defaults);
//     std::string again = firn::service::text_of(l);
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "firn/layout.hpp"
#include "service/settings.hpp"

namespace firn::service {

/// The layout that `text` names, or whose widths (time/machine/sequence) it tells. `epoch` (RFC 3339 or Unix
/// milliseconds) and `tick` ("1ms", "1s", "250us") replace the layout's own unless they are empty.
layout layout_from(std::string_view text, std::string_view epoch, std::string_view tick);

/// "twitter: 41/10/12, ticks of 1 ms from 2010-11-04T01:42:54.657Z".
std::string text_of(const layout& l);

/// "250ms", "3s", "5m", "1h", "2d", "80us" as a duration. `what` names the argument in the message.
std::chrono::microseconds duration_from(std::string_view what, std::string_view text);

/// A machine number: decimal digits only, or "ordinal" for the number after the last '-' of `host`
/// (a StatefulSet's pod). Anything else is refused.
std::uint64_t machine_from(std::string_view text, std::string_view host);

/// Whether a space may have this name: 1 to 64 of A-Z a-z 0-9 _ . : - and not beginning with '.' or '-'.
bool is_space_name(std::string_view name) noexcept;
inline constexpr const char* space_name_rule =
    "a space's name has 1 to 64 characters of A-Z a-z 0-9 _ . : - and begins with a letter, a digit or _";

/// "NAME[,KEY=VALUE...]" over `defaults`. Keys: layout, epoch, tick, machine, rewind, overflow, start, order,
/// ahead-max, window, min-life.
space_settings space_from(std::string_view text, const space_settings& defaults, std::string_view host);

/// Sets one of those keys. Used for the flags of the same names, too.
void set_key(space_settings& s, std::string_view key, std::string_view value, std::string_view host);

}  // namespace firn::service
