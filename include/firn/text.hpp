// Ids as text, decimal and hex, and the strict reader behind every number that firn takes.
//
// Strict: no sign, no space, no overflow, nothing before or after, and for ids no spelling but the canonical
// one (no leading zero in decimal; exactly 16 lower-case digits in hex). Other alphabets are in codecs/.
//
//     std::string s = firn::to_decimal(i);
//     if (auto p = firn::parse_decimal("1593572310593806338")) use(firn::id{p.value});
//     else log(p.reason(), p.position);                         // "a character that is no digit", 3
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "firn/id.hpp"

namespace firn {

enum class text_fault : std::uint8_t {
    none,
    empty,          ///< There is no text.
    bad_character,  ///< A character outside the alphabet.
    too_long,       ///< More characters than any value has.
    too_short,      ///< Fewer characters than the form has.
    overflow,       ///< A value past the bound.
    not_canonical,  ///< A value that is spelled another way.
    other_kind      ///< Well formed, but of another kind: a UUID of another version.
};

/// The reason in words. Never null.
constexpr const char* reason_of(text_fault fault) noexcept {
    switch (fault) {
        case text_fault::none:
            return "no fault";
        case text_fault::empty:
            return "the text is empty";
        case text_fault::bad_character:
            return "a character that this form does not have";
        case text_fault::too_long:
            return "more characters than this form has";
        case text_fault::too_short:
            return "fewer characters than this form has";
        case text_fault::overflow:
            return "the value is too large";
        case text_fault::not_canonical:
            return "not the canonical spelling";
        case text_fault::other_kind:
            return "well formed, but of another kind";
    }
    return "unknown";
}

/// A value, or why the text is none and at which character (from 0).
template <class Value>
struct parsed_as {
    Value value{};
    text_fault fault = text_fault::none;
    std::uint32_t position = 0;

    constexpr explicit operator bool() const noexcept { return fault == text_fault::none; }
    constexpr const char* reason() const noexcept { return reason_of(fault); }

    friend constexpr bool operator==(const parsed_as&, const parsed_as&) noexcept = default;
};
using parsed = parsed_as<std::uint64_t>;

/// Reads a decimal number from 0 to `max`: digits only, no leading zero but for "0" itself.
/// Threads: any. Cost: no allocation.
constexpr parsed parse_decimal(std::string_view text, std::uint64_t max = ~std::uint64_t{0}) noexcept {
    if (text.empty()) return {.fault = text_fault::empty};
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto at = static_cast<std::uint32_t>(i);
        if (text[i] < '0' || text[i] > '9') return {.fault = text_fault::bad_character, .position = at};
        const auto digit = static_cast<std::uint64_t>(text[i] - '0');
        if (digit > max || value > (max - digit) / 10) return {.fault = text_fault::overflow, .position = at};
        value = value * 10 + digit;
    }
    if (text.size() > 1 && text[0] == '0') return {.fault = text_fault::not_canonical, .position = 0};
    return {.value = value};
}

/// Reads an id's hex form: exactly 16 digits 0-9a-f, no prefix.
constexpr parsed parse_hex(std::string_view text) noexcept {
    if (text.empty()) return {.fault = text_fault::empty};
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto at = static_cast<std::uint32_t>(i);
        const char c = text[i];
        std::uint64_t digit = 0;
        if (c >= '0' && c <= '9')
            digit = static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<std::uint64_t>(c - 'a') + 10;
        else if (c >= 'A' && c <= 'F')
            return {.fault = text_fault::not_canonical, .position = at};
        else
            return {.fault = text_fault::bad_character, .position = at};
        if (i >= 16) return {.fault = text_fault::too_long, .position = at};
        value = value << 4 | digit;
    }
    if (text.size() < 16)
        return {.fault = text_fault::too_short, .position = static_cast<std::uint32_t>(text.size())};
    return {.value = value};
}

/// The id in decimal, at most 20 characters. Cost: one string, which fits no small buffer.
inline std::string to_decimal(id i) {
    return std::to_string(i.value);
}

/// The id in hex: always 16 lower-case digits, so that text order is id order.
inline std::string to_hex(id i) {
    std::string out(16, '0');
    for (std::size_t n = 0; n < 16; ++n) out[n] = "0123456789abcdef"[(i.value >> (60 - 4 * n)) & 15];
    return out;
}

}  // namespace firn
