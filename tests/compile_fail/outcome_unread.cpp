// An outcome that nobody looks at: the call may have failed.
#include "firn/generator.hpp"

void run(firn::generator& ids) {
#ifdef FIRN_MUST_FAIL
    ids.try_next();
#else
    static_cast<void>(ids.try_next());
#endif
}
