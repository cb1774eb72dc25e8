// Widths that do not add up to 64.
#include "firn/packer.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::layout mine{.machine_bits = 10, .sequence_bits = 13, .epoch_ms = 1735689600000};
#else
constexpr firn::layout mine{.machine_bits = 9, .sequence_bits = 13, .epoch_ms = 1735689600000};
#endif

firn::fixed_packer<mine> packer{7};
