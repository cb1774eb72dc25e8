// Exact numbers of the lab: time as integer nanoseconds, decimals read and written without rounding.
//
//     lab::parse_fixed("101.125", 6)            // 101125000: milliseconds as nanoseconds
//     lab::ms_text(101125000)                   // "101.125"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firn::lab {

__extension__ typedef __int128 int128;  // NOLINT(modernize-use-using): __extension__ takes no alias

inline constexpr std::int64_t ns_per_ms = 1'000'000;

constexpr int128 floor_div(int128 a, int128 b) noexcept {
    const int128 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}
constexpr int128 ceil_div(int128 a, int128 b) noexcept {
    return -floor_div(-a, b);
}

/// Reads a decimal with at most `places` digits after its point, scaled by 10^places; nothing when `text` is
/// of another form or past ±10^18. Strict: digits around the point, no exponent, no space; a minus may lead.
std::optional<std::int64_t> parse_fixed(std::string_view text, unsigned places);

/// `value` / 10^places in the fewest digits: "101.125", "50", "-0.5". Exact.
std::string fixed_text(std::int64_t value, unsigned places);

/// The same with exactly `shown` digits after the point (shown <= places), rounded half away from zero.
std::string rounded_text(std::int64_t value, unsigned places, unsigned shown);

/// Nanoseconds as milliseconds.
inline std::string ms_text(std::int64_t ns) {
    return fixed_text(ns, 6);
}

}  // namespace firn::lab
