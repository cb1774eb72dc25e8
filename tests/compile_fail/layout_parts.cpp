// Named parts of the machine number that do not fill it.
#include "firn/layout.hpp"

#ifdef FIRN_MUST_FAIL
constexpr auto mine = firn::make_layout({.machine_parts = {{{"datacenter", 5}, {"worker", 6}, {}}}});
#else
constexpr auto mine = firn::make_layout({.machine_parts = {{{"datacenter", 5}, {"worker", 5}, {}}}});
#endif

static_assert(mine.part_of(33, 0) == 1);
