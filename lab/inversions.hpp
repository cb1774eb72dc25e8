// Disorder, counted exactly: pairs of ids issued in the wrong order.
//
//     lab::count_inversions({1, 3, 2})                       // 1
#pragma once

#include <cstdint>
#include <vector>

#include "lab/observers.hpp"

namespace firn::lab {

/// Pairs i < j with ids[i] > ids[j]; equal ids are no inversion. O(n log n).
std::uint64_t count_inversions(std::vector<std::uint64_t> ids);

/// The largest true time between the two of an inverted pair; 0 when there is none. O(n log n). Requires
/// `issues` in order of true time.
std::int64_t widest_inversion_ns(const std::vector<collecting_observer::issue>& issues);

}  // namespace firn::lab
