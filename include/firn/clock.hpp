// firn::clock: where a generator gets its ticks, and what it waits with. system_clock and manual_clock.
//
// A clock belongs to one layout: it counts that layout's ticks since that layout's epoch. The runtime's
// counter_clock (counter_clock.hpp) is faster and guards against a clock that leaps; this file needs no
// library.
//
//     auto c = std::make_shared<firn::manual_clock>(firn::tick{1000});
//     firn::generator g{{.machine = 7, .clock = c}};
//     c->set(firn::tick{999});                               // a rewind, without touching the host's clock
#pragma once

#include <time.h>

#include <atomic>
#include <chrono>
#include <cstdint>

#include "firn/counter.hpp"
#include "firn/layout.hpp"
#include "firn/slot.hpp"

namespace firn {

class clock {
  public:
    clock() = default;
    clock(const clock&) = delete;
    clock& operator=(const clock&) = delete;
    virtual ~clock() = default;

    /// The tick that the wall reads. Negative before the epoch. Threads: any. Cost: with a clock that caches
    /// its tick, one counter read and two loads; otherwise read().
    tick now() noexcept {
        // `begin_` is read before the other two, and written after them (release, acquire): whoever sees a
        // begin sees the tick that belongs to it, or a later reading of the wall. The difference is unsigned,
        // so that a counter that was reset (by a suspension) is past every end, and not before it for ages.
        const std::uint64_t begin = begin_.load(std::memory_order_acquire);
        if (begin != 0 && read_counter() - begin < length_.load(std::memory_order_relaxed)) [[likely]]
            return tick{cached_.load(std::memory_order_relaxed)};
        return read();
    }

    /// The same, and for how long it holds: while the CPU's counter reads less than `length` counts past
    /// `begin`. A reading that holds for no time (length 0) is as good, but has to be asked for again.
    /// Threads, cost: as now().
    struct reading {
        tick at;
        std::uint64_t begin = 0;
        std::uint64_t length = 0;
    };
    reading look() noexcept {
        const std::uint64_t begin = begin_.load(std::memory_order_acquire);
        const std::uint64_t length = length_.load(std::memory_order_relaxed);
        if (begin != 0 && read_counter() - begin < length)
            return {.at = tick{cached_.load(std::memory_order_relaxed)}, .begin = begin, .length = length};
        return {.at = read()};
    }

    /// Sleeps until the wall is expected to read `target`, but at most `limit`. Returns how long it slept, by
    /// the clock's own time. It may return early; the caller asks again. Never sleeps when the target has
    /// passed.
    virtual std::chrono::nanoseconds sleep_towards(tick target, std::chrono::nanoseconds limit) noexcept = 0;

  protected:
    /// Reads the wall. May call cache(). Threads: any.
    virtual tick read() noexcept = 0;

    /// Lets now() answer `t` for `length` counts of the CPU's counter from `begin` on. One thread at a time.
    void cache(tick t, std::uint64_t begin, std::uint64_t length) noexcept {
        cached_.store(t.count, std::memory_order_relaxed);
        length_.store(length, std::memory_order_relaxed);
        begin_.store(begin, std::memory_order_release);
    }

  private:
    std::atomic<std::uint64_t> begin_{0};
    std::atomic<std::uint64_t> length_{0};
    std::atomic<std::int64_t> cached_{0};
};

namespace detail {

inline std::int64_t clock_ns(clockid_t which) noexcept {
    timespec t{};
    ::clock_gettime(which, &t);
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

/// Sleeps for `span` of monotonic time (a step of the wall does not lengthen it); returns what passed.
inline std::chrono::nanoseconds sleep_for(std::chrono::nanoseconds span) noexcept {
    const std::int64_t before = clock_ns(CLOCK_MONOTONIC);
    if (span.count() > 0) {
        timespec request{};
        request.tv_sec = static_cast<time_t>(span.count() / 1'000'000'000);
        request.tv_nsec = static_cast<long>(span.count() % 1'000'000'000);
        ::nanosleep(&request, nullptr);  // A signal ends it early, which the contract allows.
    }
    return std::chrono::nanoseconds{clock_ns(CLOCK_MONOTONIC) - before};
}

/// How long until a wall that reads `wall_ns` (Unix) reads the begin of `target`; 0 when it has passed.
/// Saturates at about a century.
inline std::chrono::nanoseconds until_tick(const layout& l, tick target, std::int64_t wall_ns) noexcept {
    constexpr std::int64_t century_us = 3'155'760'000'000'000;
    const std::int64_t begin_us = l.time_of(target).time_since_epoch().count();
    const std::int64_t left_us = begin_us - wall_ns / 1000;  // rounds up: never early by a fraction
    if (left_us <= 0) return std::chrono::nanoseconds{0};
    return std::chrono::microseconds{left_us < century_us ? left_us : century_us};
}

}  // namespace detail

/// Reads CLOCK_REALTIME through the vDSO at every call.
class system_clock final : public clock {
  public:
    explicit system_clock(const layout& l) : layout_(make_layout(l)) {}

    /// The wall in Unix time.
    static instant wall() noexcept {
        return instant{std::chrono::microseconds{detail::clock_ns(CLOCK_REALTIME) / 1000}};
    }

    std::chrono::nanoseconds sleep_towards(tick target, std::chrono::nanoseconds limit) noexcept override {
        const auto left = detail::until_tick(layout_, target, detail::clock_ns(CLOCK_REALTIME));
        return left.count() > 0 ? detail::sleep_for(left < limit ? left : limit) : left;
    }

  protected:
    tick read() noexcept override { return layout_.tick_of(wall()); }

  private:
    layout layout_;
};

/// A clock that reads what it is told. Waiting moves it to the tick waited for, so no test has to sleep; one
/// that is frozen stays where it is, and only its waiting time passes.
class manual_clock final : public clock {
  public:
    explicit manual_clock(tick start = {},
                          std::chrono::nanoseconds tick_length = std::chrono::milliseconds{1})
        : now_(start.count), tick_length_(tick_length) {}

    void set(tick t) noexcept { now_.store(t.count, std::memory_order_relaxed); }
    void freeze(bool frozen) noexcept { frozen_.store(frozen, std::memory_order_relaxed); }

    std::chrono::nanoseconds sleep_towards(tick target, std::chrono::nanoseconds limit) noexcept override {
        std::int64_t seen = now_.load(std::memory_order_relaxed);
        const std::int64_t left = target.count - seen;
        if (left <= 0) return std::chrono::nanoseconds{0};
        const std::int64_t within = limit / tick_length_;
        const std::int64_t ticks = left < within ? left : within;
        // Two threads that wait for one tick move the clock there once.
        if (!frozen_.load(std::memory_order_relaxed))
            now_.compare_exchange_strong(seen, seen + ticks, std::memory_order_relaxed);
        return left < within ? tick_length_ * ticks : limit;
    }

  protected:
    tick read() noexcept override { return tick{now_.load(std::memory_order_relaxed)}; }

  private:
    std::atomic<std::int64_t> now_;
    std::atomic<bool> frozen_{false};
    std::chrono::nanoseconds tick_length_;
};

}  // namespace firn
