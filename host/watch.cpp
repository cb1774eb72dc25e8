#include "host/watch.hpp"

#include <algorithm>
#include <limits>

namespace firn::host {

namespace {

std::int64_t size_of(std::int64_t ns) {
    return ns < 0 ? -ns : ns;
}

class watcher {
  public:
    watcher(watch_sink& to, const watch_options& o) : to_(to), options_(o), before_(o.before) {}

    /// Tells what was read. Unless `always`, only when it shows a step.
    void take(const lab::recorded_sample& s, bool always) {
        // A steady clock that goes back is another one: a snapshot put back, a time namespace.
        const bool comparable = before_ && before_->steady_ns <= s.steady_ns;
        const std::int64_t change =
            comparable ? (s.wall_ns - s.steady_ns) - (before_->wall_ns - before_->steady_ns) : 0;
        const bool stepped = size_of(change) >= options_.step_min_ns;
        if (!stepped && !always) return;
        if (stepped) {
            ++summary.steps;
            if (change < 0) ++summary.steps_back;
            if (size_of(change) > size_of(summary.largest_step_ns)) summary.largest_step_ns = change;
            to_.step({.steady_ns = s.steady_ns, .wall_ns = s.wall_ns, .by_ns = change});
        }
        if (summary.samples++ == 0) summary.first = s;
        summary.last = s;
        before_ = s;
        to_.sample(s);
    }

    watch_summary summary;

  private:
    watch_sink& to_;
    const watch_options& options_;
    std::optional<lab::recorded_sample> before_;
};

}  // namespace

watch_summary watch(clocks& of, pacer& pace, watch_sink& to, const watch_options& o) {
    watcher w{to, o};
    w.take(of.read(), true);
    const std::int64_t begin = w.summary.first.steady_ns;
    const std::int64_t end = o.for_ns ? begin + *o.for_ns : std::numeric_limits<std::int64_t>::max();
    std::int64_t next = begin + o.interval_ns;
    while (to.wanted() && w.summary.last.steady_ns < end) {
        const wake why = pace.wait_until(std::min(next, end));
        const lab::recorded_sample s = of.read();
        if (why == wake::clock_set) ++w.summary.sets;
        w.take(s, why != wake::clock_set);
        if (why == wake::stop) break;
        if (s.steady_ns >= next) next += o.interval_ns * (1 + (s.steady_ns - next) / o.interval_ns);
    }
    return w.summary;
}

}  // namespace firn::host
