// firn::codecs::spelling: how much a reader of text accepts.
//
//     firn::codecs::base32::parse("1c4z8kjb6gg52");                                    // not_canonical, 1
//     firn::codecs::base32::parse("1c4z8kjb6gg52", {.accept = firn::codecs::spelling::lenient});
#pragma once

#include <cstdint>
#include <limits>

namespace firn::codecs {

enum class spelling : std::uint8_t {
    /// Exactly what is written: when parse(text) succeeds, formatting its value gives `text` again.
    canonical,
    /// Also what the format's own specification allows on input: the other case, and Crockford's I, L and O.
    /// Never a text that could mean two values.
    lenient
};

/// What is accepted. The number's bound matters where ids are kept in signed 64 bits: pass `max_signed`.
struct parse_options {
    spelling accept = spelling::canonical;
    std::uint64_t max = std::numeric_limits<std::uint64_t>::max();
};

inline constexpr std::uint64_t max_signed = std::numeric_limits<std::int64_t>::max();

}  // namespace firn::codecs
