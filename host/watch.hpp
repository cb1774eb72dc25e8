// firn::host::watch: looks at the clocks once an interval, and tells a sink of samples and steps.
//
// Clocks, waiting and sink are arguments: tests pass ones that they move by hand.
//
//     firn::host::host_clocks clocks;
//     firn::host::host_pacer pacer;
//     const watch_summary s = firn::host::watch(clocks, pacer, sink, {.for_ns = 60'000'000'000});
#pragma once

#include <cstdint>
#include <optional>

#include "host/clocks.hpp"
#include "host/pacer.hpp"
#include "src/clock/guard.hpp"

namespace firn::host {

struct watch_options {
    std::int64_t interval_ns = 1'000'000'000;  ///< More than 0.
    std::optional<std::int64_t> for_ns{};      ///< Of steady time; empty: until the pacer says stop.
    /// A change of (wall − steady) of this or more, from one reading to the next, is a step.
    std::int64_t step_min_ns = detail::least_step_ns;
    /// What was read last before this watch began, in the same boot: a step since then is told, too.
    std::optional<lab::recorded_sample> before{};
};

/// The wall moved by `by_ns` against steady time, between the reading before and this one.
struct seen_step {
    std::int64_t steady_ns = 0;
    std::int64_t wall_ns = 0;  ///< What it read afterwards.
    std::int64_t by_ns = 0;    ///< Negative: back.
};

class watch_sink {
  public:
    watch_sink() = default;
    watch_sink(const watch_sink&) = delete;
    watch_sink& operator=(const watch_sink&) = delete;
    virtual ~watch_sink() = default;

    /// Told before the sample that showed it.
    virtual void step(const seen_step& s) = 0;
    virtual void sample(const lab::recorded_sample& s) = 0;
    /// False ends the watch: nobody listens any more.
    virtual bool wanted() const { return true; }
};

struct watch_summary {
    std::uint64_t samples = 0;
    std::uint64_t steps = 0;
    std::uint64_t steps_back = 0;
    std::int64_t largest_step_ns = 0;  ///< By size, with its sign.
    std::uint64_t sets = 0;  ///< How often the kernel said that the wall was set, by however little.
    lab::recorded_sample first{};
    lab::recorded_sample last{};
};

/// One sample at once, one every interval (on a grid: a late one does not shift the next; those that a
/// suspended host has missed are left out), one at a step, one at the end. What the sink throws ends it.
/// Threads: one. Cost: nothing while it waits.
watch_summary watch(clocks& of, pacer& pace, watch_sink& to, const watch_options& o);

}  // namespace firn::host
