// In a constant expression a sequence that does not fit is an error of the compiler, not a mask.
#include "firn/layouts.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::id made = firn::layouts::twitter.encode(firn::tick{50}, 7, 4096);
#else
constexpr firn::id made = firn::layouts::twitter.encode(firn::tick{50}, 7, 4095);
#endif

static_assert(made.value == 209743872 + 4095);
