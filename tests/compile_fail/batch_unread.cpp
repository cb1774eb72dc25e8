// How many ids a batch got is not to be ignored: the rest of the span is not written.
#include "firn/generator.hpp"

void fill(firn::generator& ids, std::span<firn::id> out) {
#ifdef FIRN_MUST_FAIL
    ids.try_next(out);
#else
    if (auto r = ids.try_next(out)) out = out.first(*r);
#endif
}
