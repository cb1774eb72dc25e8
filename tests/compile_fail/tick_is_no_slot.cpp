// A tick does not turn into a slot by itself: that takes a sequence and its width.
#include "firn/slot.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::slot first = firn::tick{50};
#else
constexpr firn::slot first = firn::slot::at(firn::tick{50}, 0, 12);
#endif

static_assert(first.value == 50 * 4096);
