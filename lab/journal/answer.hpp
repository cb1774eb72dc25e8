// lab::expected_answer: what a journal should answer, by the slow and obvious model. The checker's own
// opinion.
//
// For policies that keep the cursor from going back (clamp, refuse); of a sequence start other than zero it
// knows the tick only.
//
//     lab::answer e = lab::expected_answer({.cursor = 5, .ceiling = 12, .now = 1, …});
#pragma once

#include <algorithm>
#include <cstdint>

#include "firn/error.hpp"
#include "firn/policy.hpp"

namespace firn::lab {

struct answer {
    errc code = errc::ok;
    std::int64_t amount = 0;  ///< Of the refusal.
    std::int64_t first = 0;   ///< Otherwise the slot.
};

struct question {
    std::int64_t cursor = -1;
    std::int64_t ceiling = 0;
    std::int64_t now = 0;
    std::int64_t end_tick = 0;
};

inline answer expected_answer(const question& q, const policy& p) noexcept {
    const std::int64_t per_tick = std::int64_t{1} << p.sequence_bits;
    const std::int64_t spent = q.cursor < 0 ? -1 : q.cursor / per_tick;
    if (q.now < spent && spent >= 0 && p.rewind == rewind_policy::refuse)
        return {.code = errc::clock_rewound, .amount = spent - q.now};
    std::int64_t at = q.now < spent ? spent : q.now;
    if (at < 0) return {.code = errc::before_epoch, .amount = -q.now};
    std::int64_t first = at * per_tick;
    if (at == spent) {
        first = q.cursor + 1;
        const bool full = first % per_tick == 0;
        // Where an id of this tick would still be near enough to the wall, its end is worth waiting for.
        if (full && p.overflow == overflow_policy::spin && at - q.now <= p.ahead_max)
            return {.code = errc::tick_full, .amount = spent + 1};
        if (full) at += 1;
    }
    if (at - q.now > p.ahead_max) return {.code = errc::ahead_limit, .amount = at - q.now};
    if (at >= q.end_tick) return {.code = errc::exhausted, .amount = at - q.end_tick + 1};
    if (first >= q.ceiling) return {.code = errc::ceiling_reached, .amount = first - q.ceiling + 1};
    return {.first = first};
}

}  // namespace firn::lab
