// The guard and the clock around it, on clocks that read what they are told. No test sleeps.
#include "src/clock/guard.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>

#include "firn/counter_clock.hpp"
#include "firn/generator.hpp"
#include "firn/layouts.hpp"
#include "tests/support/fake_time.hpp"

namespace firn {
namespace {

using namespace std::chrono_literals;

/// A wall that the guard looks at once a call.
struct watched_wall {
    explicit watched_wall(guard_options o = {}) : guard(o) { look(); }

    std::int64_t look() { return guard.believe(host.wall_ns(), host.steady_ns()); }
    /// How far the wall is from what is believed.
    std::int64_t doubt() { return host.wall_ns() - look(); }
    const clock_counters& seen() const { return guard.counters(); }

    fake_time host;
    detail::guard guard;
};

constexpr std::int64_t ns(std::chrono::nanoseconds t) {
    return t.count();
}

TEST(Guard, BelievesAClockThatJustGoes) {
    watched_wall w;
    for (int i = 0; i < 1000; ++i) {
        w.host.pass(1ms);
        EXPECT_EQ(w.doubt(), 0);
    }
    EXPECT_EQ(w.seen().steps_back + w.seen().steps_forward + w.seen().jumps_doubted, 0U);
}

TEST(Guard, CountsStepsAndFollowsThem) {
    watched_wall w;
    w.host.step(-50ms);
    EXPECT_EQ(w.doubt(), 0);
    w.host.step(-2s);
    EXPECT_EQ(w.doubt(), 0);
    w.host.step(3s);
    EXPECT_EQ(w.doubt(), 0);
    w.host.step(1ms);
    EXPECT_EQ(w.doubt(), 0);
    EXPECT_EQ(w.seen().steps_back, 2U);
    EXPECT_EQ(w.seen().largest_step_back_ns, ns(2s));
    EXPECT_EQ(w.seen().steps_forward, 2U);
    EXPECT_EQ(w.seen().largest_step_forward_ns, ns(3s));
    EXPECT_EQ(w.seen().jumps_doubted, 0U);
}

TEST(Guard, BelowHalfAMillisecondIsFollowedAndNotCounted) {
    watched_wall w;
    w.host.step(-400us);
    EXPECT_EQ(w.doubt(), 0);
    w.host.step(400us);
    EXPECT_EQ(w.doubt(), 0);
    EXPECT_EQ(w.seen().steps_back + w.seen().steps_forward, 0U);
}

TEST(Guard, FiveSecondsAreBelievedAndOneMoreTickIsNot) {
    watched_wall at_bound;
    at_bound.host.step(5s);
    EXPECT_EQ(at_bound.doubt(), 0);

    watched_wall past_bound;
    past_bound.host.step(5s + 1ms);
    EXPECT_EQ(past_bound.doubt(), ns(5s + 1ms));
    EXPECT_EQ(past_bound.seen().jumps_doubted, 1U);
    EXPECT_EQ(past_bound.seen().doubted_ns, ns(5s + 1ms));
}

TEST(Guard, ALeapIsBelievedWhenItHasHeldForAMinute) {
    watched_wall w;
    w.host.step(1h);
    for (int second = 0; second < 60; ++second) {
        EXPECT_EQ(w.doubt(), ns(1h)) << second;
        w.host.pass(1s);
    }
    EXPECT_EQ(w.doubt(), 0);
    EXPECT_EQ(w.seen().jumps_doubted, 1U);
    EXPECT_EQ(w.seen().doubted_ns, 0);
}

TEST(Guard, ASecondLeapBeginsTheWaitAnew) {
    watched_wall w;
    w.host.step(1h);
    EXPECT_NE(w.doubt(), 0);
    w.host.pass(50s);
    w.host.step(1h);
    EXPECT_EQ(w.doubt(), ns(2h));
    w.host.pass(50s);
    EXPECT_EQ(w.doubt(), ns(2h));
    w.host.pass(10s);
    EXPECT_EQ(w.doubt(), 0);
    EXPECT_EQ(w.seen().jumps_doubted, 1U);
}

TEST(Guard, ALeapIsBelievedWhenSomeoneAcceptsIt) {
    watched_wall w;
    w.host.step(1h);
    EXPECT_EQ(w.doubt(), ns(1h));
    w.guard.accept();
    EXPECT_EQ(w.doubt(), 0);
    // … this one, and not every later one.
    w.host.step(1h);
    EXPECT_EQ(w.doubt(), ns(1h));
}

TEST(Guard, ALeapTakenBackLeavesNothingBehind) {
    watched_wall w;
    w.host.step(24h * 400);
    EXPECT_EQ(w.doubt(), ns(24h * 400));
    w.host.pass(10s);
    EXPECT_EQ(w.doubt(), ns(24h * 400));
    w.host.step(-24h * 400);
    EXPECT_EQ(w.doubt(), 0);
    EXPECT_EQ(w.seen().doubted_ns, 0);
    // The minute of an earlier leap does not count for a later one.
    w.host.pass(55s);
    w.host.step(1h);
    EXPECT_EQ(w.doubt(), ns(1h));
    w.host.pass(59s);
    EXPECT_EQ(w.doubt(), ns(1h));
    w.host.pass(1s);
    EXPECT_EQ(w.doubt(), 0);
    EXPECT_EQ(w.seen().jumps_doubted, 2U);
}

TEST(Guard, TimeGoesOnWhileALeapIsDoubted) {
    watched_wall w;
    const std::int64_t before = w.look();
    w.host.step(1h);
    for (int i = 1; i <= 100; ++i) {
        w.host.pass(10ms);
        EXPECT_EQ(w.look(), before + i * ns(10ms));
    }
}

TEST(Guard, ItsBoundsAreOptions) {
    watched_wall w({.forward_max = 100ms, .believe_after = 2s});
    w.host.step(101ms);
    EXPECT_EQ(w.doubt(), ns(101ms));
    w.host.pass(2s);
    EXPECT_EQ(w.doubt(), 0);
}

TEST(Guard, ALeapSecondIsARewindLikeAnyOther) {
    // 2016-12-31T23:59:60Z: the Unix time of the second before it comes twice.
    watched_wall w;
    std::int64_t highest = 0;
    for (int ms = 0; ms < 3000; ++ms) {
        if (ms == 1000) w.host.step(-1s);
        highest = std::max(highest, w.look());
        w.host.pass(1ms);
    }
    EXPECT_EQ(w.seen().steps_back, 1U);
    EXPECT_EQ(w.seen().largest_step_back_ns, ns(1s));
    EXPECT_EQ(w.seen().steps_forward, 0U);
}

// ---- the clock around it

struct clock_on_fake_time {
    explicit clock_on_fake_time(const layout& l = layouts::twitter, std::int64_t wall_ms = 1'700'000'000'000)
        : host(std::make_shared<fake_time>(wall_ms)),
          clock(std::make_shared<counter_clock>(l, counter_clock::options{.source = host})) {}

