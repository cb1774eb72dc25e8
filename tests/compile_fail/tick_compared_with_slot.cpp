// Ticks and slots are both integers, and no more comparable than hours and cents.
#include "firn/slot.hpp"

constexpr bool later(firn::tick now, firn::slot last) {
#ifdef FIRN_MUST_FAIL
    return last < now;
#else
    return last.tick_of(12) < now;
#endif
}

static_assert(later(firn::tick{51}, firn::slot::at(firn::tick{50}, 0, 12)));
