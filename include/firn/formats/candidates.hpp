// firn::formats::candidates: which formats a text may be an id of, the most plausible first, and why.
//
// For people who found an id and do not know where it is from. A guess: two formats may read the same number
// as two good dates, and only whoever made it knows. A program that knows its format asks decode.hpp.
//
//     for (const auto& c : firn::formats::candidates("175928847299117063", now))
//         std::cout << c.reading.format << ' ' << firn::rfc3339(c.reading.time)
//                   << (c.plausible() ? "" : " implausible: " + c.reading.warnings[0]) << '\n';
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "firn/codecs/forms.hpp"
#include "firn/formats/catalogue.hpp"
#include "firn/formats/decode_any.hpp"

namespace firn::formats {

struct candidate {
    const entry* format = nullptr;
    const codecs::form* form = nullptr;  ///< How the number is spelled; null: the format's own text.
    decoded reading;
    /// How long a message has to be that names this id as one of this format: which format, when between its
    /// first day and now, which machine, which number. Of two formats the shorter message is the better
    /// explanation.
    double bits = 0;

    /// Nothing speaks against it: no date in the future or before its kind, no bit that must be another.
    bool plausible() const noexcept { return reading.warnings.empty(); }
};

/// Every format that `text` can be read as, those that are plausible at `now` first, then by bits; none when
/// it is no id at all. `form`: how 64-bit numbers are spelled; null: as decimal, 16 hex digits, 13 characters
/// of Crockford's base 32, or 9 and more of base 58 and 62 (shorter ones are words). Threads: pure. Cost:
/// some microseconds, allocates.
std::vector<candidate> candidates(std::string_view text, instant now, const codecs::form* form = nullptr);

// ---- definitions ----

namespace detail {

/// What is known of the ids of a format beside its fields.
struct habit {
    std::string_view name;
    double rarity_bits;        ///< How seldom one meets them: an estimate, for what is otherwise even.
    bool counts_from_0;        ///< The sequence begins anew in each tick, so that small numbers are frequent.
    bool small_parts = false;  ///< So are those of the machine's parts.
};

// Discord's increment is never reset, by its documentation; in the ids of that documentation's examples it is
// 0 to 7, with workers and processes of 0 to 2.
inline constexpr std::array<habit, 10> habits{{{"discord", 0, true, true},
                                               {"twitter", 0.5, true},
                                               {"standard", 3, true},
                                               {"mastodon", 3, false},
                                               {"instagram", 4, false},
                                               {"sonyflake", 5, true},
                                               {"tsid", 5, false},
                                               {"leaf", 6, false},
                                               {"baidu", 6, true},
                                               {"js53", 6, true}}};

constexpr habit habit_of(std::string_view name) noexcept {
    for (const habit& h : habits)
        if (h.name == name) return h;
    return {name, 0, false};
}

/// The length of Elias' gamma code of n + 1: short for small numbers, and all numbers have one.
constexpr double gamma_bits(std::uint64_t n) noexcept {
    return 2 * static_cast<int>(std::bit_width(n + 1)) - 1;
}

/// To name a tick since the format was there: as any of them, or, when that is shorter, by its age, since
/// one mostly asks for what is new.
inline double time_bits(const entry& e, const decoded& d, instant now) {
    const auto ticks = [&](instant from) {
        return static_cast<double>(std::max<std::int64_t>((now - from).count() / e.tick_us, 1));
    };
    const double span = ticks(e.since);
    return std::min(std::log2(span), std::log2(ticks(d.time)) + std::log2(std::log(span) + 1));
}

inline double message_bits(const entry& e, const decoded& d, instant now) {
    const habit h = habit_of(e.name);
    double bits = h.rarity_bits + time_bits(e, d, now);
    for (std::size_t i = 1; i < d.fields.size(); ++i) {  // after the tick
        const bool sequence = i + 1 == d.fields.size();
        const bool has_parts = e.layout->machine_parts[0].bits > 0;
        if (!sequence && has_parts && i == 1) continue;  // the machine, which its parts tell
        if (sequence ? h.counts_from_0 : h.small_parts)
            bits += gamma_bits(d.fields[i].value);
        else if (sequence)
            bits += e.layout->sequence_bits;
        else
            bits += has_parts ? e.layout->machine_parts[i - 2].bits : e.layout->machine_bits;
    }
    return bits;
}

/// Whether somebody who found `text` may take it for a number in this form.
constexpr bool looks_like(const codecs::form& form, std::string_view text) noexcept {
    if (form.name == "decimal") return true;
    constexpr std::size_t longer_than_words = 9;
    const bool only_digits = text.find_first_not_of("0123456789") == std::string_view::npos;
    return !only_digits && (form.fixed_width || text.size() >= longer_than_words);
}

constexpr double rarity_bits_of(const codecs::form& form, const entry& e) noexcept {
    if (form.name == "decimal" || (e.name == "tsid" && form.name == "base32")) return 0;
    return form.fixed_width ? 2 : 4;
}

}  // namespace detail

inline std::vector<candidate> candidates(std::string_view text, instant now, const codecs::form* form) {
    std::vector<candidate> all;
    for (const codecs::form& f : codecs::forms) {
        if (form != nullptr ? &f != form : !detail::looks_like(f, text)) continue;
        const parsed number = f.parse(text, {});
        if (!number) continue;
        for (const entry& e : catalogue) {
            if (e.layout == nullptr) continue;
            candidate c{.format = &e, .form = &f, .reading = decode(id{number.value}, e, now)};
            c.bits = detail::message_bits(e, c.reading, now) + detail::rarity_bits_of(f, e);
            all.push_back(std::move(c));
        }
    }
    for (const entry& e : catalogue) {
        if (form != nullptr || e.layout != nullptr) continue;
        const auto own = e.parse(text, codecs::spelling::lenient);
        if (!own) continue;
        candidate c{.format = &e, .reading = decode(own.value, e, now)};
        // Its text alone says which it is: the random part is as likely as any other.
        c.bits = detail::time_bits(e, c.reading, now);
        all.push_back(std::move(c));
    }
    std::stable_sort(all.begin(), all.end(), [](const candidate& a, const candidate& b) {
        return a.plausible() != b.plausible() ? a.plausible() : a.bits < b.bits;
    });
    return all;
}

}  // namespace firn::formats
