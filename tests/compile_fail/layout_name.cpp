// A name too long for its place in a layout.
#include "firn/layout.hpp"

#ifdef FIRN_MUST_FAIL
constexpr firn::short_name name{"a name of twenty-four ch"};
#else
constexpr firn::short_name name{"a name of twenty-three "};
#endif

static_assert(!name.view().empty());
