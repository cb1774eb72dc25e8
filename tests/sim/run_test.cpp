// What a run means where the study leaves room: deploys, kills, waits, the probe's count, records.
#include "lab/run.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lab/masked.hpp"
#include "lab/scenario_parameters.hpp"

namespace {

using namespace firn;
using namespace firn::lab;

constexpr std::int64_t ms = ns_per_ms;

struct step_of_run {
    std::int64_t true_ns;
    std::int64_t wall_ms;
    bool issued;
    std::int64_t tick;
};

struct story : silent_observer {
    std::vector<step_of_run> steps;
    void issued(const grant& g) { steps.push_back({g.true_ns, g.wall_ms, true, g.tick}); }
    void refused(std::int64_t true_ns, std::int64_t wall_ms) {
        steps.push_back({true_ns, wall_ms, false, -1});
    }
};

story tell(const scenario& s) {
    sequencer_process process{s};
    story told;
    play(s, process, told);
    return told;
}

/// Four ids a tick and as many requests, so that one tick's delay fills everything after it.
scenario tight() {
    scenario s;
    s.layout = {.timestamp_bits = 51, .machine_bits = 10, .sequence_bits = 2};
    s.rate = {4, 1};
    s.duration_ns = 20 * ms;
    s.step_at_ns = 10 * ms;
    s.rewind_ns = 3 * ms;
    return s;
}

TEST(run, arrivals_are_floors_of_exact_fractions) {
    scenario s;
    for (const auto& [text, expected] : std::vector<std::pair<const char*, std::int64_t>>{
             {"3", 600}, {"0.1", 20}, {"7.5", 1500}, {"0.000001", 0}, {"0.37", 74}}) {
        ASSERT_TRUE(parse_rate(s.rate, text));
        EXPECT_EQ(s.offered(), expected) << text;
        even_arrivals next{s};
        for (std::int64_t i = 0; i < expected; ++i) {
            const auto exact = floor_div(int128{i} * ms * s.rate.per_ms, s.rate.requests);
            ASSERT_EQ(next(), static_cast<std::int64_t>(exact)) << text << " at " << i;
        }
        EXPECT_EQ(next(), std::nullopt);
    }
}

TEST(run, random_arrivals_are_in_order_within_the_duration_and_follow_the_seed) {
    scenario s;
    s.arrivals = arrival_kind::random;
    random_arrivals next{s};
    std::int64_t last = 0;
    int count = 0;
    while (const auto at = next()) {
        EXPECT_GE(*at, last);
        last = *at;
        ++count;
    }
    EXPECT_EQ(count, 1600);
    EXPECT_LT(last, s.duration_ns);
    EXPECT_EQ(run(s), run(s));
}

TEST(run, a_wait_ends_when_the_wall_reads_the_tick_and_delays_what_follows) {
    const scenario s = tight();
    const story told = tell(s);
    // Tick 9 is full when the wall falls back to 7: the request of true 10 waits for tick 10, at true 13.
    EXPECT_EQ(told.steps[40].true_ns, 13 * ms);
    EXPECT_EQ(told.steps[40].wall_ms, 10);
    EXPECT_EQ(told.steps[43].true_ns, 13 * ms);
    EXPECT_EQ(told.steps[44].true_ns, 14 * ms);
    // Four in each tick from then on, 3 ms late; of each four only the first waits.
    EXPECT_EQ(run(s).stalled_ns, 3 * ms + 9 * ms);
}

TEST(run, a_step_forward_ends_a_wait) {
    scenario s = tight();
    s.clock = {{.at_ns = 11 * ms + 1, .by_ns = 50 * ms}};
    EXPECT_EQ(tell(s).steps[40].true_ns, 11 * ms + 1);
    EXPECT_EQ(tell(s).steps[40].wall_ms, 58);
}

TEST(run, a_wall_that_stands_still_for_ever_fails_requests) {
    scenario s = tight();
    s.rewind_ns = 0;
    s.clock = {{.at_ns = 10 * ms, .by_ns = -1'000'000'000, .over_ns = 1'000'000'000, .endless = true}};
    const verdict v = run(s);
    EXPECT_EQ(v.issued, 44U);
    EXPECT_EQ(v.refused, 36U);
    EXPECT_EQ(v.stalled_ns, 0);
}

TEST(run, a_deploy_comes_before_the_first_request_that_starts_at_or_after_it) {
    scenario s;
    s.deploys_ns = {120 * ms, 120 * ms + 1, 300 * ms};
    const verdict v = run(s);
    EXPECT_THAT(v.restart_log,
                testing::ElementsAre(restart_note{120 * ms, 70}, restart_note{120'125'000, 70}));
    EXPECT_EQ(v.restarts, 2U);  // no request follows the third
}

TEST(run, deploys_do_not_interrupt_a_wait_and_kills_do) {
    scenario s = tight();
    s.deploys_ns = {11 * ms};
    EXPECT_EQ(run(s).refused, 0U);
    // The wait ends at 13; the next request starts there.
    EXPECT_THAT(run(s).restart_log, testing::ElementsAre(restart_note{13 * ms, 10}));

    s.deploys_ns.clear();
    s.kills_ns = {11 * ms};
    const verdict v = run(s);
    EXPECT_EQ(v.refused, 1U);
    EXPECT_THAT(v.restart_log, testing::ElementsAre(restart_note{11 * ms, 8}));
    EXPECT_EQ(tell(s).steps[40].true_ns, 11 * ms);
    EXPECT_FALSE(tell(s).steps[40].issued);
    EXPECT_TRUE(tell(s).steps[41].issued);  // amnesia: it believes that it is 8
}

TEST(run, a_kill_between_requests_happens_at_its_own_time) {
    scenario s;
    s.kills_ns = {50 * ms + 1};
    EXPECT_THAT(run(s).restart_log, testing::ElementsAre(restart_note{50 * ms + 1, 50}));
}

TEST(run, the_probe_counts_failures_in_a_row_only) {
    scenario s;
    s.rules.rewind = rewind_policy::refuse;
    s.probe = 400;
    EXPECT_EQ(run(s).restarts, 0U);
    s.probe = 200;
    EXPECT_EQ(run(s).restarts, 1U);
    // A deploy in between starts the count again: 96 before it, then none fails.
    s.deploys_ns = {112 * ms};
    EXPECT_EQ(run(s).restarts, 1U);
    EXPECT_EQ(run(s).restart_log[0].true_ns, 112 * ms);
    EXPECT_EQ(run(s).refused, 96U);
}

TEST(run, resume_and_skip_remember_the_highest_tick_of_all_processes) {
    scenario s;
    s.start = start_rule::skip;
    s.deploys_ns = {120 * ms, 130 * ms};
    EXPECT_EQ(run(s).duplicates, 0U);
    EXPECT_EQ(tell(s).steps[960].tick, 100);
    EXPECT_EQ(tell(s).steps[1040].tick, 101);
}

TEST(run, clamp_holds_on_to_its_cursor_even_before_the_epoch) {
    scenario s;
    s.step_at_ns = 20 * ms;
    s.rewind_ns = 60 * ms;
    const verdict v = run(s);
    EXPECT_EQ(v.refused, 0U);
    EXPECT_EQ(v.duplicates, 0U);
    EXPECT_EQ(v.ahead_ms, 19 + 40);
    s.deploys_ns = {20 * ms};  // a new process that knows nothing has nothing to hold on to
    EXPECT_EQ(run(s).refused, 40U * 8);
}

TEST(run, borrowed_counts_ticks_taken_because_one_was_spent) {
    scenario s = tight();
    s.rules.overflow = overflow_policy::borrow;
    const verdict v = run(s);
    EXPECT_EQ(v.stalled_ns, 0);
    EXPECT_EQ(v.borrowed, 10U);  // ticks 10 to 19, each before its time
    EXPECT_EQ(v.ahead_ms, 3);
    s.rules.ahead_max = 2;
    EXPECT_EQ(run(s).ahead_ms, 2);
    EXPECT_GT(run(s).refused, 0U);
}

TEST(run, says_exhausted_and_goes_on_refusing) {
    scenario s;
    s.layout = {.timestamp_bits = 7, .machine_bits = 25, .sequence_bits = 31};
    EXPECT_EQ(run(s).issued, 178U * 8);  // the wall reads 128 at true 178
    EXPECT_EQ(run(s).refused, 22U * 8);
}

TEST(run, inversions_are_counted_when_asked_for) {
    scenario s;
    EXPECT_EQ(run(s).inversions, std::nullopt);
    s.count_inversions = true;
    EXPECT_EQ(run(s).inversions, 0U);
    s.rules.rewind = rewind_policy::unsafe_blind;
    // The 400 of ms 50 to 99 are larger than those that come again before them: 50 × 49 / 2 pairs of ticks of
    // 8 × 8 ids, and 8 × 7 / 2 pairs in each of the 50 ticks that come again.
    EXPECT_EQ(run(s).inversions, 50U * 49 / 2 * 64 + 50 * 28);
}

TEST(run, figures_do_not_depend_on_the_epoch) {
    scenario s;
    s.rules.rewind = rewind_policy::unsafe_blind;
    const verdict v = run(s);
    s.layout.epoch_ms = 1'288'834'974'657;
    EXPECT_EQ(run(s), v);
}

std::string records_of(const scenario& s) {
    // One name for each process, so that tests may run side by side.
    const auto path =
        std::filesystem::temp_directory_path() / ("firn_lab_rows_" + std::to_string(::getpid()));
    records rows{path.string()};
    run(s, {.rows = &rows});
    rows.close();
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    std::filesystem::remove(path);
    return text.str();
}

TEST(run, records_have_one_row_a_request) {
    scenario s;
    s.rules.rewind = rewind_policy::refuse;
    s.rate = {1, 1};
    s.step_at_ns = 3 * ms;
    s.rewind_ns = 2 * ms;
    s.duration_ns = 5 * ms;
    EXPECT_EQ(records_of(s),
              "true_ns,wall_ms,id,outcome\n"
              "0,0,28672,issued\n"
              "1000000,1,4222976,issued\n"
              "2000000,2,8417280,issued\n"
              "3000000,1,,refused\n"
              "4000000,2,8417281,issued\n");
}

TEST(run, the_same_scenario_gives_byte_identical_records) {
    scenario s;
    s.rules.rewind = rewind_policy::unsafe_blind;
    s.deploys_ns = {120 * ms};
    const std::string rows = records_of(s);
    EXPECT_EQ(records_of(s), rows);
    // On every machine: FNV-1a of the bytes.
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : rows) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    EXPECT_EQ(hash, 15261350195833153101U);
}

TEST(run, records_that_cannot_be_written_are_an_error) {
    EXPECT_THROW(records{"/no/such/folder/rows.csv"}, std::runtime_error);
    const scenario s;
    records full{"/dev/full"};
    EXPECT_THROW(
        {
            run(s, {.rows = &full});
            full.close();
        },
        std::runtime_error);
}

TEST(run, verdict_as_json_has_its_keys_in_order) {
    scenario s;
    s.rules.rewind = rewind_policy::refuse;
    s.probe = 10;
    EXPECT_EQ(to_json(run(s)),
              "{\"offered\":1600,\"issued\":1590,\"refused\":10,\"duplicates\":390,\"restarts\":1,"
              "\"stalled_ms\":0,\"borrowed\":0,\"ahead_ms\":0,"
              "\"restart_log\":[{\"true_ms\":101.125,\"wall_ms\":51}],"
              "\"first_duplicate\":{\"id\":\"213938176\",\"first_true_ms\":51,\"again_true_ms\":101.25}}");
}

}  // namespace
