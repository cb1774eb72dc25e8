// An outcome holds what fits beside its code in two registers, and nothing else.
#include <array>
#include <cstdint>

#include "firn/outcome.hpp"

#ifdef FIRN_MUST_FAIL
using words = std::array<std::uint64_t, 2>;
#else
using words = std::array<std::uint64_t, 1>;
#endif

firn::outcome<words> result{words{}};
