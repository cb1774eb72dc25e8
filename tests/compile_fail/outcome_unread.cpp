// An outcome that nobody looks at: the call may have failed.
#include "firn/id.hpp"
#include "firn/outcome.hpp"

firn::outcome<firn::id> try_next();

void run() {
#ifdef FIRN_MUST_FAIL
    try_next();
#else
    static_cast<void>(try_next());
#endif
}
