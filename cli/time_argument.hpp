// How commands take an instant: in RFC 3339, or as milliseconds since 1970; and a span: 250ms, 3s, 5m, 1h,
// 2d.
//
//     command->add_option("--from", given->from)->type_name("TIME");
//     const instant from = time_argument("--from", given->from, "--from 2025-01-01T00:00:00Z");
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "firn/instant.hpp"

namespace firn::cli {

/// Errors: CLI::ValidationError that names the argument and shows `example`; before 1970 is one.
instant time_argument(const std::string& name, const std::string& text, const std::string& example);

/// A span of at least `least`. Errors: as above.
std::chrono::microseconds span_argument(const std::string& name, const std::string& text,
                                        std::chrono::microseconds least);

/// How commands print an instant that they have in Unix nanoseconds.
std::string time_text(std::int64_t unix_ns);

}  // namespace firn::cli
