#include "firn/counter_clock.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "firn/detail/fork_epoch.hpp"
#include "src/clock/guard.hpp"

namespace firn {

namespace {

/// A lock that a forked child does not inherit locked: who has it is told by its process's fork epoch.
class fork_lock {
  public:
    bool try_lock() noexcept {
        const std::uint64_t mine = detail::process_fork_epoch.current();
        std::uint64_t holder = holder_.load(std::memory_order_relaxed);
        return holder != mine && holder_.compare_exchange_strong(holder, mine, std::memory_order_acquire);
    }
    void lock() noexcept {
        while (!try_lock()) std::this_thread::yield();
    }
    void unlock() noexcept { holder_.store(0, std::memory_order_release); }

  private:
    std::atomic<std::uint64_t> holder_{0};
};

constexpr std::int64_t longest_cache_ns = 100'000'000;

class host_time final : public time_source {
  public:
    std::int64_t wall_ns() noexcept override { return detail::clock_ns(CLOCK_REALTIME); }
    std::int64_t steady_ns() noexcept override { return detail::clock_ns(CLOCK_BOOTTIME); }
};

/// How many counts the CPU's counter makes in a nanosecond, measured against the steady clock. One for the
/// process: the longer it has run, the better it is.
class counter_rate {
  public:
    static counter_rate& instance() noexcept {
        static counter_rate the_one;
        return the_one;
    }

    /// Counts per nanosecond, or 0 while too little time has passed to tell.
    double per_ns(std::int64_t steady_ns, std::uint64_t counter) const noexcept {
        const std::int64_t passed = steady_ns - steady_begin_;
        // A millisecond apart, the two readings' noise of some 100 ns is a ten-thousandth, and as much of a
        // tick is off.
        if (passed < 1'000'000 || counter <= counter_begin_) return 0;
        return static_cast<double>(counter - counter_begin_) / static_cast<double>(passed);
    }

  private:
    counter_rate() noexcept
        : steady_begin_(detail::clock_ns(CLOCK_BOOTTIME)), counter_begin_(read_counter()) {}

    std::int64_t steady_begin_;
    std::uint64_t counter_begin_;
};

}  // namespace

bool counter_is_invariant() noexcept {
    if (!has_counter) return false;
#if defined(__x86_64__)
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(0x80000007U, &a, &b, &c, &d) == 0 || (d & (1U << 8)) == 0) return false;
#endif
    // A kernel that has found the counter wanting keeps time by something else.
    std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    std::string source;
    if (!(file >> source)) return true;
    constexpr std::array<const char*, 4> by_counter{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
                                                    "arch_sys_counter"};
    return std::any_of(by_counter.begin(), by_counter.end(), [&](const char* s) { return source == s; });
}

struct counter_clock::state {
    state(const layout& l, const options& o)
        : of(make_layout(l)),
          source(o.source ? o.source : std::make_shared<host_time>()),
          guard(o.guard),
          counting(o.use_counter && !o.source && counter_is_invariant()) {
        counter_rate::instance();
    }

    layout of;
    std::shared_ptr<time_source> source;
    fork_lock lock;  // taken once a tick, by the thread that finds it over; never on the cached path
    detail::guard guard;
    bool counting;
    std::atomic<std::int64_t> last_tick{0};
    std::atomic<std::int64_t> doubted_ns{0};

    struct reading {
        std::uint64_t counter;
        std::int64_t steady;
        std::int64_t wall;
    };

    reading read_once() noexcept {
        // The counter first: a tick that is cached from here on ends early rather than late.
        const std::uint64_t counter = read_counter();
        const std::int64_t steady = source->steady_ns();
        return {.counter = counter, .steady = steady, .wall = source->wall_ns()};
    }

    /// A thread that loses the CPU between the two clocks sees a step where there is none. So what looks like
    /// one is read again, until the clocks were read close to each other.
    reading read() noexcept {
        constexpr int patience = 16;
        constexpr std::int64_t close_ns = 100'000;
        reading r = read_once();
        for (int i = 0; i < patience && guard.stepped(r.wall, r.steady); ++i) {
            r = read_once();
            if (source->steady_ns() - r.steady < close_ns) break;
        }
        return r;
    }
};

counter_clock::counter_clock(const layout& l) : counter_clock(l, options{}) {}
counter_clock::counter_clock(const layout& l, const options& o) : state_(std::make_unique<state>(l, o)) {
    now();
}
counter_clock::~counter_clock() = default;

tick counter_clock::read() noexcept {
    state& s = *state_;
    // Others need not wait for the one that reads: the tick that was just over is as true for them as a
    // moment ago. So the lock is only tried, and a thread that is stopped in here holds up nobody.
    const std::unique_lock alone(s.lock, std::try_to_lock);
    if (!alone) return tick{s.last_tick.load(std::memory_order_relaxed)};

    const state::reading seen = s.read();
    const std::int64_t believed = s.guard.believe(seen.wall, seen.steady);
    const std::int64_t believed_us = believed / 1000 - (believed % 1000 < 0 ? 1 : 0);
    const tick t = s.of.tick_of(instant{std::chrono::microseconds{believed_us}});
    s.last_tick.store(t.count, std::memory_order_relaxed);
    s.doubted_ns.store(s.guard.counters().doubted_ns, std::memory_order_relaxed);
    if (s.counting) {
        const double per_ns = counter_rate::instance().per_ns(seen.steady, seen.counter);
        // A long tick is not kept to its end: the rate is only so exact, and a step of the wall is to be
        // seen.
        const std::int64_t left_ns =
            std::min(longest_cache_ns, detail::until_tick(s.of, tick{t.count + 1}, believed).count());
        if (per_ns > 0)
            cache(t, seen.counter, static_cast<std::uint64_t>(static_cast<double>(left_ns) * per_ns));
    }
    return t;
}

void counter_clock::accept() noexcept {
    const std::lock_guard alone(state_->lock);
    state_->guard.accept();
}

clock_counters counter_clock::counters() const noexcept {
    const std::lock_guard alone(state_->lock);
    return state_->guard.counters();
}

bool counter_clock::counting() const noexcept {
    return state_->counting;
}

std::chrono::nanoseconds counter_clock::sleep_towards(tick target, std::chrono::nanoseconds limit) noexcept {
    const std::int64_t here = now().count;
    if (here >= target.count) return std::chrono::nanoseconds{0};
    state& s = *state_;
    const std::int64_t wall = s.source->wall_ns() - s.doubted_ns.load(std::memory_order_relaxed);
    const auto left = detail::until_tick(s.of, target, wall);
    return left.count() > 0 ? detail::sleep_for(std::min(left, limit)) : left;
}

}  // namespace firn
