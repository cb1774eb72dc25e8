// lab::mixer: a hash of a sequence of numbers, for telling states apart. Not for secrets.
//
//     lab::mixer m;
//     m.add(1).add(2);
//     m.value()
#pragma once

#include <cstdint>

namespace firn::lab {

class mixer {
  public:
    constexpr mixer() = default;
    explicit constexpr mixer(std::uint64_t start) noexcept : state_(start) {}

    template <class Number>
    constexpr mixer& add(Number n) noexcept {
        // The two halves of a 128-bit product: every bit of the sum so far and of `n` reaches both.
        // NOLINTNEXTLINE(modernize-use-using): __extension__ takes no alias
        __extension__ typedef unsigned __int128 wide;
        const wide product =
            wide{state_ ^ static_cast<std::uint64_t>(n) ^ 0x9E3779B97F4A7C15ULL} * 0xD6E8FEB86659FD93ULL;
        state_ = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
        state_ += 0x632BE59BD9B4E019ULL;
        return *this;
    }
    constexpr std::uint64_t value() const noexcept {
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }

  private:
    std::uint64_t state_ = 0x2545F4914F6CDD1DULL;
};

}  // namespace firn::lab
