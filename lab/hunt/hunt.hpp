// lab::hunt: random worlds on all cores, until a promise is broken or the time is over.
//
// The world of a number is the same for one seed, whatever the cores: what is reported is the broken world of
// the lowest number.
//
//     lab::hunt_result r = lab::hunt({.seed = 1, .worlds = 10'000});
//     if (r.found) … r.smallest, r.broken.flaw
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "lab/hunt/play.hpp"
#include "lab/hunt/script.hpp"
#include "lab/journal/bug.hpp"

namespace firn::lab {

struct hunt_options {
    std::uint64_t seed = 1;
    lab::bug bug = lab::bug::none;
    unsigned threads = 1;
    std::uint64_t worlds = 0;                        ///< 0: as many as the time allows.
    std::chrono::nanoseconds time{0};                ///< 0: as long as it takes.
    std::atomic<std::uint64_t>* progress = nullptr;  ///< Where to count worlds; may be read meanwhile.
};

struct hunt_result {
    std::uint64_t worlds = 0;
    std::uint64_t actions = 0;
    std::uint64_t ids = 0;
    std::array<std::uint64_t, 16> by_act{};  ///< How often each act was done, in the order of act.
    std::uint64_t mishaps = 0;               ///< Steps that were made to fail.
    std::chrono::nanoseconds took{0};

    bool found = false;
    std::uint64_t world = 0;  ///< Its number,
    finding first;            ///< what was found in it,
    script smallest;          ///< and what is left of it.
    finding broken;           ///< The same promise, in `smallest`.
};

/// Requires a limit of worlds or of time. Threads: its own.
hunt_result hunt(const hunt_options& o);

/// The seed of world `number`.
std::uint64_t world_seed(std::uint64_t seed, std::uint64_t number) noexcept;

}  // namespace firn::lab
