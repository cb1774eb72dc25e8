// firn::policy: how the decision (advance.hpp) treats a rewind, a full tick and a fresh tick. Plain data.
//
// The product's default is clamp with bounded borrow. The other values exist so that the study can show what
// they cost; `unsafe_blind` hands out duplicates when the clock steps back, and is named for it.
//
//     firn::policy p;                                     // clamp, borrow, strict, sequence from zero
//     p.rewind = firn::rewind_policy::refuse;
#pragma once

#include <cstdint>
#include <limits>

namespace firn {

/// What to do when the wall reads less than the cursor's tick.
enum class rewind_policy : std::uint8_t {
    clamp,        ///< Go on in the cursor's tick: the wall is not believed for this call.
    refuse,       ///< Fail the call, and say by how many ticks the wall is behind.
    unsafe_blind  ///< Believe the wall and hand out its tick again. Duplicates. For the study only.
};

/// What to do when every sequence number of the tick is spent.
enum class overflow_policy : std::uint8_t {
    borrow,  ///< Go on in the next tick, which has not happened yet (bounded by ahead_max).
    spin     ///< Hand out nothing, and name the tick to wait for.
};

/// The study's two variants of the decision; `strict` is the product's.
enum class decision_variant : std::uint8_t {
    strict,       ///< A rewind is `now < last`: equality just increments.
    inclusive,    ///< A rewind is `now <= last`. One character, and refuse refuses seven ids in eight.
    free_running  ///< The sequence is never reset on a new tick. Needs cursor::first; one thread only.
};

/// Where the sequence begins in a fresh tick. At low traffic nearly every id is the first of its tick, so
/// with `zero` the low bits are nearly always 0 and `id % shards` piles up.
enum class sequence_start : std::uint8_t {
    zero,
    rolling,  ///< One past the last sequence used, modulo 2^spread_bits.
    random    ///< A number below 2^spread_bits that depends on the tick and on `seed` alone.
};

struct policy {
    rewind_policy rewind = rewind_policy::clamp;
    overflow_policy overflow = overflow_policy::borrow;
    decision_variant variant = decision_variant::strict;
    sequence_start start = sequence_start::zero;
    /// How a slot is split. Generators take it from their layout.
    std::uint8_t sequence_bits = 12;
    /// How many low bits rolling and random spread over. A tick that starts at s has s slots less, so a
    /// spread of 2^n costs at most 2^n of the 2^sequence_bits ids of a tick.
    std::uint8_t spread_bits = 8;
    /// How far past the wall an id may lie, in ticks.
    std::int64_t ahead_max = std::numeric_limits<std::int64_t>::max();
    /// Makes the random starts of two machines differ.
    std::uint64_t seed = 0;

    friend constexpr bool operator==(const policy&, const policy&) noexcept = default;
};

}  // namespace firn
