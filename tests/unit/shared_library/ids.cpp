// Made into two shared libraries that hide all they can, as many are.
#include "firn/firn.hpp"

extern "C" [[gnu::visibility("default")]] unsigned long long FIRN_LIBRARY_FUNCTION() {
    static firn::generator ids{{.machine = 42}};
    return ids.next().value;
}
