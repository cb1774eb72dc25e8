// lab::scenario: everything that happens in one run, as plain data. The defaults are the headline trace.
//
// One machine: a stream of requests, the wall that its process reads, a supervisor that replaces the process,
// and what a new one starts with. Text forms of each value, with their names, are in parameters.hpp.
//
//     lab::scenario s;                                      // the headline trace, clamp and spin
//     s.rules.rewind = firn::rewind_policy::refuse;
//     s.probe = 10;
//     lab::verdict v = lab::run(s);                         // run.hpp
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firn/layout.hpp"
#include "firn/policy.hpp"
#include "lab/start_rule.hpp"
#include "lab/wall.hpp"

namespace firn::lab {

/// Requests per millisecond as a fraction, so that 0.1 is a tenth.
struct request_rate {
    std::int64_t requests = 8;
    std::int64_t per_ms = 1;

    friend bool operator==(const request_rate&, const request_rate&) noexcept = default;
};

enum class arrival_kind : std::uint8_t {
    even,   ///< The i-th at floor(i / rate).
    random  ///< As many, each at an instant of its own: uniform over the duration.
};

struct scenario {
    firn::layout layout{};
    std::uint64_t machine = 7;
    firn::policy rules{.overflow = overflow_policy::spin};

    request_rate rate{};
    std::int64_t duration_ns = 200 * ns_per_ms;
    arrival_kind arrivals = arrival_kind::even;
    std::uint64_t seed = 1;

    std::int64_t step_at_ns = 100 * ns_per_ms;
    std::int64_t rewind_ns = 50 * ns_per_ms;
    std::vector<clock_event> clock;  ///< Beside the step above; they add up.

    std::uint64_t probe = 0;               ///< Failures in a row that replace the process; 0: no probe.
    std::vector<std::int64_t> deploys_ns;  ///< Each replaces it before the first request from then on.
    std::vector<std::int64_t> kills_ns;    ///< Each ends it at once, a request that waits included.
    start_rule start = start_rule::amnesia;
    std::int64_t window_ms = 3000;  ///< How far past the cursor and the wall a journal's reservation reaches.

    bool count_inversions = false;  ///< Needs memory for every id.

    /// How many requests are offered: floor(rate × duration).
    std::int64_t offered() const {
        return static_cast<std::int64_t>(int128{rate.requests} * duration_ns /
                                         (int128{rate.per_ms} * ns_per_ms));
    }
    /// Every event of the wall, the step included.
    std::vector<clock_event> clock_events() const {
        std::vector<clock_event> events = clock;
        if (rewind_ns != 0) events.push_back({.at_ns = step_at_ns, .by_ns = -rewind_ns});
        return events;
    }
};

}  // namespace firn::lab
