#include "firn/clock.hpp"

#include <limits>

#include "firn/layouts.hpp"
#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(manual_clock, reads_what_it_is_told) {
    manual_clock c{tick{1000}};
    EXPECT_EQ(c.now(), tick{1000});
    c.set(tick{999});
    EXPECT_EQ(c.now(), tick{999});
    c.set(tick{-5});
    EXPECT_EQ(c.now(), tick{-5});
}

TEST(manual_clock, waiting_moves_it_to_the_tick_waited_for) {
    manual_clock c{tick{1000}};
    EXPECT_EQ(c.sleep_towards(tick{1003}, milliseconds{10}), milliseconds{3});
    EXPECT_EQ(c.now(), tick{1003});
    EXPECT_EQ(c.sleep_towards(tick{1003}, milliseconds{10}), milliseconds{0});
    EXPECT_EQ(c.sleep_towards(tick{900}, milliseconds{10}), milliseconds{0});
    EXPECT_EQ(c.now(), tick{1003});
}

TEST(manual_clock, waits_no_longer_than_the_limit) {
    manual_clock c{tick{0}};
    EXPECT_EQ(c.sleep_towards(tick{1'000'000}, milliseconds{100}), milliseconds{100});
    EXPECT_EQ(c.now(), tick{100});
    EXPECT_EQ(c.sleep_towards(tick{101}, nanoseconds{400'000}), nanoseconds{400'000})
        << "less than a tick passes";
    EXPECT_EQ(c.now(), tick{100});
}

TEST(manual_clock, that_is_frozen_lets_only_the_waiting_time_pass) {
    manual_clock c{tick{1000}};
    c.freeze(true);
    EXPECT_EQ(c.sleep_towards(tick{1003}, milliseconds{10}), milliseconds{3});
    EXPECT_EQ(c.now(), tick{1000});
    c.freeze(false);
    c.sleep_towards(tick{1003}, milliseconds{10});
    EXPECT_EQ(c.now(), tick{1003});
}

TEST(manual_clock, counts_its_own_ticks) {
    manual_clock seconds{tick{5}, std::chrono::seconds{1}};
    EXPECT_EQ(seconds.sleep_towards(tick{7}, std::chrono::minutes{1}), std::chrono::seconds{2});
    EXPECT_EQ(seconds.now(), tick{7});
}

TEST(until_tick, is_exact_and_never_early) {
    const layout& l = layouts::standard;
    const std::int64_t begin_ns = l.time_of(tick{100}).time_since_epoch().count() * 1000;
    EXPECT_EQ(detail::until_tick(l, tick{100}, begin_ns - 1'000'000), milliseconds{1});
    EXPECT_EQ(detail::until_tick(l, tick{100}, begin_ns - 1), std::chrono::microseconds{1});
    EXPECT_EQ(detail::until_tick(l, tick{100}, begin_ns), nanoseconds{0});
    EXPECT_EQ(detail::until_tick(l, tick{100}, begin_ns + 5'000'000), nanoseconds{0});
    // Centuries away: saturated, not wrapped into the past.
    EXPECT_GT(detail::until_tick(l, tick{std::numeric_limits<std::int64_t>::max()}, begin_ns),
              std::chrono::hours{24 * 365 * 99});
}

/// A clock whose reading is counted, and that may be told to cache one.
class counted_clock final : public clock {
  public:
    void remember(tick t, std::uint64_t begin, std::uint64_t length) { cache(t, begin, length); }
    std::chrono::nanoseconds sleep_towards(tick, nanoseconds) noexcept override { return nanoseconds{0}; }
    int readings = 0;

  protected:
    tick read() noexcept override {
        ++readings;
        return tick{7};
    }
};

TEST(clock, is_read_at_each_call_unless_it_caches) {
    counted_clock c;
    EXPECT_EQ(c.now(), tick{7});
    EXPECT_EQ(c.now(), tick{7});
    EXPECT_EQ(c.readings, 2);
}

TEST(clock, answers_the_cached_tick_while_the_counter_is_within_its_span) {
    if (!has_counter) GTEST_SKIP() << "no counter on this architecture";
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    counted_clock c;
    const std::uint64_t now = read_counter();
    c.remember(tick{1000}, now, most / 2);
    EXPECT_EQ(c.now(), tick{1000});
    EXPECT_EQ(c.readings, 0);
    c.remember(tick{1000}, now - 1, 1);
    EXPECT_EQ(c.now(), tick{7}) << "the span is over";
    c.remember(tick{1000}, read_counter() + most / 2, most / 4);
    EXPECT_EQ(c.now(), tick{7}) << "the counter was reset: it lies before the span";
    EXPECT_EQ(c.readings, 2);
}

TEST(counter, does_not_stand_still) {
    if (!has_counter) GTEST_SKIP() << "no counter on this architecture";
    const std::uint64_t before = read_counter();
    std::uint64_t after = before;
    for (int i = 0; i < 1'000'000 && after == before; ++i) after = read_counter();
    EXPECT_NE(after, before);
}

}  // namespace
}  // namespace firn
