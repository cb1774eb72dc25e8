// The wall against itself asked one nanosecond at a time, and against what each kind of event means.
#include "lab/wall.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

#include "lab/random.hpp"

namespace {

using firn::lab::clock_event;
using firn::lab::random_stream;
using firn::lab::wall;

constexpr std::int64_t ms = 1'000'000;

TEST(wall, without_events_is_true_time) {
    const wall w{std::span<const clock_event>{}};
    EXPECT_EQ(w.at(0), 0);
    EXPECT_EQ(w.at(ms - 1), 0);
    EXPECT_EQ(w.at(ms), 1);
    EXPECT_EQ(w.first_reading(7, 0), 7 * ms);
    EXPECT_EQ(w.first_reading(7, 9 * ms), 9 * ms);
}

TEST(wall, steps_at_the_true_time_of_the_step) {
    const wall w{std::vector<clock_event>{{.at_ns = 100 * ms, .by_ns = -50 * ms}}};
    EXPECT_EQ(w.at(100 * ms - 1), 99);
    EXPECT_EQ(w.at(100 * ms), 50);
    EXPECT_EQ(w.first_reading(99, 0), 99 * ms);
    EXPECT_EQ(w.first_reading(100, 0), 150 * ms);
    EXPECT_EQ(w.first_reading(99, 100 * ms), 149 * ms);
}

TEST(wall, reads_below_zero_before_the_epoch) {
    const wall w{std::vector<clock_event>{{.at_ns = 10 * ms, .by_ns = -30 * ms - 1}}};
    EXPECT_EQ(w.at(10 * ms), -21);
    EXPECT_EQ(w.at(30 * ms), -1);
    EXPECT_EQ(w.at(30 * ms + 1), 0);
}

TEST(wall, events_add_up) {
    const wall w{std::vector<clock_event>{{.at_ns = 20 * ms, .by_ns = 5 * ms},
                                          {.at_ns = 10 * ms, .by_ns = -3 * ms},
                                          {.at_ns = 10 * ms, .by_ns = -2 * ms}}};
    EXPECT_EQ(w.at(15 * ms), 10);
    EXPECT_EQ(w.at(20 * ms), 20);
}

TEST(wall, slews_at_an_even_rate_and_keeps_what_it_gained) {
    const wall w{std::vector<clock_event>{{.at_ns = 100 * ms, .by_ns = -10 * ms, .over_ns = 40 * ms}}};
    EXPECT_EQ(w.at(120 * ms), 115);
    EXPECT_EQ(w.at(140 * ms), 130);
    EXPECT_EQ(w.at(1000 * ms), 990);
    EXPECT_EQ(w.first_reading(115, 0), 120 * ms);
    EXPECT_EQ(w.first_reading(103, 0), 104 * ms);
    // A third of a nanosecond has no place in true time: the first whole one after it.
    const wall third{std::vector<clock_event>{{.at_ns = 0, .by_ns = -ms, .over_ns = 4 * ms}}};
    EXPECT_EQ(third.first_reading(1, 0), (4 * ms + 2) / 3);
}

TEST(wall, smears_a_leap_second_over_a_day_exactly) {
    constexpr std::int64_t day = 86'400'000 * ms;
    const wall w{std::vector<clock_event>{{.at_ns = 0, .by_ns = -1000 * ms, .over_ns = day}}};
    EXPECT_EQ(w.at(day / 2), 43'200'000 - 500);
    EXPECT_EQ(w.at(day / 2 - 1), 43'200'000 - 501);
    EXPECT_EQ(w.at(day), 86'400'000 - 1000);
}

TEST(wall, drifts_for_ever) {
    const wall w{std::vector<clock_event>{
        {.at_ns = 0, .by_ns = 200'000, .over_ns = 1'000'000'000, .endless = true}}};  // 200 ppm
    EXPECT_EQ(w.at(3'600'000 * ms), 3'600'720);
}

TEST(wall, that_stands_still_is_waited_out_and_for_ever_never) {
    const std::vector<clock_event> pause{{.at_ns = 10 * ms, .by_ns = -5 * ms, .over_ns = 5 * ms}};
    EXPECT_EQ(wall{pause}.at(14 * ms), 10);
    EXPECT_EQ(wall{pause}.first_reading(11, 0), 16 * ms);
    const std::vector<clock_event> stop{
        {.at_ns = 10 * ms, .by_ns = -1'000'000'000, .over_ns = 1'000'000'000, .endless = true}};
    EXPECT_EQ(wall{stop}.at(1000 * ms), 10);
    EXPECT_EQ(wall{stop}.first_reading(11, 0), std::nullopt);
    // … unless a step helps it over.
    std::vector<clock_event> helped = stop;
    helped.push_back({.at_ns = 70 * ms, .by_ns = 4 * ms});
    EXPECT_EQ(wall{helped}.first_reading(11, 0), 70 * ms);
}

TEST(wall, may_not_run_backwards) {
    const std::vector<clock_event> e{{.at_ns = 0, .by_ns = -2 * ms, .over_ns = ms}};
    EXPECT_THROW(wall{e}, std::invalid_argument);
}

/// Small times, so that everything can be asked at every nanosecond.
std::vector<clock_event> random_events(random_stream& r) {
    std::vector<clock_event> events;
    for (std::uint64_t n = r.below(5); n > 0; --n) {
        clock_event e;
        e.at_ns = static_cast<std::int64_t>(r.below(12 * ms));
        e.by_ns = static_cast<std::int64_t>(r.below(10 * ms)) - 5 * ms;
        if (r.below(2) == 0) {
            e.over_ns = static_cast<std::int64_t>(1 + r.below(4)) * ms;
            e.by_ns = e.over_ns / 4 * static_cast<std::int64_t>(r.below(3)) - e.over_ns / 4;
            e.endless = r.below(4) == 0;
        }
        events.push_back(e);
    }
    return events;
}

TEST(wall, reader_and_first_reading_agree_with_asking_again_and_again) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        random_stream r{seed};
        const wall w{random_events(r)};
        wall::reader reader{w};
        constexpr std::int64_t grain = 997;  // a prime, so that it lands everywhere
        for (std::int64_t t = 0; t < 16 * ms; t += grain)
            ASSERT_EQ(reader.read(t), w.at(t)) << seed << ' ' << t;

        const auto from = static_cast<std::int64_t>(r.below(12 * ms));
        const std::int64_t wanted = w.at(from) + static_cast<std::int64_t>(r.below(4));
        const auto found = w.first_reading(wanted, from);
        if (!found) continue;
        EXPECT_GE(w.at(*found), wanted) << seed;
        const std::int64_t scan_to = std::min(*found, from + 20 * ms);
        for (std::int64_t t = from; t < scan_to; t += grain) ASSERT_LT(w.at(t), wanted) << seed << ' ' << t;
        if (*found > from) {
            EXPECT_LT(w.at(*found - 1), wanted) << seed;
        }
    }
}

}  // namespace
