// A tick of no length.
#include "firn/packer.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::layout mine{.tick_us = 0, .epoch_ms = 1735689600000};
#else
constexpr firn::layout mine{.tick_us = 10, .epoch_ms = 1735689600000};
#endif

firn::fixed_packer<mine> packer{7};
