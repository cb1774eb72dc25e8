// make_layout() checks in a constant expression too, and the error shows where it threw.
#include "firn/layout.hpp"

#ifdef FIRN_MUST_FAIL
constexpr auto mine = firn::make_layout({.timestamp_bits = 42, .epoch_ms = 1735689600000});
#else
constexpr auto mine = firn::make_layout({.timestamp_bits = 42, .machine_bits = 9, .epoch_ms = 1735689600000});
#endif

static_assert(mine.machine_max() == 511);
