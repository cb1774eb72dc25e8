// lab::successors: all that can happen next in a small world, for the explorer.
//
// The clock is not part of the state: wherever it is read, it may read any tick of the layout. That covers
// every step back and forward there is.
//
//     successors next{bounds};
//     next.of(world, [&](const action& a, std::int64_t wall) { … });
#pragma once

#include <cstdint>
#include <vector>

#include "lab/journal/world.hpp"

namespace firn::lab {

/// What may happen in an exploration.
struct freedom {
    std::uint32_t faults = 0;  ///< At most so many mishaps, failed write-backs and evictions in a history.
    bool records_fail = true;  ///< Writes and syncs of records may be among them,
    bool page_fails = false;   ///< and write-backs of the mapped page.
    bool late_claims = false;  ///< Anything may happen between reading cursor and clock and the claim.
    bool forks = false;
    std::uint32_t largest_batch = 1;
};

/// An action, and what the clock reads meanwhile.
struct timed_action {
    action what;
    std::int64_t wall = 0;
};

/// Appends every action that may be possible in `w`; of a step, those that differ in what goes wrong.
void list_successors(const world& w, const freedom& f, std::vector<timed_action>& list);

}  // namespace firn::lab
