// firn::generator: thread-safe ids with the cursor in process memory (level 0): survives fork, dies with the
// process.
//
// When not to use it: where the process may be killed or restarted while the clock is wrong. A fresh process
// does not know what the old one issued; journal.hpp does, at the same price. After a fork, parent and
// children go on without duplicates, provided that the generator was made before it.
//
//     firn::generator ids{{.machine = 7}};
//     firn::id a = ids.next();
//     firn::static_generator<firn::layouts::twitter> fast{{.machine = 7}};   // the layout as a constant
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "firn/detail/process_memory.hpp"
#include "firn/issuer.hpp"
#include "firn/layouts.hpp"

namespace firn {

/// No machine number was given. There is no safe guess: two hosts that guess alike collide.
inline constexpr std::uint64_t machine_not_given = std::numeric_limits<std::uint64_t>::max();

template <class Packer>
struct basic_generator_options {
    firn::layout layout = Packer::default_layout();
    std::uint64_t machine = machine_not_given;    ///< Required: 0 to layout.machine_max().
    rewind_policy rewind = rewind_policy::clamp;  ///< Not unsafe_blind: a shared cursor is never lowered.
    overflow_policy overflow = overflow_policy::borrow;
    sequence_start start = sequence_start::zero;
    firn::order order = firn::order::strict;
    std::chrono::microseconds ahead_max = std::chrono::hours{1};  ///< How far past the wall an id may lie.
    std::chrono::microseconds min_life = std::chrono::hours{24 * 365};  ///< Refuse a layout that ends sooner.
    std::shared_ptr<firn::clock> clock{};  ///< Counts this layout's ticks. Empty: system_clock.
    /// Journal only: how far past the cursor and the wall slots are reserved. A crash of the host skips at
    /// most this.
    std::chrono::microseconds window = std::chrono::seconds{3};
    /// Generator only: do not share the cursor with this process's other generators of the same layout and
    /// machine. Two such generators hand out the same ids. For tests.
    bool unsafe_own_cursor = false;
};

using generator_options = basic_generator_options<packer>;

namespace detail {

/// Throws the error that says what is missing or wrong; returns the policy that the options stand for.
template <class Packer>
policy checked_policy(const basic_generator_options<Packer>& o) {
    make_layout(o.layout);
    if (o.machine == machine_not_given)
        throw error(errc::machine_out_of_range,
                    "no machine number given, and none can be guessed safely: set .machine (0 to " +
                        std::to_string(o.layout.machine_max()) +
                        "), a different one for each generator of this layout");
    check_machine(o.layout, o.machine);
    if (o.rewind == rewind_policy::unsafe_blind)
        throw error(errc::bad_policy,
                    "unsafe_blind would lower a shared cursor, and hand out duplicates; use clamp or refuse "
                    "(the study "
                    "shows blind with firn::sequencer)");
    if (o.ahead_max.count() < 0)
        throw error(errc::bad_policy, "ahead_max must not be negative", o.ahead_max.count());
    return {.rewind = o.rewind,
            .overflow = o.overflow,
            .start = o.start,
            .sequence_bits = o.layout.sequence_bits,
            .ahead_max = o.ahead_max.count() / o.layout.tick_us,
            .seed = o.machine};
}

inline std::shared_ptr<clock> clock_or_system(const std::shared_ptr<clock>& given, const layout& l) {
    return given ? given : std::make_shared<system_clock>(l);
}

}  // namespace detail

template <class Packer>
class basic_generator final : public issuer<Packer> {
  public:
    using options = basic_generator_options<Packer>;

    /// Throws error: bad_layout, machine_out_of_range, bad_policy, epoch_in_future, life_ended,
    /// life_ends_soon, out_of_resources. Cost: one mapping for the first generator of a layout and machine in
    /// this process.
    explicit basic_generator(const options& o)
        : basic_generator(o, detail::checked_policy(o), detail::clock_or_system(o.clock, o.layout)) {}

  private:
    basic_generator(const options& o, const policy& rules, std::shared_ptr<firn::clock> c)
        : issuer<Packer>(Packer{o.layout, o.machine}, rules, o.order, living(o, std::move(c)),
                         o.unsafe_own_cursor ? detail::new_process_words(o.layout)
                                             : detail::process_words(o.layout, o.machine)) {}

    static std::shared_ptr<firn::clock> living(const options& o, std::shared_ptr<firn::clock> c) {
        check_life(o.layout, o.layout.time_of(c->now()), o.min_life);
        return c;
    }
};

using generator = basic_generator<packer>;

/// A generator whose layout is a constant.
template <layout Layout>
using static_generator = basic_generator<fixed_packer<Layout>>;

}  // namespace firn
