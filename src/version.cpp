// A first source, so that the archive exists; the journal, the clocks and the guard join it here.
#include "firn/version.hpp"

static_assert(!firn::library_version.empty());
