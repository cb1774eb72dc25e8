// firn::audit::read_decimal: reads the digits of an unsigned 64-bit number, eight at a time.
//
// The fast half of a strict reader: it accepts exactly what firn::parse_decimal (text.hpp) accepts, but does
// not say why it did not. Not for text of unknown length: it reads up to 24 bytes from where it starts.
//
//     std::uint64_t value;
//     if (const char* rest = read_decimal(text, value); rest != nullptr && *rest == '\n') use(value);
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace firn::audit {

/// How many bytes past the last character of a text must be readable.
inline constexpr std::size_t read_padding = 32;

namespace detail {

inline std::uint64_t load_eight(const char* p) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, p, sizeof word);
    return word;
}

/// For each byte: 0 for a digit, else a value with some of the high nibble set. Exact for every byte, and no
/// byte carries into its neighbour that matters: bytes below the first non-digit are always right.
inline std::uint64_t non_digits(std::uint64_t word) noexcept {
    constexpr std::uint64_t zeros = 0x3030303030303030ULL;
    constexpr std::uint64_t sixes = 0x0606060606060606ULL;
    constexpr std::uint64_t high = 0xF0F0F0F0F0F0F0F0ULL;
    return ((word & high) ^ zeros) | (((word + sixes) & high) ^ zeros);
}

/// The number that eight digits make; the first digit is in the lowest byte. A zero byte counts as digit 0.
inline std::uint64_t eight_digits(std::uint64_t word) noexcept {
    word &= 0x0F0F0F0F0F0F0F0FULL;
    word = (word * 2561) >> 8;  // Pairs: 2561 = 10 * 256 + 1, and so on.
    word = ((word & 0x00FF00FF00FF00FFULL) * 6553601) >> 16;
    return ((word & 0x0000FFFF0000FFFFULL) * 42949672960001ULL) >> 32;
}

inline constexpr std::uint64_t powers_of_ten[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};

/// Up to seven digits at `p`, after `value`. Returns the end.
inline const char* read_tail(const char* p, std::uint64_t word, std::uint64_t wrong,
                             std::uint64_t& value) noexcept {
    const auto digits = static_cast<unsigned>(std::countr_zero(wrong)) / 8;
    // Shifts the digits to the upper end; the zero bytes that come in below are leading zeros.
    const std::uint64_t shifted = digits == 0 ? 0 : word << (64 - 8 * digits);
    value = value * powers_of_ten[digits] + eight_digits(shifted);
    return p + digits;
}

}  // namespace detail

/// Reads a number from 0 to 2^64 - 1 without leading zeros at `text` and returns the first character after
/// it; null when there is none or it is too large.
/// Threads: pure. Cost: about 2 ns for 19 digits; reads up to 24 bytes from `text`, digits or not.
inline const char* read_decimal(const char* text, std::uint64_t& value) noexcept {
    static_assert(std::endian::native == std::endian::little, "the first digit must be in the lowest byte");
    using namespace detail;
    value = 0;
    if (*text == '0') return text[1] >= '0' && text[1] <= '9' ? nullptr : text + 1;
    const std::uint64_t first = load_eight(text);
    if (const auto wrong = non_digits(first)) {
        const char* end = read_tail(text, first, wrong, value);
        return end == text ? nullptr : end;
    }
    value = eight_digits(first);
    const std::uint64_t second = load_eight(text + 8);
    if (const auto wrong = non_digits(second)) return read_tail(text + 8, second, wrong, value);
    value = value * 100'000'000 + eight_digits(second);
    const char* p = text + 16;
    // 19 digits always fit into 64 bits; a 20th may not, and a 21st never does.
    for (; p < text + 19; ++p) {
        if (*p < '0' || *p > '9') return p;
        value = value * 10 + static_cast<std::uint64_t>(*p - '0');
    }
    if (*p < '0' || *p > '9') return p;
    const auto last = static_cast<std::uint64_t>(*p - '0');
    if (value > (~std::uint64_t{0} - last) / 10 || (p[1] >= '0' && p[1] <= '9')) return nullptr;
    value = value * 10 + last;
    return p + 1;
}

}  // namespace firn::audit
