// Seeded randomness that gives the same numbers on every machine (unlike the standard library's
// distributions).
#pragma once

#include <cstdint>

#include "lab/exact.hpp"

namespace firn::lab {

/// splitmix64 (Steele, Lea and Flood, OOPSLA 2014). Not for secrets.
class random_stream {
  public:
    explicit constexpr random_stream(std::uint64_t seed) noexcept : state_(seed) {}

    constexpr std::uint64_t next() noexcept {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

    /// A number from 0 to below `bound`; its bias is at most bound / 2^64. Requires bound > 0.
    constexpr std::uint64_t below(std::uint64_t bound) noexcept {
        // NOLINTNEXTLINE(modernize-use-using): __extension__ takes no alias
        __extension__ typedef unsigned __int128 wide;
        return static_cast<std::uint64_t>((wide{next()} * bound) >> 64);
    }

  private:
    std::uint64_t state_;
};

}  // namespace firn::lab
