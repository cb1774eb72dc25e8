// When a journal's ceiling is to be raised: ahead of use, for a journal that is in use.
//
// Not for users. The one place of this decision: the background thread (reservation.cpp) and the lab ask it.
// It decides and does nothing; protocol.hpp raises the ceiling.
//
//     const firn::detail::outlook o{.cursor = c, .ceiling = e, .now = clock.now()};
//     if (firn::detail::extension_due(o, extended_at, kicked, terms)) …
#pragma once

#include <algorithm>
#include <cstdint>

#include "firn/slot.hpp"
#include "src/journal/protocol.hpp"

namespace firn::detail {

/// What there is to see of a journal at one moment.
struct outlook {
    slot cursor;
    slot ceiling;
    tick now;
};

/// From the cursor or the wall, whichever is later, to the ceiling; negative past it. Units: ticks. Pure.
constexpr std::int64_t ticks_left(const outlook& o, unsigned sequence_bits) noexcept {
    const tick at = std::max(slot{o.cursor.value + 1}.tick_of(sequence_bits), o.now);
    return o.ceiling.tick_of(sequence_bits).count - at.count;
}

/// Whether to extend now: less than a quarter of a window is left, and there was use since the last
/// extension, at which the cursor was `extended_at`; or somebody `asked` for it. A journal that idles is not
/// written. Pure.
constexpr bool extension_due(const outlook& o, slot extended_at, bool asked,
                             const journal_terms& terms) noexcept {
    const bool used = asked || o.cursor != extended_at;
    return used &&
           ticks_left(o, terms.layout.sequence_bits) < std::max<std::int64_t>(1, terms.window_ticks / 4);
}

}  // namespace firn::detail
