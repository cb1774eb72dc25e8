// An id is a name: there is no next id by adding one.
#include "firn/id.hpp"

#ifdef FIRN_MUST_FAIL
constexpr auto next(firn::id i) {
    return i + 1;
}
#else
constexpr auto next(firn::id i) {
    return i.value + 1;
}
#endif

static_assert(next(firn::id{41}) == 42);
