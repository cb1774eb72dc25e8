// firn::formats::octets: what the 96, 128 and 160-bit formats have in common: bytes in network order that
// compare as numbers, and one text form. Not for users: they want uuid.hpp, ulid.hpp, ksuid.hpp, xid.hpp or
// object_id.hpp.
//
//     struct ulid : firn::formats::octets<16> { … };
//     std::uint64_t ms = bits<0, 48>();        // the number in bits 0 to 47, counted from the highest
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "firn/codecs/base_n.hpp"

namespace firn::formats {

template <std::size_t N>
struct octets {
    static_assert(N % 4 == 0);
    std::array<std::uint8_t, N> bytes{};

    /// The number in `Width` bits from bit `From` on, counted from the highest bit of the first byte.
    template <std::size_t From, std::size_t Width>
    constexpr std::uint64_t bits() const noexcept {
        static_assert(Width >= 1 && Width <= 64 && From + Width <= 8 * N);
        return bits(From, Width);
    }
    /// The same, for a place that is known at run time. Requires 1 to 64 bits that lie within the id.
    constexpr std::uint64_t bits(std::size_t from, std::size_t width) const noexcept {
        std::uint64_t value = 0;
        for (std::size_t at = from; at < from + width;) {
            const std::size_t take = chunk(at, from + width);
            const auto part =
                static_cast<std::uint64_t>(bytes[at / 8] >> (8 - at % 8 - take)) & ((1U << take) - 1);
            value = value << take | part;
            at += take;
        }
        return value;
    }

    /// Sets them to the low `Width` bits of `value`.
    template <std::size_t From, std::size_t Width>
    constexpr void set_bits(std::uint64_t value) noexcept {
        static_assert(Width >= 1 && Width <= 64 && From + Width <= 8 * N);
        set_bits(From, Width, value);
    }
    constexpr void set_bits(std::size_t from, std::size_t width, std::uint64_t value) noexcept {
        std::size_t left = width;
        for (std::size_t at = from; at < from + width;) {
            const std::size_t take = chunk(at, from + width);
            left -= take;
            const std::size_t shift = 8 - at % 8 - take;
            const unsigned mask = ((1U << take) - 1) << shift;
            const unsigned part = static_cast<unsigned>(value >> left) << shift & mask;
            bytes[at / 8] = static_cast<std::uint8_t>((bytes[at / 8] & ~mask) | part);
            at += take;
        }
    }

    constexpr codecs::wide<N / 4> number() const noexcept { return codecs::wide<N / 4>::from_bytes(bytes); }

    friend constexpr bool operator==(const octets&, const octets&) noexcept = default;
    friend constexpr auto operator<=>(const octets&, const octets&) noexcept = default;

  private:
    /// How many bits there are from `at` to the end of its byte, or to `end`.
    static constexpr std::size_t chunk(std::size_t at, std::size_t end) noexcept {
        const std::size_t in_byte = 8 - at % 8;
        return end - at < in_byte ? end - at : in_byte;
    }
};

namespace detail {

/// Reads exactly `width` digits. A wrong character is named before a wrong length.
template <const auto& Alphabet, std::size_t Limbs>
constexpr parsed_as<codecs::wide<Limbs>> read_fixed(std::string_view text, std::size_t width,
                                                    codecs::spelling accept) noexcept {
    using wide = codecs::wide<Limbs>;
    if (text.empty()) return {.fault = text_fault::empty};
    const auto p =
        codecs::base_n<Alphabet>::read(text.substr(0, width), wide::max(), codecs::text_width::fixed, accept);
    if (p.fault == text_fault::bad_character || p.fault == text_fault::not_canonical) return p;
    if (text.size() < width)
        return {.fault = text_fault::too_short, .position = static_cast<std::uint32_t>(text.size())};
    if (text.size() > width)
        return {.fault = text_fault::too_long, .position = static_cast<std::uint32_t>(width)};
    return p;
}

}  // namespace detail

}  // namespace firn::formats
