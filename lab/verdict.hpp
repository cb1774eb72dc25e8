// lab::verdict: what a run came to. Exact counts, times in nanoseconds.
//
//     lab::verdict v = lab::run(scenario);                   // run.hpp
//     if (v.duplicates != 0) std::cout << v.first_duplicate->id.value;
//     std::cout << lab::to_json(v);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firn/id.hpp"

namespace firn::lab {

struct restart_note {
    std::int64_t true_ns;
    std::int64_t wall_ms;

    friend bool operator==(const restart_note&, const restart_note&) = default;
};

/// The first collision in order of issue.
struct collision {
    firn::id id;
    std::int64_t first_ns;
    std::int64_t again_ns;

    friend bool operator==(const collision&, const collision&) = default;
};

struct verdict {
    std::uint64_t offered = 0;
    std::uint64_t issued = 0;
    std::uint64_t refused = 0;
    std::uint64_t duplicates = 0;  ///< Issued minus distinct.
    std::uint64_t restarts = 0;
    std::int64_t stalled_ns = 0;
    std::uint64_t borrowed = 0;  ///< Moves to a new tick because the one before was spent.
    std::int64_t ahead_ms = 0;   ///< The largest (tick of an id − wall when it was issued).
    std::vector<restart_note> restart_log;
    std::optional<collision> first_duplicate;
    std::optional<std::uint64_t> inversions;  ///< Pairs issued in the wrong order, when they were counted.

    /// With a journal: slots that restarts gave up, reserved and never handed out.
    std::optional<std::uint64_t> skipped;

    friend bool operator==(const verdict&, const verdict&) = default;
};

/// One JSON object in one line, its keys in the order above; times in ms, exact to the nanosecond; ids as
/// strings. Written by hand, since a JSON library's floating point would round long times.
std::string to_json(const verdict& v);

/// The members of that object without its braces, for callers that put their own before them.
std::string json_members(const verdict& v);

}  // namespace firn::lab
