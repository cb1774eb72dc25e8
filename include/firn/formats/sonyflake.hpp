// firn::formats::sonyflake: Sonyflake's generator (39 bits of 10 ms, 8 of sequence, 16 of machine).
//
// What it loses at a restart: its elapsed time and its sequence. Within a process it is safe against a
// rewind: it keeps its own elapsed time while the clock reads less, and counts on. In firn's words that is
// clamp with spin, and it is run here by the same decision as everything else (advance.hpp). A restart during
// a rewind repeats ids. Where this differs from the original: that sleeps inside the call, holding its lock,
// for the time computed once; this answers tick_full and names the instant to wait for, having changed
// nothing. The id that follows is the same unless the clock is stepped meanwhile. Source:
// github.com/sony/sonyflake (version 1), sonyflake.go (NextID, toID, sleepTime).
//
//     firn::formats::sonyflake g{7};
//     auto a = g.next(now);
//     if (a) std::cout << a->value;
//     else if (a.error() == firn::errc::tick_full) wait_until(a.until());
#pragma once

#include <cstdint>

#include "firn/formats/attempt.hpp"
#include "firn/sequencer.hpp"

namespace firn::formats {

namespace detail {

/// What a sequencer answered, with the instant to wait for.
constexpr attempt<id> attempt_of(const outcome<id>& o, const layout& l) noexcept {
    if (o) return *o;
    return {o.error(), o.amount(), o.error() == errc::tick_full ? l.time_of(tick{o.amount()}) : instant{}};
}

}  // namespace detail

class sonyflake {
  public:
    using id_type = id;
    static constexpr generator_facts facts{
        .name = "sonyflake",
        .id_bits = 63,
        .tick_us = 10'000,
        .fresh_random_bits = 0,
        .process_random_bits = 0,
        .on_rewind = "keeps its elapsed time and counts on",
        .lost_at_restart = "elapsed time and sequence: a restart during a rewind repeats ids",
        .pays = "25,600 ids per second and machine, then a sleep under its lock; times in steps of 10 ms",
        .source = "github.com/sony/sonyflake"};

    /// Throws machine_out_of_range past 65535. The original takes the low 16 bits of a private IPv4 address.
    constexpr explicit sonyflake(std::uint64_t machine)
        : sequencer_({.machine = machine,
                      .policy = {.rewind = rewind_policy::clamp, .overflow = overflow_policy::spin}}) {}

    /// Errors: tick_full, before_epoch, exhausted; no state has changed. Threads: none may share it.
    constexpr attempt<id> next(instant now) noexcept {
        return detail::attempt_of(sequencer_.try_next(layouts::sonyflake.tick_of(now)), layouts::sonyflake);
    }

  private:
    basic_sequencer<fixed_packer<layouts::sonyflake>> sequencer_;
};

}  // namespace firn::formats
