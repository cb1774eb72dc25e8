// The rival generators: their published behaviour, at the limits and when the clock steps back.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <set>

#include "firn/formats/cached_sequence.hpp"
#include "firn/formats/discord.hpp"
#include "firn/formats/ksuid.hpp"
#include "firn/formats/object_id.hpp"
#include "firn/formats/sonyflake.hpp"
#include "firn/formats/ulid.hpp"
#include "firn/formats/uuidv7.hpp"
#include "firn/formats/xid.hpp"

namespace {

using namespace firn::formats;
using firn::errc;
using firn::instant;

constexpr std::int64_t some_ms = 1'700'000'000'000;
constexpr instant at_ms(std::int64_t ms) {
    return instant{std::chrono::microseconds{ms * 1000}};
}

/// A source that gives the same bits always.
struct stuck_source {
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return ~result_type{0}; }
    result_type operator()() { return bits; }
    result_type bits = 0;
};

TEST(draw, takes_the_same_bits_from_32_and_64_bit_sources) {
    stuck_source ones{~std::uint64_t{0}};
    EXPECT_EQ(draw(ones, 0), 0U);
    EXPECT_EQ(draw(ones, 1), 1U);
    EXPECT_EQ(draw(ones, 62), (std::uint64_t{1} << 62) - 1);
    EXPECT_EQ(draw(ones, 64), ~std::uint64_t{0});
    std::mt19937 narrow{1};
    std::mt19937 again{1};
    const std::uint64_t high = again();
    const std::uint64_t low = again();
    EXPECT_EQ(draw(narrow, 64), high << 32 | low);
    EXPECT_EQ(draw(narrow, 8), again() >> 24);
}

TEST(uuidv7_random_generator, takes_time_and_randomness_as_given) {
    uuidv7_random g;
    stuck_source ones{~std::uint64_t{0}};
    const auto a = g.next(at_ms(1645557742000), ones);
    EXPECT_EQ(a->format().view(), "017f22e2-79b0-7fff-bfff-ffffffffffff");
    stuck_source zeros;
    EXPECT_EQ(g.next(at_ms(1645557742000), zeros)->format().view(), "017f22e2-79b0-7000-8000-000000000000");
}

TEST(uuidv7_random_generator, a_seed_replays) {
    uuidv7_random g;
    std::mt19937_64 one{7};
    std::mt19937_64 two{7};
    for (int i = 0; i < 100; ++i) EXPECT_EQ(*g.next(at_ms(some_ms), one), *g.next(at_ms(some_ms), two));
}

TEST(uuidv7_counter_generator, counts_in_rand_a) {
    uuidv7_counter g;
    std::mt19937_64 source{1};
    const auto first = g.next(at_ms(some_ms), source);
    EXPECT_LT(first->rand_a(), 2048U) << "the guard bit";
    const auto second = g.next(at_ms(some_ms), source);
    EXPECT_EQ(second->rand_a(), first->rand_a() + 1);
    EXPECT_NE(second->rand_b(), first->rand_b());
    const auto rewound = g.next(at_ms(some_ms - 50), source);
    EXPECT_EQ(rewound->unix_ms(), some_ms);
    EXPECT_EQ(rewound->rand_a(), first->rand_a() + 2);
}

TEST(uuidv7_counter_generator, waits_when_the_counter_is_full_and_changes_nothing) {
    uuidv7_counter g;
    stuck_source ones{~std::uint64_t{0}};
    std::uint64_t given = 0;
    attempt<uuidv7> a = g.next(at_ms(some_ms), ones);
    EXPECT_EQ(a->rand_a(), 2047U);
    while (a) {
        ++given;
        a = g.next(at_ms(some_ms), ones);
    }
    EXPECT_EQ(given, 2049U);  // from 2047 to 4095
    EXPECT_EQ(a.error(), errc::tick_full);
    EXPECT_EQ(a.amount(), some_ms + 1);
    EXPECT_EQ(a.until(), at_ms(some_ms + 1));
    EXPECT_EQ(g.next(at_ms(some_ms - 1), ones).error(), errc::tick_full);
    EXPECT_EQ(g.next(at_ms(some_ms + 1), ones)->unix_ms(), some_ms + 1);
}

