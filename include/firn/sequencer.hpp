// firn::sequencer: the value-type generator for one thread. Time is an argument; its whole state is its
// cursor.
//
// Not for several threads (generator.hpp), and not for a process that may restart (journal.hpp): its cursor
// dies with it. It is what the simulator runs, and what to use where the caller keeps the cursor.
//
//     firn::sequencer s{{.layout = firn::layouts::twitter, .machine = 7}};
//     auto r = s.try_next(firn::tick{50});                  // outcome<id>
//     firn::cursor kept = s.state();                        // … and later
//     s.restore(kept);
#pragma once

#include <cstdint>

#include "firn/advance.hpp"
#include "firn/layouts.hpp"
#include "firn/outcome.hpp"
#include "firn/packer.hpp"

namespace firn {

namespace detail {

/// The error that belongs to a decision that issued nothing.
constexpr errc errc_of(decision::kind k) noexcept {
    switch (k) {
        case decision::issue:
            return errc::ok;
        case decision::rewound:
            return errc::clock_rewound;
        case decision::ahead:
            return errc::ahead_limit;
        case decision::before_epoch:
            return errc::before_epoch;
        case decision::exhausted:
            return errc::exhausted;
        case decision::wait:
            return errc::tick_full;
    }
    return errc::ok;
}

}  // namespace detail

template <class Packer>
class basic_sequencer {
  public:
    struct options {
        firn::layout layout = Packer::default_layout();
        std::uint64_t machine = 0;
        firn::policy policy{};  ///< Its sequence_bits are taken from the layout, whatever they say.
    };

    /// Throws bad_layout, machine_out_of_range.
    constexpr explicit basic_sequencer(const options& o) : packer_(o.layout, o.machine), policy_(o.policy) {
        policy_.sequence_bits = o.layout.sequence_bits;
    }

    /// The next id when the wall reads `now`, or why there is none (tick_full, clock_rewound, ahead_limit,
    /// before_epoch, exhausted), with the state unchanged. Threads: one. Cost: a few instructions.
    constexpr outcome<id> try_next(tick now) noexcept {
        const decision d = advance(cursor_, now, policy_);
        if (d.what != decision::issue) return {detail::errc_of(d.what), d.amount};
        const slot end = packer_.layout_of().end_slot();
        if (d.first >= end)
            return {errc::exhausted,
                    d.first.tick_of(policy_.sequence_bits).count - packer_.layout_of().end_tick().count + 1};
        cursor_ = d.next;
        return packer_.pack(d.first);
    }

    constexpr const cursor& state() const noexcept { return cursor_; }
    /// Takes over a memory. Nothing keeps the caller from going back: what that does is the study.
    constexpr void restore(const cursor& c) noexcept { cursor_ = c; }

    constexpr const layout& layout_of() const noexcept { return packer_.layout_of(); }
    constexpr std::uint64_t machine() const noexcept { return packer_.machine(); }

  private:
    Packer packer_;
    policy policy_;
    cursor cursor_;
};

using sequencer = basic_sequencer<packer>;

}  // namespace firn
