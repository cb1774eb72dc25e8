// What a new process starts with: the study's rules A, B and C, where memory died with the old one, and D and
// E, where a journal kept it (journal_process.hpp).
//
//     firn::cursor c = lab::starting_cursor(lab::start_rule::resume, 99, 12);     // tick 99, sequence 0
#pragma once

#include <cstdint>

#include "firn/advance.hpp"

namespace firn::lab {

enum class start_rule : std::uint8_t {
    amnesia,  ///< A: nothing. It believes the wall.
    resume,   ///< B: the highest tick ever issued, sequence 0. Half of the memory.
    skip,     ///< C: the tick after it, sequence 0.
    journal,  ///< D: the cursor itself, in a mapped page that outlives the process.
    reserve   ///< E: the durable ceiling; the page was lost with the host.
};

constexpr bool keeps_journal(start_rule rule) noexcept {
    return rule == start_rule::journal || rule == start_rule::reserve;
}

/// The memory of a new process without a journal: requires !keeps_journal(rule). `highest` is the highest
/// tick that this machine ever issued, -1 for none.
constexpr cursor starting_cursor(start_rule rule, std::int64_t highest, unsigned sequence_bits) noexcept {
    switch (rule) {
        case start_rule::amnesia:
            return cursor{};
        case start_rule::resume:
            return cursor{.last = slot::at(tick{highest}, 0, sequence_bits)};
        case start_rule::skip:
            return cursor{.last = slot::at(tick{highest + 1}, 0, sequence_bits)};
        case start_rule::journal:
        case start_rule::reserve:
            break;
    }
    return cursor{};
}

}  // namespace firn::lab
