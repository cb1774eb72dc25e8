// lab::explore: every history of a small world, state by state, breadth first.
//
// A state that was seen before is not looked at again, so the bound is not the length of a history: it is the
// layout's life, a few ticks of a few slots, after which there is nothing left to issue. Kills, power losses,
// restarts and clean stops are not bounded; what fails beside them (syncs, writes, write-backs) is, by
// number.
//
//     lab::exploration e = lab::small_world("records");
//     lab::exploration_result r = lab::explore(e);
//     r.states, r.flaw                                       // and r.story: the shortest way to a flaw
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lab/explore/successors.hpp"
#include "lab/journal/world.hpp"

namespace firn::lab {

struct exploration {
    std::string_view name;
    std::string_view what;
    lab::setup setup;
    lab::freedom freedom;
    /// Stop after so many states; 0: when there are no more.
    std::uint64_t most_states = 0;
};

/// The worlds that are explored.
std::span<const exploration> small_worlds();

/// May be read by another thread meanwhile.
struct exploration_progress {
    std::atomic<std::uint64_t> states{0};
    std::atomic<std::uint64_t> looked_at{0};  ///< Of them: all that can follow has been tried.
};

struct exploration_result {
    std::uint64_t states = 0;
    std::uint64_t transitions = 0;
    std::uint64_t issues = 0;  ///< Transitions that handed out slots, each checked.
    std::uint32_t depth = 0;   ///< The longest of all shortest histories.
    bool complete = false;     ///< There were no more states.
    lab::flaw flaw = flaw::none;
    std::vector<action> history;  ///< The shortest to the flaw, with the clock's readings in between.
};

exploration_result explore(const exploration& e, exploration_progress* progress = nullptr);

}  // namespace firn::lab
