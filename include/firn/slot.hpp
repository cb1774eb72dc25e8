// firn::tick, firn::slot: the two integers that everything is decided on.
//
// A tick counts a layout's time since its epoch. A slot is tick and sequence as one integer, so that
// "later" is "larger" and the next one is one more. Uniqueness is: no slot of a machine is handed out twice.
//
//     constexpr firn::slot s = firn::slot::at(firn::tick{50}, 0, 12);    // tick 50, sequence 0, 12 bits
//     static_assert(s.tick_of(12) == firn::tick{50});
//     static_assert(firn::no_slot.tick_of(12) == firn::tick{-1});        // nothing handed out yet
#pragma once

#include <compare>
#include <cstdint>

namespace firn {

/// Ticks of a layout since its epoch. Negative: before the epoch.
struct tick {
    std::int64_t count = 0;

    friend constexpr bool operator==(tick, tick) noexcept = default;
    friend constexpr auto operator<=>(tick, tick) noexcept = default;
};

/// `tick << sequence_bits | sequence`. Signed, so that the slot before the first is -1 in every layout:
/// its tick is -1 and its sequence is the last one, which is just what a fresh process has to remember.
struct slot {
    std::int64_t value = 0;

    static constexpr slot at(tick t, std::uint32_t sequence, unsigned sequence_bits) noexcept {
        // Shifted as unsigned: a left shift of a negative tick is meant, and well defined since C++20.
        return slot{static_cast<std::int64_t>(static_cast<std::uint64_t>(t.count) << sequence_bits) |
                    static_cast<std::int64_t>(sequence)};
    }

    constexpr tick tick_of(unsigned sequence_bits) const noexcept { return tick{value >> sequence_bits}; }
    constexpr std::uint32_t sequence_of(unsigned sequence_bits) const noexcept {
        return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) &
                                          ((std::uint64_t{1} << sequence_bits) - 1));
    }

    friend constexpr bool operator==(slot, slot) noexcept = default;
    friend constexpr auto operator<=>(slot, slot) noexcept = default;
};

/// The slot before the first one: what a machine that has handed out nothing remembers.
inline constexpr slot no_slot{-1};

}  // namespace firn
