// firn::formats::discord: a generator of Discord's snowflakes, as far as they are published.
//
// What it loses at a restart: the increment, which is all it remembers of the past. Published is the layout
// and that "for every ID that is generated on that process, this number is incremented"; not published is
// what happens when the clock steps back or when 4096 ids are asked for in a millisecond. This model believes
// the clock (blind, in firn's words), never resets the increment (free-running), and waits when a millisecond
// is spent. That duplicates are absent after a rewind is then a matter of phase: see the study, "One line".
// Source: Discord developer documentation, Reference, "Snowflakes",
// https://discord.com/developers/docs/reference.
//
//     firn::formats::discord g{{.worker = 1, .process = 0}};
//     auto a = g.next(now);
//     if (a) std::cout << a->value;
#pragma once

#include <cstdint>

#include "firn/formats/attempt.hpp"
#include "firn/formats/sonyflake.hpp"
#include "firn/sequencer.hpp"

namespace firn::formats {

class discord {
  public:
    struct options {
        std::uint32_t worker = 0;   ///< 0 to 31
        std::uint32_t process = 0;  ///< 0 to 31
    };

    using id_type = id;
    static constexpr generator_facts facts{
        .name = "discord",
        .id_bits = 64,
        .tick_us = 1000,
        .fresh_random_bits = 0,
        .process_random_bits = 0,
        .on_rewind = "not published; modelled as believing the wall with an increment that is never reset",
        .lost_at_restart = "the increment: a restart during a rewind repeats ids when the two are in phase",
        .pays = "4,096,000 ids per second and process; worker and process numbers to hand out",
        .source = "Discord developer documentation, Reference, Snowflakes"};

    /// Throws machine_out_of_range when a number does not fit into its 5 bits.
    constexpr explicit discord(options o)
        : sequencer_({.machine = machine_of(o),
                      .policy = {.rewind = rewind_policy::unsafe_blind,
                                 .overflow = overflow_policy::spin,
                                 .variant = decision_variant::free_running}}) {}

    /// Errors: tick_full, before_epoch, exhausted; no state has changed. Threads: none may share it.
    constexpr attempt<id> next(instant now) noexcept {
        return detail::attempt_of(sequencer_.try_next(layouts::discord.tick_of(now)), layouts::discord);
    }

  private:
    static constexpr std::uint64_t machine_of(options o) {
        if (o.worker > 31)
            throw error(errc::machine_out_of_range, "discord: worker must be from 0 to 31", o.worker);
        if (o.process > 31)
            throw error(errc::machine_out_of_range, "discord: process must be from 0 to 31", o.process);
        return std::uint64_t{o.worker} << 5 | o.process;
    }

    basic_sequencer<fixed_packer<layouts::discord>> sequencer_;
};

}  // namespace firn::formats
