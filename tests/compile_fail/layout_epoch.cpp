// An epoch in seconds, or before 1970, is a wrong constant; the compiler says which bound it passes.
#include "firn/packer.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::layout mine{.epoch_ms = -1735689600000};
#else
constexpr firn::layout mine{.epoch_ms = 1735689600000};
#endif

firn::fixed_packer<mine> packer{7};
