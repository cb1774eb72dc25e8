// firn::formats::uuid: 128 bits with a version and a variant, and their text of 36 characters.
//
// For any UUID; the one with a time in front is in uuidv7.hpp. No other version is generated here.
// Canonical text is lower case with hyphens. RFC 9562 takes any case on input (section 4): that is `lenient`.
// Braces, "urn:uuid:" and texts without hyphens are other forms and are not read.
//
//     auto p = firn::formats::uuid::parse("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
//     if (p && p.value.version() == 7) …
//     auto text = p.value.format();            // no allocation; converts to string_view
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string_view>

#include "firn/codecs/spelling.hpp"
#include "firn/codecs/text_buffer.hpp"
#include "firn/formats/octets.hpp"
#include "firn/text.hpp"

namespace firn::formats {

struct uuid : octets<16> {
    using value_type = uuid;
    static constexpr std::size_t max_size = 36;

    /// RFC 9562, section 4.2: the version is in bits 48 to 51, and means something for the variant 10 only.
    constexpr unsigned version() const noexcept { return static_cast<unsigned>(bits<48, 4>()); }
    /// RFC 9562, section 4.1: bits 64 and 65 are 1 and 0.
    constexpr bool has_rfc_variant() const noexcept { return bits<64, 2>() == 2; }

    /// Writes 36 characters to `out`; returns the end. Threads: pure. Cost: no allocation.
    static constexpr char* write(const uuid& u, char* out) noexcept {
        std::array<char, 32> digits{};
        codecs::base_n<codecs::hex_alphabet>::write_fixed(u.number(), digits.data(), digits.size());
        std::size_t at = 0;
        for (const char digit : digits) {
            if (is_hyphen_place(at)) out[at++] = '-';
            out[at++] = digit;
        }
        return out + at;
    }
    constexpr codecs::text_buffer<max_size> format() const noexcept {
        codecs::text_buffer<max_size> text;
        write(*this, text.data());
        text.resize(max_size);
        return text;
    }

    /// Errors: empty; bad_character (a missing hyphen too); not_canonical (an upper-case digit, unless
    /// lenient); too_short; too_long. Threads: pure. Cost: no allocation.
    static constexpr parsed_as<uuid> parse(std::string_view text,
                                           codecs::spelling accept = codecs::spelling::canonical) noexcept {
        if (text.empty()) return {.fault = text_fault::empty};
        std::array<char, 32> digits{};
        std::size_t count = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto at = static_cast<std::uint32_t>(i);
            if (i == max_size) return {.fault = text_fault::too_long, .position = at};
            if (is_hyphen_place(i)) {
                if (text[i] != '-') return {.fault = text_fault::bad_character, .position = at};
                continue;
            }
            const std::uint8_t digit = codecs::hex_alphabet.value_of(text[i]);
            if (digit == codecs::hex_alphabet.none)
                return {.fault = text_fault::bad_character, .position = at};
            if (digit > codecs::hex_alphabet.none && accept == codecs::spelling::canonical)
                return {.fault = text_fault::not_canonical, .position = at};
            digits[count++] = text[i];
        }
        if (text.size() < max_size)
            return {.fault = text_fault::too_short, .position = static_cast<std::uint32_t>(text.size())};
        const auto p = codecs::base_n<codecs::hex_alphabet>::read(
            std::string_view{digits.data(), digits.size()}, codecs::wide<4>::max(), codecs::text_width::fixed,
            codecs::spelling::lenient);
        return {.value = uuid{{p.value.to_bytes()}}};
    }

    friend std::ostream& operator<<(std::ostream& out, const uuid& u) { return out << u.format(); }

  private:
    static constexpr bool is_hyphen_place(std::size_t i) noexcept {
        return i == 8 || i == 13 || i == 18 || i == 23;
    }
};

}  // namespace firn::formats
