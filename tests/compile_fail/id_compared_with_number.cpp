// A number that is no id is not compared with one by mistake: it is made one, or the id is taken apart.
#include "firn/id.hpp"

constexpr bool known(firn::id i) {
#ifdef FIRN_MUST_FAIL
    return i == 41;
#else
    return i == firn::id{41};
#endif
}

static_assert(known(firn::id{41}));
