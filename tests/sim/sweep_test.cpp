#include "lab/sweep.hpp"

#include <gmock/gmock.h>

#include <numeric>
#include <set>
#include <stdexcept>

#include "lab/parallel.hpp"
#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"

namespace {

using namespace firn::lab;
using testing::ElementsAre;

TEST(axis, reads_ranges_and_lists) {
    EXPECT_EQ(parse_axis("rewind=1..4").name, "rewind");
    EXPECT_THAT(parse_axis("rewind=1..4").values, ElementsAre("1", "2", "3", "4"));
    EXPECT_THAT(parse_axis("rate=0.5..2:0.75").values, ElementsAre("0.5", "1.25", "2"));
    EXPECT_THAT(parse_axis("rate=0.1..0.3:0.1").values, ElementsAre("0.1", "0.2", "0.3"));
    EXPECT_THAT(parse_axis("rewind=7..7").values, ElementsAre("7"));
    EXPECT_THAT(parse_axis("policy=blind,clamp").values, ElementsAre("blind", "clamp"));
    EXPECT_THAT(parse_axis("clock=step:1:-2").values, ElementsAre("step:1:-2"));
}

TEST(axis, refuses_every_other_form) {
    for (const char* text :
         {"", "rewind", "=1..2", "rewind=", "rewind=4..1", "rewind=1..", "rewind=..2", "rewind=1..5:0",
          "rewind=1..5:-1", "rewind=1..5:x", "rewind=1,,2", "rewind=1,", "rewind=0..9999999"})
        EXPECT_THROW(parse_axis(text), argument_error) << text;
}

TEST(sweep, has_every_combination_the_last_axis_moving_first) {
    const sweep<scenario> s{
        scenario_parameters(), {}, {parse_axis("rewind=1..3"), parse_axis("policy=blind,clamp")}};
    ASSERT_EQ(s.rows(), 6U);
    EXPECT_THAT(s.values_at(0), ElementsAre("1", "blind"));
    EXPECT_THAT(s.values_at(1), ElementsAre("1", "clamp"));
    EXPECT_THAT(s.values_at(4), ElementsAre("3", "blind"));
    EXPECT_EQ(s.at(4).rewind_ns, 3 * ns_per_ms);
    EXPECT_EQ(s.at(4).rules.rewind, firn::rewind_policy::unsafe_blind);
}

TEST(sweep, every_parameter_can_be_ranged_over) {
    for (const auto& p : scenario_parameters())
        EXPECT_EQ((sweep<scenario>{scenario_parameters(), {}, {{p.name, {p.example}}}}.rows()), 1U) << p.name;
}

TEST(sweep, refuses_what_cannot_be_run) {
    const auto make = [](std::vector<axis> axes) {
        return sweep<scenario>{scenario_parameters(), {}, std::move(axes)};
    };
    EXPECT_THROW(make({{"speed", {"1"}}}), argument_error);
    EXPECT_THROW(make({{"rewind", {"x"}}}), argument_error);
    EXPECT_THROW(make({{"rewind", {"1"}}, {"rewind", {"2"}}}), argument_error);
    EXPECT_THROW(make({parse_axis("rewind=1..2000"), parse_axis("rate=1..2000")}), argument_error);
}

TEST(sweep, blind_duplicates_are_rate_times_rewind_everywhere) {
    const sweep<scenario> s{
        scenario_parameters(),
        {},
        {parse_axis("policy=blind"), parse_axis("rate=1..20:3"), parse_axis("rewind=2..60:7")}};
    std::vector<verdict> verdicts(s.rows());
    for_each_index(s.rows(), 2, [&](std::size_t i) { verdicts[i] = run(s.at(i)); });
    for (std::size_t i = 0; i < s.rows(); ++i) {
        const scenario row = s.at(i);
        EXPECT_EQ(verdicts[i].duplicates,
                  static_cast<std::uint64_t>(row.rate.requests * (row.rewind_ns / ns_per_ms)));
    }
}

TEST(for_each_index, calls_each_once_whatever_the_number_of_threads) {
    for (const unsigned threads : {1U, 2U, 7U}) {
        for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
            std::vector<int> calls(count, 0);
            std::atomic<std::uint64_t> done{0};
            for_each_index(
                count, threads, [&](std::size_t i) { ++calls[i]; }, &done);
            EXPECT_EQ(std::accumulate(calls.begin(), calls.end(), std::size_t{0}), count);
            EXPECT_EQ(done, count);
        }
    }
}

TEST(for_each_index, throws_what_a_piece_threw) {
    EXPECT_THROW(for_each_index(100, 3,
                                [](std::size_t i) {
                                    if (i == 41) throw std::runtime_error("41");
                                }),
                 std::runtime_error);
}

}  // namespace
