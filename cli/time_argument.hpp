// How commands take an instant: in RFC 3339, or as milliseconds since 1970.
//
//     command->add_option("--from", given->from)->type_name("TIME");
//     const instant from = time_argument("--from", given->from, "--from 2025-01-01T00:00:00Z");
#pragma once

#include <string>

#include "firn/instant.hpp"

namespace firn::cli {

/// Errors: CLI::ValidationError that names the argument and shows `example`; before 1970 is one.
instant time_argument(const std::string& name, const std::string& text, const std::string& example);

}  // namespace firn::cli