TEST(uuidv7_counter_generator, may_run_ahead_instead) {
    uuidv7_counter g{{.when_full = rollover::ahead}};
    std::mt19937_64 source{3};
    uuidv7 last = *g.next(at_ms(some_ms), source);
    for (int i = 0; i < 20'000; ++i) {
        const uuidv7 id = *g.next(at_ms(some_ms), source);
        ASSERT_LT(last, id);
        last = id;
    }
    EXPECT_GE(last.unix_ms(), some_ms + 20'000 / 4096);
    EXPECT_LE(last.unix_ms(), some_ms + 20'000 / 2048 + 1);
}

TEST(uuidv7_counter_generator, a_longer_counter_reaches_into_rand_b) {
    uuidv7_counter g{{.counter_bits = 42, .guard_bits = 42}};
    std::mt19937_64 source{5};
    for (std::uint64_t i = 0; i < 5; ++i) {
        const uuidv7 id = *g.next(at_ms(some_ms), source);
        EXPECT_EQ(id.rand_a(), 0U);
        EXPECT_EQ(id.rand_b() >> 32, i);
    }
    EXPECT_THROW(uuidv7_counter({.counter_bits = 43}), firn::error);
    EXPECT_THROW(uuidv7_counter({.counter_bits = 11}), firn::error);
    EXPECT_THROW(uuidv7_counter({.counter_bits = 12, .guard_bits = 13}), firn::error);
}

TEST(uuidv7_monotonic_generator, grows_by_random_steps) {
    uuidv7_monotonic g;
    std::mt19937_64 source{1};
    uuidv7 last = *g.next(at_ms(some_ms), source);
    for (int i = 0; i < 1000; ++i) {
        const uuidv7 id = *g.next(at_ms(some_ms - i % 50), source);
        EXPECT_EQ(id.rand_a(), last.rand_a());
        EXPECT_GT(id.rand_b(), last.rand_b());
        EXPECT_LE(id.rand_b() - last.rand_b(), std::uint64_t{1} << 32);
        last = id;
    }
}

TEST(uuidv7_monotonic_generator, rolls_over_by_waiting_or_ahead) {
    stuck_source ones{~std::uint64_t{0}};
    uuidv7_monotonic waits;
    EXPECT_TRUE(waits.next(at_ms(some_ms), ones));
    EXPECT_EQ(waits.next(at_ms(some_ms), ones).error(), errc::tick_full);
    EXPECT_EQ(waits.next(at_ms(some_ms), ones).until(), at_ms(some_ms + 1));
    EXPECT_TRUE(waits.next(at_ms(some_ms + 1), ones));
    uuidv7_monotonic ahead{{.when_full = rollover::ahead}};
    EXPECT_EQ(ahead.next(at_ms(some_ms), ones)->unix_ms(), some_ms);
    EXPECT_EQ(ahead.next(at_ms(some_ms), ones)->unix_ms(), some_ms + 1);
    EXPECT_THROW(uuidv7_monotonic({.increment_bits = 62}), firn::error);
}

TEST(uuidv7_generators, refuse_what_48_bits_cannot_hold) {
    std::mt19937_64 source{1};
    uuidv7_counter counter{{.when_full = rollover::ahead}};
    EXPECT_EQ(uuidv7_random{}.next(at_ms(-1), source).error(), errc::before_epoch);
    EXPECT_EQ(uuidv7_random{}.next(at_ms(-1), source).amount(), 1);
    EXPECT_EQ(uuidv7_random{}.next(at_ms(uuidv7::end_ms), source).error(), errc::exhausted);
    EXPECT_TRUE(counter.next(at_ms(uuidv7::end_ms - 1), source));
    EXPECT_EQ(counter.next(at_ms(uuidv7::end_ms), source).error(), errc::exhausted);
    while (counter.next(at_ms(uuidv7::end_ms - 1), source)) {
    }
    EXPECT_EQ(counter.next(at_ms(uuidv7::end_ms - 1), source).error(), errc::exhausted) << "not a wrap";
    EXPECT_THROW((void)counter.next(at_ms(-1), source).value(), firn::error);
}

// The specification's example: …MMVRZ, then …MMVS0.
TEST(ulid_monotonic_generator, increments_with_carry) {
    struct replay {
        using result_type = std::uint64_t;
        static constexpr result_type min() { return 0; }
        static constexpr result_type max() { return ~result_type{0}; }
        // The first draw is 16 bits, from the top; the second is 64.
        result_type operator()() { return calls++ == 0 ? given.random_high() << 48 : given.random_low(); }
        ulid given;
        int calls = 0;
    };
    replay source{ulid::parse("01BX5ZZKBKACTAV9WEVGEMMVRZ").value};
    ulid_monotonic g;
    const instant now = source.given.time();
    EXPECT_EQ(g.next(now, source)->format().view(), "01BX5ZZKBKACTAV9WEVGEMMVRZ");
    EXPECT_EQ(g.next(now, source)->format().view(), "01BX5ZZKBKACTAV9WEVGEMMVS0");
    EXPECT_EQ(g.next(now - std::chrono::hours{8}, source)->format().view(), "01BX5ZZKBKACTAV9WEVGEMMVS1");
}

TEST(ulid_monotonic_generator, fails_when_the_randomness_is_spent) {
    ulid_monotonic g;
    stuck_source ones{~std::uint64_t{0}};
    EXPECT_EQ(g.next(at_ms(some_ms), ones)->random_high(), 0xffffU);
    const auto a = g.next(at_ms(some_ms), ones);
    EXPECT_EQ(a.error(), errc::tick_full);
    EXPECT_EQ(a.until(), at_ms(some_ms + 1));
    EXPECT_TRUE(g.next(at_ms(some_ms + 1), ones));
    EXPECT_EQ(g.next(at_ms(-5), ones).error(), errc::before_epoch);
}

TEST(ulid_monotonic_generator, carries_from_the_low_word) {
    struct low_ones {
        using result_type = std::uint64_t;
        static constexpr result_type min() { return 0; }
        static constexpr result_type max() { return ~result_type{0}; }
        result_type operator()() { return calls++ == 0 ? 0 : ~result_type{0}; }
        int calls = 0;
    } source;
    ulid_monotonic g;
    EXPECT_EQ(*g.next(at_ms(some_ms), source), ulid::of(some_ms, 0, ~std::uint64_t{0}));
    EXPECT_EQ(*g.next(at_ms(some_ms), source), ulid::of(some_ms, 1, 0));
}

TEST(ksuid_generator, counts_seconds_from_its_epoch) {
    std::mt19937_64 source{1};
    const ksuid_random g;
    EXPECT_EQ(g.next(at_ms(1'400'000'000'999), source)->seconds(), 0);
    EXPECT_EQ(g.next(at_ms(1'400'000'001'000), source)->seconds(), 1);
    EXPECT_EQ(g.next(at_ms(1'399'999'999'999), source).error(), errc::before_epoch);
    EXPECT_EQ(g.next(at_ms((ksuid::epoch_s + ksuid::end_s) * 1000), source).error(), errc::exhausted);
}

// "Ensure that the Counter field successfully overflows its sequence from 0xFFFFFF to 0x000000."
TEST(object_id_generator_, counter_comes_round) {
    stuck_source ones{~std::uint64_t{0}};
    object_id_generator g{ones};
    const auto a = g.next(at_ms(some_ms));
    EXPECT_EQ(a->counter(), 0U);
    EXPECT_EQ(a->process(), 0xffffffffffU);
    EXPECT_EQ(a->unix_s(), some_ms / 1000);
    EXPECT_EQ(g.next(at_ms(some_ms))->counter(), 1U);
    EXPECT_EQ(g.next(at_ms(-1)).error(), errc::before_epoch);
    EXPECT_EQ(g.next(at_ms(object_id::end_s * 1000)).error(), errc::exhausted);
}

TEST(object_id_generator_, processes_draw_their_own_number) {
    std::mt19937_64 source{1};
    std::set<object_id> seen;
    for (int process = 0; process < 100; ++process) {
        object_id_generator g{source};
        for (int i = 0; i < 100; ++i) seen.insert(*g.next(at_ms(some_ms)));
    }
    EXPECT_EQ(seen.size(), 10'000U);
}

TEST(object_id_generator_, repeats_after_2_to_the_24_in_one_second) {
    std::mt19937_64 source{1};
    object_id_generator g{source};
    const object_id first = *g.next(at_ms(some_ms));
    for (int i = 1; i < 1 << 24; ++i) (void)g.next(at_ms(some_ms));
    EXPECT_EQ(*g.next(at_ms(some_ms)), first);
}

TEST(xid_generator_, keeps_its_numbers) {
    std::mt19937_64 source{1};
    xid_generator g{{.machine = 0x60f486, .process = 0xe428}, source};
    const auto a = g.next(at_ms(some_ms));
    EXPECT_EQ(a->machine(), 0x60f486U);
    EXPECT_EQ(a->process(), 0xe428U);
    EXPECT_EQ(a->unix_s(), some_ms / 1000);
    EXPECT_EQ(g.next(at_ms(some_ms))->counter(), (a->counter() + 1) & 0xffffffU);
    EXPECT_THROW(xid_generator({.machine = 0x1000000}, source), firn::error);
    EXPECT_THROW(xid_generator({.process = 0x10000}, source), firn::error);
}

TEST(sonyflake_generator, counts_256_in_10_ms_then_waits) {
    sonyflake g{0xbeef};
    const instant now = at_ms(some_ms);
    for (std::uint32_t i = 0; i < 256; ++i) {
        const auto a = g.next(now);
        ASSERT_TRUE(a);
        const auto f = firn::layouts::sonyflake.decode(*a);
        EXPECT_EQ(f.sequence, i);
        EXPECT_EQ(f.machine, 0xbeefU);
    }
    const auto full = g.next(now);
    EXPECT_EQ(full.error(), errc::tick_full);
    EXPECT_EQ(full.until(), at_ms(some_ms + 10));
    EXPECT_EQ(firn::layouts::sonyflake.decode(*g.next(full.until())).sequence, 0U);
    EXPECT_THROW(sonyflake{65536}, firn::error);
}

TEST(sonyflake_generator, keeps_its_time_during_a_rewind_and_loses_it_at_a_restart) {
    sonyflake g{1};
    const auto before = *g.next(at_ms(some_ms));
    const auto during = *g.next(at_ms(some_ms - 50));
    EXPECT_EQ(during.value, before.value + (1 << 16));
    sonyflake restarted{1};
    EXPECT_EQ(*restarted.next(at_ms(some_ms)), before) << "a duplicate: that is what it loses";
    EXPECT_EQ(restarted.next(at_ms(0))->value, before.value + (1 << 16))
        << "before the epoch is a rewind too";
    EXPECT_EQ(sonyflake{1}.next(at_ms(0)).error(), errc::before_epoch);
}

TEST(discord_generator, never_resets_its_increment) {
    discord g{{.worker = 1, .process = 0}};
    const instant documented = firn::layouts::discord.time_of(firn::id{175928847299117063});
    for (int i = 0; i < 7; ++i) (void)g.next(at_ms(some_ms + i));
    EXPECT_EQ(*g.next(documented), firn::id{175928847299117063});
    EXPECT_THROW(discord({.worker = 32}), firn::error);
    EXPECT_THROW(discord({.process = 32}), firn::error);
}

TEST(discord_generator, waits_when_a_millisecond_is_spent) {
    discord g{{}};
    (void)g.next(at_ms(some_ms));
    for (int i = 0; i < 4096; ++i) EXPECT_TRUE(g.next(at_ms(some_ms + 1)));
    EXPECT_EQ(g.next(at_ms(some_ms + 1)).error(), errc::tick_full);
    EXPECT_EQ(g.next(at_ms(some_ms + 1)).until(), at_ms(some_ms + 2));
}

TEST(cached_sequence_generator, loses_the_rest_of_its_block_and_repeats_nothing) {
    sequence_store store;
    {
        cached_sequence first{store, {.block = 50}};
        for (std::uint64_t i = 1; i <= 60; ++i) EXPECT_EQ(first.next()->value, i);
        EXPECT_EQ(first.left(), 40);
        EXPECT_EQ(store.round_trips(), 2U);
    }
    cached_sequence second{store, {.block = 50}};
    EXPECT_EQ(second.next()->value, 101U);
    EXPECT_THROW(cached_sequence(store, {.block = 0}), firn::error);
}

TEST(cached_sequence_generator, ends) {
    sequence_store store{sequence_store::largest - 3};
    cached_sequence s{store, {.block = 50}};
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(s.next());
    EXPECT_EQ(s.next().error(), errc::exhausted);
    EXPECT_EQ(store.last_value(), sequence_store::largest);
}

TEST(next, asks_any_generator) {
    std::mt19937_64 source{1};
    uuidv7_random random;
    object_id_generator with_time{source};
    sequence_store store;
    cached_sequence with_nothing{store, {}};
    EXPECT_TRUE(next(random, at_ms(some_ms), source));
    EXPECT_TRUE(next(with_time, at_ms(some_ms), source));
    EXPECT_TRUE(next(with_nothing, at_ms(some_ms), source));
}

}  // namespace
