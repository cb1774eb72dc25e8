// lab::run_fleet: "roughly sortable". Machines with perfect clocks and random arrivals; how much of the order
// in which ids were issued do the ids keep?
//
//     lab::fleet_verdict v = lab::run_fleet({.machines = 8, .window_ms = 200});
//     v.fraction();                                          // 0.0022: pairs in the wrong order, of all
//     pairs lab::predicted_fraction(8, 200);                       // the same by arithmetic
#pragma once

#include <cstdint>
#include <span>

#include "lab/parameters.hpp"
#include "lab/scenario.hpp"

namespace firn::lab {

struct fleet_options {
    std::uint64_t machines = 8;
    std::uint64_t window_ms = 200;
    request_rate rate{};       ///< Of each machine.
    std::uint64_t fleets = 8;  ///< As many, each with arrivals of its own; counts are added up.
    std::uint64_t seed = 1;
    firn::layout layout{};
};

struct fleet_verdict {
    std::uint64_t ids = 0;
    std::uint64_t pairs = 0;
    std::uint64_t inversions = 0;          ///< Pairs of ids in the wrong order, over all machines.
    std::uint64_t machine_inversions = 0;  ///< The same within each machine.
    std::uint64_t duplicates = 0;
    std::int64_t widest_ns = 0;  ///< The largest true time between the two of an inverted pair.

    double fraction() const {
        return pairs == 0 ? 0 : static_cast<double>(inversions) / static_cast<double>(pairs);
    }
    fleet_verdict& operator+=(const fleet_verdict& other);
};

/// ½ (1 − 1/machines) / window: two ids are of different machines, in the same millisecond, and then the
/// machine number orders them, which is right half of the time.
double predicted_fraction(std::uint64_t machines, std::uint64_t window_ms);

/// Runs one fleet of them (`index` from 0) with the production sequencer on every machine. Deterministic.
/// Cost: O(n log n) time and 32 bytes an id.
fleet_verdict run_one_fleet(const fleet_options& o, std::uint64_t index);

/// Runs all of them, one after the other.
fleet_verdict run_fleet(const fleet_options& o);

std::span<const parameter<fleet_options>> fleet_parameters();
/// Throws argument_error unless the parameters fit together.
void check(const fleet_options& o);

}  // namespace firn::lab