    std::shared_ptr<fake_time> host;
    std::shared_ptr<counter_clock> clock;
};

TEST(CounterClock, ReadsTheWallInTicksOfTheLayout) {
    clock_on_fake_time t(layouts::twitter, layouts::twitter.epoch_ms + 1000);
    EXPECT_FALSE(t.clock->counting());
    EXPECT_EQ(t.clock->now(), tick{1000});
    t.host->pass(999us);
    EXPECT_EQ(t.clock->now(), tick{1000});
    t.host->pass(1us);
    EXPECT_EQ(t.clock->now(), tick{1001});
    t.host->step(-2s);
    EXPECT_EQ(t.clock->now(), tick{-999});
    EXPECT_EQ(t.clock->counters().steps_back, 1U);
}

TEST(CounterClock, ALostCpuIsNoStep) {
    clock_on_fake_time t;
    for (int i = 0; i < 100; ++i) {
        t.host->pass(1ms);
        t.host->lose_cpu(20ms);
        t.clock->now();
    }
    EXPECT_EQ(t.clock->counters().steps_back, 0U);
    EXPECT_EQ(t.clock->counters().steps_forward, 0U);
}

TEST(CounterClock, AcceptsALeapWhenTold) {
    clock_on_fake_time t;
    const tick before = t.clock->now();
    t.host->step(1h);
    EXPECT_EQ(t.clock->now(), before);
    EXPECT_EQ(t.clock->counters().doubted_ns, ns(1h));
    t.clock->accept();
    EXPECT_EQ(t.clock->now(), tick{before.count + 3'600'000});
    EXPECT_EQ(t.clock->counters().doubted_ns, 0);
}

TEST(CounterClock, DoesNotSleepForATickThatIsOver) {
    clock_on_fake_time t;
    EXPECT_EQ(t.clock->sleep_towards(t.clock->now(), 1h).count(), 0);
}

// cases.md, 6: t, t + 400 days, t. The leap is not believed, and service goes on at once.
TEST(CounterClock, OneBadAnswerFromNtpPoisonsNothing) {
    clock_on_fake_time t;
    generator ids({.layout = layouts::twitter, .machine = 7, .clock = t.clock, .unsafe_own_cursor = true});
    std::set<id> seen;
    const auto issue = [&] {
        for (int i = 0; i < 100; ++i) {
            const outcome<id> r = ids.try_next();
            ASSERT_TRUE(r);
            ASSERT_TRUE(seen.insert(*r).second);
        }
    };
    issue();
    t.host->pass(10ms);
    t.host->step(24h * 400);
    issue();
    t.host->pass(10ms);
    t.host->step(-24h * 400);
    issue();
    const std::int64_t wall_ms = t.host->wall_ns() / 1'000'000;
    const auto last = layouts::twitter.time_of(*seen.rbegin()).time_since_epoch().count() / 1000;
    EXPECT_LE(last, wall_ms);
    EXPECT_GE(last, wall_ms - 20);
    EXPECT_EQ(ids.ahead(), 0);
    EXPECT_EQ(t.clock->counters().jumps_doubted, 1U);
}

// cases.md, 7: a leap second repeats a second; ids stay unique, and are hardly ahead.
TEST(CounterClock, LeapSecondRepeatsASecondAndNoId) {
    clock_on_fake_time t(layouts::twitter, 1'483'228'799'000);
    generator ids({.layout = layouts::twitter, .machine = 7, .clock = t.clock, .unsafe_own_cursor = true});
    std::set<id> seen;
    std::int64_t most_ahead = 0;
    for (int ms = 0; ms < 2500; ++ms) {
        if (ms == 1000) t.host->step(-1s);
        for (int i = 0; i < 10; ++i) EXPECT_TRUE(seen.insert(ids.try_next().value()).second);
        most_ahead = std::max(most_ahead, ids.ahead());
        t.host->pass(1ms);
    }
    EXPECT_EQ(seen.size(), 25'000U);
    EXPECT_EQ(t.clock->counters().steps_back, 1U);
    EXPECT_LE(most_ahead, 1002);
}

// On this host: the counter's ticks are the wall's. Repeated, since a busy host may take the CPU away between
// two readings, and nothing can be said then.
TEST(CounterClock, AgreesWithTheHostsWall) {
    for (const bool counted : {true, false}) {
        layout fine = layouts::twitter;
        fine.machine_parts = {};
        fine.timestamp_bits = 51;
        fine.machine_bits = 2;
        fine.sequence_bits = 10;
        fine.tick_us = 1;
        for (const layout& l : {layouts::twitter, fine}) {
            counter_clock c(l, {.use_counter = counted});
            const std::int64_t slack = l.tick_us == 1 ? 20 : 1;
            int compared = 0;
            for (int i = 0; i < 2'000'000 && compared < 50'000; ++i) {
                const tick before = l.tick_of(system_clock::wall());
                const tick now = c.now();
                const tick after = l.tick_of(system_clock::wall());
                if (after.count - before.count > 1) continue;
                ++compared;
                // A step of the host's own clock meanwhile would fail here; so the bound is all that is
                // asked.
                ASSERT_GE(now.count, before.count - slack) << counted << ' ' << l.tick_us;
                ASSERT_LE(now.count, after.count + slack) << counted << ' ' << l.tick_us;
            }
            EXPECT_GT(compared, 1000);
        }
    }
}

}  // namespace
}  // namespace firn
