#include "lab/fleet.hpp"

#include <gmock/gmock.h>

#include "lab/inversions.hpp"
#include "lab/random.hpp"

namespace {

using namespace firn;
using lab::collecting_observer;
using lab::random_stream;

TEST(inversions, agree_with_looking_at_every_pair) {
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        random_stream r{seed};
        std::vector<collecting_observer::issue> issues;
        std::vector<std::uint64_t> ids;
        std::int64_t now = 0;
        for (std::uint64_t n = r.below(120); n > 0; --n) {
            now += static_cast<std::int64_t>(r.below(5));
            ids.push_back(r.below(1 + seed));  // few values: equal ids too
            issues.push_back({now, ids.back()});
        }
        std::uint64_t pairs = 0;
        std::int64_t widest = 0;
        for (std::size_t i = 0; i < issues.size(); ++i)
            for (std::size_t j = i + 1; j < issues.size(); ++j)
                if (issues[i].id > issues[j].id) {
                    ++pairs;
                    widest = std::max(widest, issues[j].true_ns - issues[i].true_ns);
                }
        EXPECT_EQ(lab::count_inversions(ids), pairs) << seed;
        EXPECT_EQ(lab::widest_inversion_ns(issues), widest) << seed;
    }
}

TEST(inversions, of_the_reverse_are_all_pairs) {
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 0; i < 1000; ++i) ids.push_back(1000 - i);
    EXPECT_EQ(lab::count_inversions(ids), 999U * 1000 / 2);
    EXPECT_EQ(lab::count_inversions({}), 0U);
    EXPECT_EQ(lab::count_inversions({7}), 0U);
}

TEST(fleet, offers_rate_times_window_of_each_machine_and_repeats_no_id) {
    const lab::fleet_verdict v = lab::run_fleet({.machines = 5, .window_ms = 30, .fleets = 3});
    EXPECT_EQ(v.ids, 3U * 5 * 30 * 8);
    EXPECT_EQ(v.pairs, 3U * (1200 * 1199 / 2));
    EXPECT_EQ(v.duplicates, 0U);
}

TEST(fleet, is_the_same_for_the_same_seed_and_another_for_another) {
    const lab::fleet_options o{.machines = 4, .window_ms = 50, .fleets = 2, .seed = 9};
    lab::fleet_options other = o;
    other.seed = 10;
    EXPECT_EQ(lab::run_fleet(o).inversions, lab::run_fleet(o).inversions);
    EXPECT_NE(lab::run_fleet(o).inversions, lab::run_fleet(other).inversions);
}

TEST(fleet, keeps_to_the_prediction_and_below_a_millisecond) {
    for (const std::uint64_t machines : {2U, 8U, 32U}) {
        for (const std::uint64_t window : {20U, 200U}) {
            const lab::fleet_options o{.machines = machines, .window_ms = window, .fleets = 8};
            const lab::fleet_verdict v = lab::run_fleet(o);
            const double predicted = lab::predicted_fraction(machines, window);
            EXPECT_NEAR(v.fraction() / predicted, 1, 0.05) << machines << " × " << window;
            EXPECT_LT(v.widest_ns, 1'000'000);
            EXPECT_EQ(v.machine_inversions, 0U);
        }
    }
}

}  // namespace
