// A machine number that is a constant and does not fit into its field.
#include "firn/packer.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::fixed_packer<firn::layouts::twitter> mine{1024};
#else
constexpr firn::fixed_packer<firn::layouts::twitter> mine{1023};
#endif

static_assert(mine.machine() > 0);
