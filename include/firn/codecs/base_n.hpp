// firn::codecs::base_n: writes and reads unsigned numbers of 64 bits and more in any base up to 62.
//
// One engine for all of them: base32, base58 and base62 of an id, and the texts of ULID, KSUID, xid, ObjectId
// and UUID. Not for users: they want codecs/base32.hpp, base58.hpp, base62.hpp, or a format in formats/.
// Not for byte strings either: base64 and RFC 4648 with padding number their digits from the other end.
//
//     inline constexpr auto digits = firn::codecs::make_alphabet("0123456789abcdef");
//     using engine = firn::codecs::base_n<digits>;
//     std::array<char, 16> out;
//     engine::write_fixed(std::uint64_t{255}, out.data(), 16);             // "00000000000000ff"
//     auto r = engine::read("ff", ~std::uint64_t{0}, text_width::shortest, spelling::canonical);  // 255
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "firn/codecs/spelling.hpp"
#include "firn/text.hpp"

namespace firn::codecs {

/// An unsigned number of 32 × `Limbs` bits, the most significant limb first. Enough arithmetic for texts:
/// 96, 128 and 160 bits have no type in standard C++.
template <std::size_t Limbs>
struct wide {
    std::array<std::uint32_t, Limbs> limbs{};

    static constexpr wide max() noexcept {
        wide w;
        for (auto& limb : w.limbs) limb = std::numeric_limits<std::uint32_t>::max();
        return w;
    }

    /// From and to network byte order.
    static constexpr wide from_bytes(const std::array<std::uint8_t, 4 * Limbs>& bytes) noexcept {
        wide w;
        for (std::size_t i = 0; i < bytes.size(); ++i) w.limbs[i / 4] = w.limbs[i / 4] << 8 | bytes[i];
        return w;
    }
    constexpr std::array<std::uint8_t, 4 * Limbs> to_bytes() const noexcept {
        std::array<std::uint8_t, 4 * Limbs> bytes{};
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<std::uint8_t>(limbs[i / 4] >> (24 - 8 * (i % 4)));
        return bytes;
    }

    friend constexpr bool operator==(const wide&, const wide&) noexcept = default;
    friend constexpr auto operator<=>(const wide&, const wide&) noexcept = default;
};

namespace detail {

// The three operations the engine needs, for 64 bits and for limbs.

template <std::uint32_t By>
constexpr std::uint32_t divide(std::uint64_t& value) noexcept {
    const auto rest = static_cast<std::uint32_t>(value % By);
    value /= By;
    return rest;
}

template <std::uint32_t By, std::size_t Limbs>
constexpr std::uint32_t divide(wide<Limbs>& value) noexcept {
    std::uint64_t rest = 0;
    for (auto& limb : value.limbs) {
        rest = rest << 32 | limb;
        limb = static_cast<std::uint32_t>(rest / By);
        rest %= By;
    }
    return static_cast<std::uint32_t>(rest);
}

/// False when the result does not fit; `value` is then meaningless.
template <std::uint32_t By>
constexpr bool multiply_add(std::uint64_t& value, std::uint32_t digit) noexcept {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    if (value > most / By) return false;
    value *= By;
    if (value > most - digit) return false;
    value += digit;
    return true;
}

template <std::uint32_t By, std::size_t Limbs>
constexpr bool multiply_add(wide<Limbs>& value, std::uint32_t digit) noexcept {
    std::uint64_t carry = digit;
    for (std::size_t i = Limbs; i-- > 0;) {
        carry += std::uint64_t{value.limbs[i]} * By;
        value.limbs[i] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
    return carry == 0;
}

constexpr bool is_zero(std::uint64_t value) noexcept {
    return value == 0;
}

template <std::size_t Limbs>
constexpr bool is_zero(const wide<Limbs>& value) noexcept {
    return value == wide<Limbs>{};
}

}  // namespace detail

/// Whether texts are as short as they can be, or have leading zero digits up to one length.
enum class text_width : std::uint8_t { shortest, fixed };

/// The digits of a base, and for each character which digit it is.
template <std::size_t Base>
struct alphabet {
    static_assert(Base >= 2 && Base <= 64);
    static constexpr std::uint8_t none = 0x7f;   ///< not a digit
    static constexpr std::uint8_t alias = 0x80;  ///< a digit, but not as it is written canonically

    std::array<char, Base> digits{};
    std::array<std::uint8_t, 256> values{};

    static constexpr std::size_t base = Base;

    constexpr std::uint8_t value_of(char c) const noexcept { return values[static_cast<unsigned char>(c)]; }

    /// The same alphabet, in which `spelled` is read as `meant` when the reader is lenient.
    constexpr alphabet with_alias(char spelled, char meant) const noexcept {
        alphabet a = *this;
        a.values[static_cast<unsigned char>(spelled)] = static_cast<std::uint8_t>(value_of(meant) | alias);
        return a;
    }

