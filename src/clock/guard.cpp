#include "src/clock/guard.hpp"

#include <algorithm>

namespace firn::detail {

void guard::count(std::int64_t change) noexcept {
    if (change <= -least_step_ns) {
        counters_.steps_back += 1;
        counters_.largest_step_back_ns = std::max(counters_.largest_step_back_ns, -change);
    } else if (change >= least_step_ns) {
        counters_.steps_forward += 1;
        counters_.largest_step_forward_ns = std::max(counters_.largest_step_forward_ns, change);
    }
}

bool guard::stepped(std::int64_t wall_ns, std::int64_t steady_ns) const noexcept {
    const std::int64_t change = wall_ns - steady_ns - seen_;
    return !begun_ || change <= -least_step_ns || change >= least_step_ns;
}

std::int64_t guard::believe(std::int64_t wall_ns, std::int64_t steady_ns) noexcept {
    const std::int64_t offset = wall_ns - steady_ns;
    if (!begun_) {
        begun_ = true;
        believed_ = seen_ = offset;
        return wall_ns;
    }
    const std::int64_t change = offset - seen_;
    count(change);
    const bool moved = change <= -least_step_ns || change >= least_step_ns;
    const bool leapt = offset - believed_ > options_.forward_max.count();
    if (leapt) {
        const bool doubted = counters_.doubted_ns != 0;
        if (!doubted) counters_.jumps_doubted += 1;
        // Another leap while one is in doubt begins the wait anew: nothing has held yet.
        if (!doubted || moved) doubted_since_ = steady_ns;
        if (accepted_ || steady_ns - doubted_since_ >= options_.believe_after.count()) believed_ = offset;
    } else {
        believed_ = offset;  // a step back, a small step forward, or a leap that was taken back
    }
    accepted_ = false;
    seen_ = offset;
    counters_.doubted_ns = offset - believed_;
    return steady_ns + believed_;
}

}  // namespace firn::detail
