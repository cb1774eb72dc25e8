// An id is not made of a tick: that takes a machine and a sequence, and a layout that has room for them.
#include "firn/layouts.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::id made{firn::tick{50}};
#else
constexpr firn::id made = firn::layouts::twitter.encode(firn::tick{50}, 7, 0);
#endif

static_assert(made.value == 209743872);
