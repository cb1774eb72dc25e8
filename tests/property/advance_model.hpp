// The decision as the study tells it: slow, obvious, two variables. What advance() is compared with.
//
// Nothing here is shared with include/firn but the names of the policies. Tick and sequence are kept apart,
// arithmetic is in 128 bits so that no input needs care, and a batch is told one id at a time.
#pragma once

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "firn/policy.hpp"

namespace firn::model {

__extension__ using wide = __int128;

/// What the generator remembers: the last tick used (-1: none) and the sequence number spent in it.
struct state {
    wide last = -1;
    wide seq = 0;
    /// Free-running only: how many ids the tick has had. It is spent after 2^sequence_bits of them.
    wide in_tick = 0;
};

enum class answer { issued, rewound, ahead, before_epoch, exhausted, wait };

struct reply {
    answer what = answer::issued;
    wide amount = 0;                             // as documented beside the kinds of firn::decision
    std::vector<std::pair<wide, wide>> slots{};  // (tick, sequence) of each id
    state after{};
};

/// Where the sequence begins in the fresh tick; the random one is given, since it has no simpler definition.
inline wide start(const policy& p, const state& s, wide random) {
    const wide spread = wide{1} << (p.spread_bits < p.sequence_bits ? p.spread_bits : p.sequence_bits);
    switch (p.start) {
        case sequence_start::zero:
            return 0;
        case sequence_start::rolling:
            return s.last < 0 ? 0 : (s.seq + 1) % spread;
        case sequence_start::random:
            return random;
    }
    return 0;
}

/// Whether an id of tick `at` would lie too far past the wall. The largest bound that there is means none.
inline bool too_far(wide at, wide now, const policy& p) {
    return p.ahead_max != std::numeric_limits<std::int64_t>::max() && at - now > p.ahead_max;
}

/// The study's steps 1 to 3, for one id.
inline reply ask(const state& before, wide now, const policy& p, wide random) {
    const wide size = wide{1} << p.sequence_bits;
    const wide end = (wide{1} << 63) / size - 1;  // the tick that no slot has
    const bool free_running = p.variant == decision_variant::free_running;
    state s = before;

    // 1. A rewind.
    wide time = now;
    const bool behind = p.variant == decision_variant::inclusive ? now <= s.last : now < s.last;
    if (behind && s.last >= 0) {
        if (p.rewind == rewind_policy::refuse)
            return {.what = answer::rewound, .amount = s.last - now, .after = before};
        if (p.rewind == rewind_policy::clamp) time = s.last;
    }
    if (time < 0) return {.what = answer::before_epoch, .amount = -now, .after = before};

    if (time == s.last) {
        // 2. The sequence is incremented; when it wraps, the tick is spent.
        const bool spent = free_running ? s.in_tick == size : s.seq + 1 == size;
        s.seq = (s.seq + 1) % size;
        s.in_tick += 1;
        if (spent) {
            // Waiting is no way out when it is for longer than an id may lie ahead.
            if (p.overflow == overflow_policy::spin && !too_far(s.last, now, p))
                return {.what = answer::wait, .amount = s.last + 1, .after = before};
            s.last += 1;
            s.in_tick = 1;
        }
    } else {
        // 3. A fresh tick.
        s.seq = free_running ? (s.last < 0 ? 0 : (s.seq + 1) % size) : start(p, s, random);
        s.last = time;
        s.in_tick = 1;
    }
    if (s.last >= end) return {.what = answer::exhausted, .amount = s.last - end + 1, .after = before};
    if (too_far(s.last, now, p)) return {.what = answer::ahead, .amount = s.last - now, .after = before};
    return {.what = answer::issued, .amount = 0, .slots = {{s.last, s.seq}}, .after = s};
}

/// A batch: the first id as above, then the numbers that follow it, while they may be handed out.
inline reply ask(const state& before, wide now, const policy& p, wide random, std::uint32_t want) {
    reply r = ask(before, now, p, random);
    if (r.what != answer::issued || p.variant == decision_variant::free_running) return r;
    const wide size = wide{1} << p.sequence_bits;
    const wide end = (wide{1} << 63) / size - 1;
    while (r.slots.size() < want) {
        auto [tick, seq] = r.slots.back();
        seq += 1;
        if (seq == size) {
            if (p.overflow == overflow_policy::spin) break;
            tick += 1;
            seq = 0;
        }
        if (too_far(tick, now, p) || tick >= end) break;
        r.slots.emplace_back(tick, seq);
    }
    r.after.last = r.slots.back().first;
    r.after.seq = r.slots.back().second;
    return r;
}

}  // namespace firn::model
