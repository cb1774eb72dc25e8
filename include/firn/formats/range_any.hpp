// firn::formats::range_of and set_field for the formats that are no 64-bit integers: the bounds of a span of
// time, and ids made of their fields, for queries and tests.
//
// Nothing keeps such an id from being one that exists: new ones come from the formats' generators.
//
//     const auto& e = *firn::formats::find("ulid");
//     const auto r = firn::formats::range_of(e, from, to);
//     std::string text(firn::formats::text_max_size, ' ');
//     text.resize(e.write(r.smallest, text.data()) - text.data());      // "01ARZ3NDEK0000000000000000"
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "firn/codecs/base_n.hpp"
#include "firn/formats/catalogue.hpp"
#include "firn/formats/range.hpp"
#include "firn/text.hpp"

namespace firn::formats {

struct any_range {
    any_id smallest;  ///< Of the first tick in the span, all else zeros.
    any_id largest;   ///< Of the last tick, all else ones.
    tick first;
    tick last;
};

/// The ids of `e`, which requires e.layout == nullptr, whose time lies from `from` to below `to`: compared as
/// bytes, and where the format's text is ordered (all in the catalogue are) as texts. Errors: as range_of().
any_range range_of(const entry& e, instant from, instant to);

/// The smallest, or the largest, id of `e` in the tick `at` that lies within its life.
any_id bound_of(const entry& e, tick at, bool largest);

/// Sets the field of that name, which is neither the time nor fixed, to the number that `value` is: in
/// decimal up to 64 bits, beyond as hex digits, as many as the field has. Returns what is wrong with the
/// value, which leaves the id unchanged; nothing when there is no such field.
std::optional<parsed> set_field(any_id& i, const entry& e, std::string_view name, std::string_view value);

/// The text of `i`.
std::string text_of(const any_id& i, const entry& e);

// ---- definitions ----

inline any_id bound_of(const entry& e, tick at, bool largest) {
    any_id i;
    std::size_t from = 0;
    for (const field& f : e.fields_view()) {
        const bool set = f.role != field_role::other;
        const std::uint64_t value =
            f.role == field_role::time ? static_cast<std::uint64_t>(at.count) : f.fixed;
        for (std::size_t done = 0; done < f.bits;) {
            const std::size_t width = std::min<std::size_t>(f.bits - done, 64);
            i.set_bits(from + done, width, set ? value : largest ? ~std::uint64_t{0} : 0);
            done += width;
        }
        from += f.bits;
    }
    return i;
}

inline any_range range_of(const entry& e, instant from, instant to) {
    const auto [first, last] = detail::ticks_between(e.first, e.end, e.tick_us, from, to);
    return {bound_of(e, first, false), bound_of(e, last, true), first, last};
}

inline std::optional<parsed> set_field(any_id& i, const entry& e, std::string_view name,
                                       std::string_view value) {
    std::size_t from = 0;
    for (const field& f : e.fields_view()) {
        if (f.name != name || f.role != field_role::other) {
            from += f.bits;
            continue;
        }
        if (f.bits <= 64) {
            const parsed p = parse_decimal(value, ~std::uint64_t{0} >> (64 - f.bits));
            if (p) i.set_bits(from, f.bits, p.value);
            return p;
        }
        // Four bits a digit; the widths of such fields are multiples of it.
        any_id changed = i;
        for (std::size_t at = 0; at < value.size() && at < f.bits / 4; ++at) {
            const std::uint8_t digit = codecs::hex_alphabet.value_of(value[at]);
            if (digit >= 16)
                return parsed{.fault = text_fault::bad_character, .position = static_cast<std::uint32_t>(at)};
            changed.set_bits(from + 4 * at, 4, digit);
        }
        if (value.size() != f.bits / 4)
            return parsed{
                .fault = value.size() < f.bits / 4 ? text_fault::too_short : text_fault::too_long,
                .position = static_cast<std::uint32_t>(std::min<std::size_t>(value.size(), f.bits / 4))};
        i = changed;
        return parsed{};
    }
    return std::nullopt;
}

inline std::string text_of(const any_id& i, const entry& e) {
    std::string text(text_max_size, '\0');
    text.resize(static_cast<std::size_t>(e.write(i, text.data()) - text.data()));
    return text;
}

}  // namespace firn::formats
