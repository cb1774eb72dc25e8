// RFC 3339 text of an instant, in UTC with milliseconds: "2010-11-04T01:42:54.657Z".
//
// Not a date library: it writes and reads just this form (reading also takes no fraction, 1 to 6 digits, and
// an offset such as +02:00). Source: RFC 3339, section 5.6.
//
//     std::string text = firn::rfc3339(firn::layouts::twitter.time_of(i));
//     if (auto when = firn::parse_rfc3339("2026-12-01T00:00:00Z")) …
#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "firn/instant.hpp"

namespace firn {

/// The instant in UTC, floored to milliseconds. Years outside 0000 to 9999, which RFC 3339 has no form for,
/// are written with all their digits. Cost: allocates the string.
std::string rfc3339(instant when);

/// The instant that `text` names, or nothing when it is not of the form. Strict: no spaces, no missing parts,
/// days and leap years checked; second 60 is not taken (Unix time has no place for it).
std::optional<instant> parse_rfc3339(std::string_view text);

namespace detail {

inline void append_padded(std::string& out, std::int64_t value, std::size_t width) {
    std::array<char, 20> digits;
    if (value < 0) out += '-';
    char* const end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value < 0 ? -value : value).ptr;
    const auto size = static_cast<std::size_t>(end - digits.data());
    if (size < width) out.append(width - size, '0');
    out.append(digits.data(), size);
}

/// Reads exactly `width` digits at `at` and moves past them; nothing when one is no digit.
inline std::optional<int> take_digits(std::string_view text, std::size_t& at, std::size_t width) {
    if (text.size() < at + width) return std::nullopt;
    int value = 0;
    for (std::size_t i = 0; i < width; ++i) {
        const char c = text[at + i];
        if (c < '0' || c > '9') return std::nullopt;
        value = value * 10 + (c - '0');
    }
    at += width;
    return value;
}

inline bool take_char(std::string_view text, std::size_t& at, char wanted) {
    if (at >= text.size() || text[at] != wanted) return false;
    ++at;
    return true;
}

}  // namespace detail

inline std::string rfc3339(instant when) {
    using namespace std::chrono;
    const auto day = floor<days>(when);
    // The calendar repeats every 400 years. std::chrono's own ends with the year 32767; an id's need not.
    constexpr std::int64_t cycle_days = 146'097;
    const std::int64_t since_1970 = day.time_since_epoch().count();
    const std::int64_t cycle = since_1970 / cycle_days - (since_1970 % cycle_days < 0 ? 1 : 0);
    const year_month_day date{day - days{cycle * cycle_days}};
    const auto ms = floor<milliseconds>(when - day).count();
    std::string out;
    out.reserve(24);
    detail::append_padded(out, int{date.year()} + 400 * cycle, 4);
    out += '-';
    detail::append_padded(out, unsigned{date.month()}, 2);
    out += '-';
    detail::append_padded(out, unsigned{date.day()}, 2);
    out += 'T';
    detail::append_padded(out, ms / 3'600'000, 2);
    out += ':';
    detail::append_padded(out, ms / 60'000 % 60, 2);
    out += ':';
    detail::append_padded(out, ms / 1000 % 60, 2);
    out += '.';
    detail::append_padded(out, ms % 1000, 3);
    out += 'Z';
    return out;
}

inline std::optional<instant> parse_rfc3339(std::string_view text) {
    using namespace std::chrono;
    std::size_t at = 0;
    const auto y = detail::take_digits(text, at, 4);
    if (!y || !detail::take_char(text, at, '-')) return std::nullopt;
    const auto mo = detail::take_digits(text, at, 2);
    if (!mo || !detail::take_char(text, at, '-')) return std::nullopt;
    const auto d = detail::take_digits(text, at, 2);
    if (!d || !detail::take_char(text, at, 'T')) return std::nullopt;
    const auto h = detail::take_digits(text, at, 2);
    if (!h || !detail::take_char(text, at, ':')) return std::nullopt;
    const auto mi = detail::take_digits(text, at, 2);
    if (!mi || !detail::take_char(text, at, ':')) return std::nullopt;
    const auto s = detail::take_digits(text, at, 2);
    if (!s || *h > 23 || *mi > 59 || *s > 59) return std::nullopt;
    const year_month_day date{year{*y}, month{static_cast<unsigned>(*mo)}, day{static_cast<unsigned>(*d)}};
    if (!date.ok()) return std::nullopt;
    std::int64_t us = 0;
    if (detail::take_char(text, at, '.')) {
        std::int64_t scale = 100'000;
        const std::size_t begin = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9' && scale > 0) {
            us += (text[at++] - '0') * scale;
            scale /= 10;
        }
        if (at == begin) return std::nullopt;
    }
    minutes offset{0};
    if (!detail::take_char(text, at, 'Z')) {
        const bool west = at < text.size() && text[at] == '-';
        if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return std::nullopt;
        ++at;
        const auto oh = detail::take_digits(text, at, 2);
        if (!oh || !detail::take_char(text, at, ':')) return std::nullopt;
        const auto om = detail::take_digits(text, at, 2);
        if (!om || *oh > 23 || *om > 59) return std::nullopt;
        offset = (hours{*oh} + minutes{*om}) * (west ? -1 : 1);
    }
    if (at != text.size()) return std::nullopt;
    return instant{sys_days{date}} + hours{*h} + minutes{*mi} + seconds{*s} + microseconds{us} - offset;
}

}  // namespace firn
