// firn::formats::range_of: the ids of a span of time, as bounds that a query can use.
//
// For formats that are no 64-bit integers: range_any.hpp. An id's time is the beginning of its tick, as
// time_of() and `firn decode` tell it.
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

namespace detail {

struct tick_span {
    tick first;
    tick last;
};

/// The ticks of a format, which has them from `epoch` to below `end`, that begin from `from` to below `to`.
/// Throws as range_of().
inline tick_span ticks_between(instant epoch, instant end, std::int64_t tick_us, instant from, instant to) {
    const auto refuse = [](const std::string& why) { throw error(errc::out_of_range, why, 0); };
    if (to <= from)
        refuse("the span is empty: it ends at " + rfc3339(to) + ", not after its begin at " + rfc3339(from));
    if (from < epoch)
        refuse(rfc3339(from) + " is before the epoch of such ids, " + rfc3339(epoch) +
               ": there are none of that time");
    if (to > end)
        refuse(rfc3339(to) + " is past the end of such ids' life, " + rfc3339(end) +
               ": there are none of that time");
    // The first tick that does not begin before `when`, which is not before the epoch.
    const auto not_before = [&](instant when) { return ((when - epoch).count() + tick_us - 1) / tick_us; };
    const tick_span ticks{tick{not_before(from)}, tick{not_before(to) - 1}};
    if (ticks.last < ticks.first)
        refuse("no tick begins from " + rfc3339(from) + " to " + rfc3339(to) + ": they take " +
               std::to_string(tick_us) + " us");
    return ticks;
}

}  // namespace detail

inline id_range range_of(const layout& l, instant from, instant to) {
    const auto [first, last] = detail::ticks_between(l.first_instant(), l.end_instant(), l.tick_us, from, to);
    return {.smallest = l.encode(first, 0, 0),
            .largest = l.encode(last, l.machine_max(), l.sequence_max()),
            .first = first,
            .last = last};
}

}  // namespace firn::formats
