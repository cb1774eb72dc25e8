// The study's first mistake, for the lab alone: a machine number that is masked rather than checked.
//
// The product rejects a machine that does not fit into its field. Here it aliases silently, as it does where
// someone wrote `machine & 1023`: machine 1024 *is* machine 0.
#pragma once

#include <cstdint>

#include "firn/sequencer.hpp"

namespace firn::lab {

/// A sequencer for whatever is left of `machine` in the layout's field. Unsafe: two machines may be one.
inline sequencer unsafe_masked_sequencer(const layout& l, std::uint64_t machine, const policy& rules = {}) {
    return sequencer{{.layout = l, .machine = machine & l.machine_max(), .policy = rules}};
}

}  // namespace firn::lab
