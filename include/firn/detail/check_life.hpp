// The definition of firn::check_life (layout.hpp): apart, because it needs the text of an instant, which in
// turn needs a layout. Not for users to include.
#pragma once

#include <chrono>
#include <string>

#include "firn/layout.hpp"
#include "firn/rfc3339.hpp"

namespace firn {

inline void check_life(const layout& l, instant now, std::chrono::microseconds min_life) {
    const instant begin = l.first_instant();
    const instant end = l.end_instant();
    if (now < begin)
        throw error(errc::epoch_in_future, "the layout's epoch " + rfc3339(begin) +
                                               " lies in the future (now " + rfc3339(now) +
                                               "); choose an epoch in the past, or mend the clock");
    if (now >= end)
        throw error(errc::life_ended, "exhausted: the layout's timestamp field ended at " + rfc3339(end) +
                                          " (now " + rfc3339(now) +
                                          "); choose a later epoch or more timestamp bits");
    if (end - now < min_life) {
        const auto left = std::chrono::duration_cast<std::chrono::hours>(end - now).count();
        const auto wanted = std::chrono::duration_cast<std::chrono::hours>(min_life).count();
        throw error(errc::life_ends_soon,
                    "the layout's timestamp field ends at " + rfc3339(end) + ", in " +
                        std::to_string(left / 24) + " days, and min_life asks for " +
                        std::to_string(wanted / 24) +
                        " days; choose a later epoch or more timestamp bits, or set min_life to accept it");
    }
}

}  // namespace firn
