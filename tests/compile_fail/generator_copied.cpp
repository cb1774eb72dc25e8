// A generator is not copied: two of them with one memory each would hand out the same ids.
#include "firn/generator.hpp"

void run(firn::generator& ids) {
#ifdef FIRN_MUST_FAIL
    firn::generator other = ids;
#else
    firn::generator& other = ids;
#endif
    static_cast<void>(other.next());
}
