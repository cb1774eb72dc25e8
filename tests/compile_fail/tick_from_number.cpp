// The number of milliseconds since some epoch is not a tick until somebody says so.
#include "firn/advance.hpp"

#ifdef FIRN_MUST_FAIL
constexpr auto decided = firn::advance(firn::cursor{}, 50, firn::policy{});
#else
constexpr auto decided = firn::advance(firn::cursor{}, firn::tick{50}, firn::policy{});
#endif

static_assert(decided.first == firn::slot::at(firn::tick{50}, 0, 12));
