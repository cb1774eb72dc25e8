// The parameters of a scenario by name: `firn lab run --NAME VALUE`, keys of a scenario file, sweeps.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "lab/parameters.hpp"
#include "lab/scenario.hpp"

namespace firn::lab {

std::span<const parameter<scenario>> scenario_parameters();

/// Throws argument_error unless the parameters fit together (widths, machine number, bounds).
void check(const scenario& s);

// The text forms, for other tables of parameters.

bool parse_rate(request_rate& to, const std::string& text);
/// "41/10/12": timestamp, machine and sequence bits; the rest of `to` stays.
bool parse_widths(firn::layout& to, const std::string& text);
/// Milliseconds with at most 6 decimals, from 0 to 10^11, as nanoseconds.
bool parse_ms(std::int64_t& to_ns, const std::string& text);
bool parse_count(std::uint64_t& to, const std::string& text);

}  // namespace firn::lab
