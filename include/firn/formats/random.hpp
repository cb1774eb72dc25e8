// firn::formats::draw: random bits from any generator of the standard's kind, the same on every platform.
//
// std::uniform_int_distribution may give other numbers with another standard library, and a simulation has to
// give the same ones. Randomness is always an argument here: a seeded std::mt19937_64 in the lab,
// std::random_device or a cryptographic source where ids must not be guessable.
//
//     std::mt19937_64 source{seed};
//     std::uint64_t r = firn::formats::draw(source, 62);       // 0 to 2^62 - 1
#pragma once

#include <cstdint>
#include <limits>
#include <random>

namespace firn::formats {

/// A source of 32 or 64 whole random bits at a time.
template <class Source>
concept random_source = std::uniform_random_bit_generator<Source> && Source::min()
== 0 && (Source::max() == std::numeric_limits<std::uint32_t>::max() ||
         Source::max() == std::numeric_limits<std::uint64_t>::max());

/// A random number below 2^bits. Requires 0 <= bits <= 64. Cost: one or two calls of the source.
template <random_source Source>
constexpr std::uint64_t draw(Source& source, unsigned bits) {
    if (bits == 0) return 0;
    if constexpr (Source::max() == std::numeric_limits<std::uint64_t>::max()) {
        return static_cast<std::uint64_t>(source()) >> (64 - bits);
    } else {
        const auto half = static_cast<std::uint64_t>(source());
        if (bits <= 32) return half >> (32 - bits);
        return (half << 32 | static_cast<std::uint64_t>(source())) >> (64 - bits);
    }
}

}  // namespace firn::formats
