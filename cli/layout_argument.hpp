// How commands take a layout for reading ids: by name or by its widths, with an epoch.
//
//     command->add_option("--as", as, layout_help);
//     const layout l = layout_argument("--as", as, epoch);       // "twitter", or "41/10/12" and
//     "2025-01-01T00:00:00Z"
#pragma once

#include <string>

#include "firn/layout.hpp"

namespace firn::cli {

inline constexpr const char* layout_help =
    "Layout of the ids: a name (`firn layouts` lists them), or the bits of time/machine/sequence, as "
    "41/10/12";
inline constexpr const char* format_help =
    "Format of the ids: a layout by name (`firn layouts` lists them) or by the bits of time/machine/sequence, "
    "as 41/10/12; or objectid, uuidv7, ulid, ksuid, xid in their own texts";
inline constexpr const char* epoch_help =
    "When tick 0 was: 2025-01-01T00:00:00Z, or milliseconds since 1970. Default: the layout's own, and 1970 "
    "for bits";

/// The layout that `text` names, with `epoch` in place of its own unless that is empty.
/// Errors: CLI::ValidationError that names the argument `name` or --epoch.
layout layout_argument(const std::string& name, const std::string& text, const std::string& epoch);

/// "twitter: 41/10/12, ticks of 1 ms from 2010-11-04T01:42:54.657Z".
std::string describe(const layout& l);

}  // namespace firn::cli
