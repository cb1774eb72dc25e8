// firn::claim_slots: one atomic step from the decision to the shared cursor. The id path of everything
// shared.
//
// Not for users: generator.hpp and journal.hpp put a clock and a packer around it. The words may lie in a
// shared mapping: of anonymous memory (survives fork) or of a file (survives the process).
//
//     auto c = firn::claim_slots(words, clock.now(), policy, end, 1);
//     if (c.code == firn::errc::ok) use(c.first, c.count);
#pragma once

#include <atomic>
#include <cstdint>

#include "firn/advance.hpp"
#include "firn/outcome.hpp"
#include "firn/sequencer.hpp"

namespace firn {

/// The two words that the id path touches, on one cache line: whoever issues needs both, and a ceiling that
/// moves once a window does not disturb the line more than the ids themselves do.
struct alignas(64) cursor_words {
    std::atomic<std::int64_t> cursor{no_slot.value};  ///< The last slot handed out. Never lowered.
    std::atomic<std::int64_t> ceiling{0};             ///< The first slot that may not be handed out yet.
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free,
              "firn: the cursor must be an address-free atomic, since processes share it");

/// What was claimed: `count` slots from `first` on; or a code and its amount, with nothing changed.
struct claim {
    slot first;
    std::uint32_t count = 0;
    errc code = errc::ok;
    std::int64_t amount = 0;
};

/// Claims from 1 to `want` contiguous slots below the ceiling. Never waits, never throws.
/// Errors: tick_full, clock_rewound, ahead_limit, before_epoch; ceiling_reached; exhausted (past `end`, the
/// end of the layout's life). On error nothing has changed. Requires want >= 1, and a policy that is not
/// free-running. Threads and processes: any number on one `words`. Cost: two loads and one compare-and-set
/// when uncontended.
inline claim claim_slots(cursor_words& words, tick now, const policy& p, slot end,
                         std::uint32_t want) noexcept {
    // Relaxed throughout for the cursor: uniqueness needs only that the changes of this one word have one
    // order, which every atomic has. Strict order needs no more: a call that begins after another has
    // returned reads, by coherence, the value that one wrote or a later one.
    std::int64_t last = words.cursor.load(std::memory_order_relaxed);
    for (;;) {
        const decision d = advance(cursor{.last = slot{last}, .first = 0}, now, p, want);
        if (d.what != decision::issue) [[unlikely]]
            return {.first = {}, .count = 0, .code = detail::errc_of(d.what), .amount = d.amount};

        // A ceiling read early is at worst too low, since it is not lowered while anyone can issue. Acquire
        // pairs with the release of its publisher: the sync that made it durable comes before any id below
        // it.
        const std::int64_t ceiling = words.ceiling.load(std::memory_order_acquire);
        std::int64_t past = d.next.last.value + 1;
        if (past > ceiling) [[unlikely]] {
            if (d.first >= end)
                return {.first = {},
                        .count = 0,
                        .code = errc::exhausted,
                        .amount =
                            d.first.tick_of(p.sequence_bits).count - end.tick_of(p.sequence_bits).count + 1};
            if (d.first.value >= ceiling)
                return {.first = {},
                        .count = 0,
                        .code = errc::ceiling_reached,
                        .amount = d.first.value - ceiling + 1};
            past = ceiling;
        }
        if (words.cursor.compare_exchange_weak(last, past - 1, std::memory_order_relaxed)) [[likely]]
            return {.first = d.first, .count = static_cast<std::uint32_t>(past - d.first.value)};
    }
}

}  // namespace firn
