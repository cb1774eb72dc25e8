// One machine's process: the production sequencer, and what the machine remembers when it is replaced.
//
// A process, for simulate.hpp, is anything with these three: try_next(wall), position(), restart() or
// restart(wall). journal_process.hpp is the one whose memory outlives it; the tests put generators that are
// broken on purpose in its place.
#pragma once

#include <algorithm>
#include <cstdint>

#include "firn/sequencer.hpp"
#include "lab/scenario.hpp"
#include "lab/start_rule.hpp"

namespace firn::lab {

class sequencer_process {
  public:
    /// Requires !keeps_journal(s.start). Throws firn::error: a machine out of range.
    explicit sequencer_process(const scenario& s)
        : ids_({.layout = s.layout, .machine = s.machine, .policy = s.rules}), start_(s.start) {}

    outcome<id> try_next(tick wall) noexcept {
        const outcome<id> r = ids_.try_next(wall);
        if (r) [[likely]]
            highest_ = std::max(highest_, position());
        return r;
    }

    /// The tick of the cursor.
    std::int64_t position() const noexcept {
        return ids_.state().last.tick_of(ids_.layout_of().sequence_bits).count;
    }

    /// The process is replaced: what is left of its memory is what the start rule says.
    void restart() noexcept {
        ids_.restore(starting_cursor(start_, highest_, ids_.layout_of().sequence_bits));
    }

  private:
    sequencer ids_;
    start_rule start_;
    std::int64_t highest_ = -1;
};

}  // namespace firn::lab
