// firn::advance: the one decision. Everything that hands out ids (the value-type sequencer, the generator,
// the journal, the simulator) asks this function and does what it says.
//
// Pure: no clock, no memory, no threads. Time is an argument. Not for users who want an id: see
// sequencer.hpp, generator.hpp and journal.hpp.
//
//     firn::cursor c;                                       // nothing handed out yet
//     auto d = firn::advance(c, firn::tick{50}, firn::policy{});
//     if (d.what == firn::decision::issue) c = d.next;      // d.first is the slot
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "firn/policy.hpp"
#include "firn/slot.hpp"

namespace firn {

/// The whole memory of a generator: the last slot handed out.
struct cursor {
    slot last = no_slot;
    /// The sequence number that the cursor's tick began with. Only `free_running` needs it: there a tick is
    /// spent when the counter comes round to where it began. Elsewhere it stays 0, and the slot is all.
    std::uint32_t first = 0;

    friend constexpr bool operator==(const cursor&, const cursor&) noexcept = default;
};

/// What advance() decided.
struct decision {
    enum kind : std::uint8_t {
        issue,         ///< Hand out the `count` slots from `first` on; the cursor becomes `next`.
        rewound,       ///< Refuse: the wall is `amount` ticks behind the cursor.
        ahead,         ///< Refuse: the id would lie `amount` ticks ahead of the wall, past ahead_max.
        before_epoch,  ///< Refuse: the wall is `amount` ticks before the epoch, and no cursor is past it.
        exhausted,     ///< Refuse: the tick is `amount` past the last one that a slot can have.
        wait           ///< The tick is full: ask again once the wall reads tick `amount`.
    };

    kind what = issue;
    std::uint32_t count = 0;
    slot first;
    cursor next;
    std::int64_t amount = 0;
};

namespace detail {

/// Where the sequence of the fresh tick `at` begins. Pure, so that it needs no memory beside the cursor.
constexpr std::uint32_t start_of(tick at, slot last, const policy& p) noexcept {
    if (p.start == sequence_start::zero) [[likely]]
        return 0;
    const std::uint32_t spread = (std::uint32_t{1} << std::min(p.spread_bits, p.sequence_bits)) - 1;
    if (p.start == sequence_start::rolling) return (last.sequence_of(p.sequence_bits) + 1) & spread;
    // The finaliser of splitmix64 (Steele, Lea and Flood, OOPSLA 2014): every input bit reaches every output
    // bit.
    std::uint64_t z = static_cast<std::uint64_t>(at.count) + p.seed * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<std::uint32_t>(z ^ (z >> 31)) & spread;
}

/// The first tick that is never handed out: the last one whose slots fit into 63 bits, so that "the first
/// slot past the end" fits too. A layout ends there or before (layout::end_tick).
constexpr std::int64_t no_tick(unsigned sequence_bits) noexcept {
    return (std::int64_t{1} << (63U - sequence_bits)) - 1;
}

/// How far `at` is past the wall. Saturates, so that it is defined for any `now` at all.
constexpr std::int64_t distance(tick now, tick at) noexcept {
    constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max();
    return now.count < 0 && at.count > limit + now.count ? limit : at.count - now.count;
}

}  // namespace detail

/// Decides what a machine whose memory is `last` may hand out when the wall reads `now`.
///
/// Returns one of the kinds of `decision`. With `issue`, the slots from `first` to `next.last` are handed
/// out: `count` of them, at least one and at most `want` (fewer when `spin` meets the end of the tick, or
/// ahead_max or the last slot is near; always one when free-running). Any other kind leaves the caller's
/// cursor as it was. Units: `now` in ticks since the layout's epoch. Requires want >= 1, 1 <= p.sequence_bits
/// <= 31 and p.ahead_max >= 0; any `now`. Threads: pure. Cost: a few instructions; with the default policy it
/// is max(cursor + 1, now << sequence_bits).
constexpr decision advance(const cursor& last, tick now, const policy& p, std::uint32_t want = 1) noexcept {
    const unsigned bits = p.sequence_bits;
    const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    const tick spent = last.last.tick_of(bits);
    const std::uint32_t sequence = last.last.sequence_of(bits);
    const bool free_running = p.variant == decision_variant::free_running;

    // 1. A rewind. Equality is no rewind (but for the study's `inclusive`): it just increments. Where nothing
    //    has been handed out yet there is nothing to be behind of.
    tick at = now;
    const bool rewound = now < spent || (now == spent && p.variant == decision_variant::inclusive);
    if (rewound && spent.count >= 0) {
        if (p.rewind == rewind_policy::refuse)
            return {
                .what = decision::rewound, .first = {}, .next = {}, .amount = detail::distance(now, spent)};
        if (p.rewind == rewind_policy::clamp) at = spent;
    }
    if (at.count < 0) [[unlikely]]
        return {.what = decision::before_epoch, .first = {}, .next = {}, .amount = detail::distance(now, {})};

    // 2. The tick goes on, or 3. a fresh one begins.
    slot first;
    std::uint32_t begun = 0;
    if (at == spent) {
        const std::uint32_t following = (sequence + 1) & mask;
        const bool full = following == (free_running ? last.first : 0);
        if (full) {
            // Far behind the cursor, waiting for its tick to end would take as long as the wall was set back.
            const bool wait = p.overflow == overflow_policy::spin && detail::distance(now, at) <= p.ahead_max;
            at.count += 1;
            if (wait) return {.what = decision::wait, .first = {}, .next = {}, .amount = at.count};
        }
        first = slot::at(at, following, bits);
        if (free_running) begun = full ? following : last.first;
    } else {
        begun = free_running ? (sequence + 1) & mask : 0;
        first = slot::at(at, free_running ? begun : detail::start_of(at, last.last, p), bits);
    }
    if (at.count >= detail::no_tick(bits)) [[unlikely]]
        return {.what = decision::exhausted,
                .first = {},
                .next = {},
                .amount = at.count - detail::no_tick(bits) + 1};
    if (const std::int64_t ahead = detail::distance(now, at); ahead > p.ahead_max) [[unlikely]]
        return {.what = decision::ahead, .first = {}, .next = {}, .amount = ahead};

    // How many of them. With borrow the slots simply run on into the next ticks.
    std::int64_t count = 1;
    if (want > 1 && !free_running) {
        count =
            std::min<std::int64_t>(want, slot::at(tick{detail::no_tick(bits)}, 0, bits).value - first.value);
        if (p.overflow == overflow_policy::spin)
            count = std::min<std::int64_t>(count, std::int64_t{mask} - first.sequence_of(bits) + 1);
        if (detail::distance(now, slot{first.value + count - 1}.tick_of(bits)) > p.ahead_max) [[unlikely]]
            count = slot::at(tick{now.count + p.ahead_max + 1}, 0, bits).value - first.value;
    }
    return {.what = decision::issue,
            .count = static_cast<std::uint32_t>(count),
            .first = first,
            .next = {.last = slot{first.value + count - 1}, .first = begun},
            .amount = 0};
}

}  // namespace firn
