// firn::formats::range_of: the ids of a span of time, as bounds that a query can use.
//
// Not for 128-bit formats. An id's time is the beginning of its tick, as time_of() and `firn decode` tell it.
//
//     const auto r = firn::formats::range_of(firn::layouts::twitter, from, to);
//     // … WHERE id BETWEEN r.smallest AND r.largest
#pragma once

#include <cstdint>
#include <string>

#include "firn/error.hpp"
#include "firn/layout.hpp"
#include "firn/rfc3339.hpp"

namespace firn::formats {

struct id_range {
    id smallest;  ///< Of the first tick that begins at `from` or later: machine 0, sequence 0.
    id largest;   ///< Of the last tick that begins before `to`: every machine, every sequence.
    tick first;
    tick last;
};

/// The ids, of any machine, whose time lies from `from` to below `to`. Throws out_of_range, and says the
/// bound: `from` before the epoch, `to` past the end of the layout's life, no tick in between (an empty or
/// backward span, or one within a tick). Pure.
id_range range_of(const layout& l, instant from, instant to);

// ---- definitions ----

inline id_range range_of(const layout& l, instant from, instant to) {
    const auto refuse = [](const std::string& why) { throw error(errc::out_of_range, why, 0); };
    if (to <= from)
        refuse("the span is empty: it ends at " + rfc3339(to) + ", not after its begin at " + rfc3339(from));
    if (from < l.first_instant())
        refuse(rfc3339(from) + " is before the layout's epoch, " + rfc3339(l.first_instant()) +
               ": there are no ids of that time");
    if (to > l.end_instant())
        refuse(rfc3339(to) + " is past the end of the layout's life, " + rfc3339(l.end_instant()) +
               ": there are no ids of that time");
    // The first tick that does not begin before `when`.
    const auto not_before = [&](instant when) {
        const tick in = l.tick_of(when);
        return l.time_of(in) < when ? tick{in.count + 1} : in;
    };
    const tick first = not_before(from);
    const tick last{not_before(to).count - 1};
    if (last < first)
        refuse("no tick begins from " + rfc3339(from) + " to " + rfc3339(to) + ": the layout's take " +
               std::to_string(l.tick_us) + " us");
    return {.smallest = l.encode(first, 0, 0),
            .largest = l.encode(last, l.machine_max(), l.sequence_max()),
            .first = first,
            .last = last};
}

}  // namespace firn::formats