    /// The same alphabet, in which the other case of a letter is read as that letter when the reader is
    /// lenient.
    constexpr alphabet with_either_case() const noexcept {
        alphabet a = *this;
        for (const char c : digits) {
            char other = c;
            if (c >= 'a' && c <= 'z') other = static_cast<char>(c - 'a' + 'A');
            if (c >= 'A' && c <= 'Z') other = static_cast<char>(c - 'A' + 'a');
            if (other != c) a = a.with_alias(other, c);
        }
        return a;
    }
};

template <std::size_t Size>
constexpr alphabet<Size - 1> make_alphabet(const char (&digits)[Size]) noexcept {
    alphabet<Size - 1> a;
    for (auto& value : a.values) value = alphabet<Size - 1>::none;
    for (std::size_t i = 0; i + 1 < Size; ++i) {
        a.digits[i] = digits[i];
        a.values[static_cast<unsigned char>(digits[i])] = static_cast<std::uint8_t>(i);
    }
    return a;
}

/// Lower-case hexadecimal; upper case is an alias.
inline constexpr auto hex_alphabet = make_alphabet("0123456789abcdef").with_either_case();

/// `Value` is std::uint64_t or a `wide`.
template <const auto& Alphabet>
class base_n {
  public:
    static constexpr std::uint32_t base = static_cast<std::uint32_t>(Alphabet.base);

    /// How many digits the number needs; one for zero.
    template <class Value>
    static constexpr std::size_t digits_of(Value value) noexcept {
        std::size_t n = 1;
        for (detail::divide<base>(value); !detail::is_zero(value); detail::divide<base>(value)) ++n;
        return n;
    }

    /// Writes the last `width` digits of the number, with leading zero digits. Returns the end of what it
    /// wrote. Threads: pure. Cost: no allocation.
    template <class Value>
    static constexpr char* write_fixed(Value value, char* out, std::size_t width) noexcept {
        // A wide division is a pass over the limbs: take as many digits from it as fit in one limb.
        constexpr std::size_t step = sizeof(Value) <= 8 ? 1 : digits_in_a_limb;
        constexpr std::uint32_t power = step == 1 ? base : power_in_a_limb;
        for (std::size_t at = width; at > 0;) {
            std::uint32_t rest = detail::divide<power>(value);
            for (std::size_t i = 0; i < step && at > 0; ++i) {
                out[--at] = Alphabet.digits[rest % base];
                rest /= base;
            }
        }
        return out + width;
    }

    /// Writes the number without leading zero digits. Returns the end of what it wrote.
    template <class Value>
    static constexpr char* write_shortest(const Value& value, char* out) noexcept {
        return write_fixed(value, out, digits_of(value));
    }

    /// Reads a number of at most `most`. The empty text and leading zero digits are the caller's to judge.
    /// Errors: bad_character or not_canonical (an alias, when the spelling is canonical) at the first such
    /// character; overflow at the first digit that makes the number too large.
    template <class Value>
    static constexpr parsed_as<Value> read(std::string_view text, const Value& most, text_width width,
                                           spelling accept) noexcept {
        // A wide multiplication is a pass over the limbs: put together as many digits first as fit in one
        // limb.
        constexpr std::size_t step = sizeof(Value) <= 8 ? 1 : digits_in_a_limb;
        constexpr std::uint32_t power = step == 1 ? base : power_in_a_limb;
        Value value{};
        std::uint32_t part = 0;
        std::size_t missing = (text.size() + step - 1) % step + 1;  // the first of them are the odd ones
        for (std::size_t i = 0; i < text.size(); ++i) {
            std::uint8_t digit = Alphabet.value_of(text[i]);
            if (digit >= Alphabet.none) {
                if (digit == Alphabet.none) return fault<Value>(text_fault::bad_character, i);
                if (accept == spelling::canonical) return fault<Value>(text_fault::not_canonical, i);
                digit = static_cast<std::uint8_t>(digit & ~Alphabet.alias);
            }
            part = step == 1 ? digit : part * base + digit;
            if (--missing > 0) continue;
            if (!detail::multiply_add<power>(value, part))
                return fault<Value>(text_fault::overflow, too_large_at(text.substr(0, i + 1), most, width));
            part = 0;
            missing = step;
        }
        if (value > most) return fault<Value>(text_fault::overflow, too_large_at(text, most, width));
        return {.value = value};
    }

  private:
    template <class Value>
    static constexpr parsed_as<Value> fault(text_fault what, std::size_t position) noexcept {
        return {.fault = what, .position = static_cast<std::uint32_t>(position)};
    }

    static constexpr std::size_t count_digits_in_a_limb() noexcept {
        std::size_t n = 0;
        for (std::uint64_t p = base; p <= std::numeric_limits<std::uint32_t>::max(); p *= base) ++n;
        return n;
    }
    static constexpr std::uint32_t power_of_base(std::size_t exponent) noexcept {
        std::uint32_t p = 1;
        for (std::size_t i = 0; i < exponent; ++i) p *= base;
        return p;
    }
    static constexpr std::size_t digits_in_a_limb = count_digits_in_a_limb();
    static constexpr std::uint32_t power_in_a_limb = power_of_base(digits_in_a_limb);

    /// The first digit that is past that of `most` in the same place. A text of varying width that has more
    /// digits than `most` exceeds it where `most` ends. `text` has no other characters than digits.
    template <class Value>
    static constexpr std::size_t too_large_at(std::string_view text, const Value& most,
                                              text_width width) noexcept {
        std::array<char, 8 * sizeof(Value)> bound{};
        const std::size_t size = digits_of(most);
        if (text.size() > size && width == text_width::shortest) return size;
        write_fixed(most, bound.data(), text.size());
        std::size_t i = 0;
        while (i + 1 < text.size() && digit_at(text, i) <= Alphabet.value_of(bound[i])) ++i;
        return i;
    }
    static constexpr std::uint8_t digit_at(std::string_view text, std::size_t i) noexcept {
        return static_cast<std::uint8_t>(Alphabet.value_of(text[i]) & ~Alphabet.alias);
    }
};

}  // namespace firn::codecs
