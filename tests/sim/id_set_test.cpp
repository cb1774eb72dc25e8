// The checker's set against std::set, in the orders that generators make and in none.
#include "lab/id_set.hpp"

#include <gmock/gmock.h>

#include <set>

#include "lab/random.hpp"

namespace {

using firn::lab::id_set;
using firn::lab::random_stream;

TEST(id_set, one_run_for_ids_in_a_row) {
    id_set seen;
    for (std::uint64_t id = 100; id < 5000; ++id) ASSERT_TRUE(seen.add(id));
    EXPECT_EQ(seen.runs(), 1U);
    for (std::uint64_t id = 100; id < 5000; ++id) ASSERT_FALSE(seen.add(id));
    EXPECT_TRUE(seen.contains(100));
    EXPECT_FALSE(seen.contains(99));
    EXPECT_FALSE(seen.contains(5000));
}

TEST(id_set, zero_is_an_id) {
    id_set seen;
    EXPECT_FALSE(seen.contains(0));
    EXPECT_TRUE(seen.add(0));
    EXPECT_FALSE(seen.add(0));
}

TEST(id_set, a_run_that_grows_into_the_next_one_finds_it) {
    id_set seen;
    for (const std::uint64_t id : {10U, 11U, 5U, 6U, 7U, 8U, 9U}) ASSERT_TRUE(seen.add(id));
    EXPECT_FALSE(seen.add(10));
    EXPECT_FALSE(seen.add(11));
    EXPECT_TRUE(seen.add(12));
}

TEST(id_set, agrees_with_a_set_of_ids) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        random_stream r{seed};
        id_set seen;
        std::set<std::uint64_t> slow;
        const std::uint64_t space = 1 + r.below(seed % 3 == 0 ? 300 : 30'000);
        const std::uint64_t stride = 1 + r.below(3);
        std::uint64_t id = 0;
        for (int i = 0; i < 8000; ++i) {
            // Runs upwards with jumps anywhere, as a wall that steps makes them.
            id = r.below(20) == 0 ? r.below(space) : id + stride;
            ASSERT_EQ(seen.add(id), slow.insert(id).second) << "seed " << seed << " at " << i;
        }
        for (std::uint64_t i = 0; i < 500; ++i) {
            const std::uint64_t any = r.below(space);
            ASSERT_EQ(seen.contains(any), slow.count(any) == 1) << seed;
        }
    }
}

TEST(id_set, many_runs_in_every_order_of_insertion) {
    constexpr std::uint64_t n = 5000;
    id_set up;
    id_set down;
    id_set mixed;
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_TRUE(up.add(i * 2));
        ASSERT_TRUE(down.add((n - i) * 2));
        ASSERT_TRUE(mixed.add((i * 2743 % n) * 2));  // coprime with n: each once
    }
    for (id_set* each : {&up, &down, &mixed}) EXPECT_EQ(each->runs(), n);
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_FALSE(up.add(i * 2));
        ASSERT_FALSE(down.add((i + 1) * 2));
        ASSERT_FALSE(mixed.add(i * 2));
    }
}

}  // namespace
