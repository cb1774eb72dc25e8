// Replayed clocks: steps found where they were, and the windows against the whole simulated in one piece.
#include "lab/recording/replay.hpp"

#include <gmock/gmock.h>

#include "lab/parameters.hpp"
#include "lab/random.hpp"

namespace {

using namespace firn::lab;

constexpr std::int64_t s_ns = 1'000'000'000;
constexpr std::int64_t start = 1'700'000'000 * s_ns;

/// A daemon's records, one every `gap` seconds.
recording recorded(const std::vector<std::int64_t>& errors_ms, std::int64_t gap = 16,
                   recording_format f = recording_format::chrony_tracking) {
    recording r;
    r.format = f;
    for (std::size_t i = 0; i < errors_ms.size(); ++i)
        r.samples.push_back({.true_ns = start + static_cast<std::int64_t>(i) * gap * s_ns,
                             .error_ns = errors_ms[i] * ns_per_ms,
                             .line = i + 1});
    return r;
}

std::string refused_argument(const recording& r, const replay_options& o) {
    try {
        const replay each{track_of(r, {}), o};
    } catch (const argument_error& e) {
        return e.name();
    }
    return "";
}

TEST(replay, a_daemon_steps_when_it_sees_the_error) {
    const clock_track t = track_of(recorded({0, 500, 0, 20, 40}), {});
    ASSERT_EQ(t.steps.size(), 2U);
    EXPECT_EQ(t.steps[0].true_ns, start) << "forward, some time after the first record";
    EXPECT_EQ(t.steps[0].by_ns, 500 * ns_per_ms);
    EXPECT_EQ(t.steps[1].true_ns, start + 16 * s_ns);
    EXPECT_EQ(t.steps[1].by_ns, -500 * ns_per_ms);
    EXPECT_EQ(t.steps[1].line, 3U);
    EXPECT_EQ(t.pieces.back().ppb, 1'250'000) << "20 ms in 16 s is a slew";
    EXPECT_EQ(t.pieces.back().error_at(t.end_ns), 40 * ns_per_ms);
}

TEST(replay, firn_saw_the_step_itself) {
    const clock_track t = track_of(recorded({0, -50, -50}, 16, recording_format::firn), {});
    ASSERT_EQ(t.steps.size(), 1U);
    EXPECT_EQ(t.steps[0].true_ns, start + 16 * s_ns);
}

TEST(replay, what_is_too_fast_for_a_slew_is_a_step) {
    EXPECT_EQ(track_of(recorded({0, 90}, 16), {}).steps.size(), 0U);
    EXPECT_EQ(track_of(recorded({0, 90}, 16), {.step_min_ns = 80 * ns_per_ms}).steps.size(), 1U);
    EXPECT_EQ(track_of(recorded({0, 1900}, 16), {.step_min_ns = 10'000 * ns_per_ms}).steps.size(), 1U);
    EXPECT_EQ(track_of(recorded({0, 1500}, 16), {.step_min_ns = 10'000 * ns_per_ms}).steps.size(), 0U);
}

TEST(replay, the_studys_step_in_a_recording_costs_what_the_study_says) {
    // 8 requests per ms, 50 ms back: the headline trace in the middle of some minutes.
    const recording r = recorded({0, 0, 0, -50, -50, -50, -50}, 16, recording_format::firn);
    const replay all{track_of(r, {}), {.deploys = false}};
    ASSERT_EQ(all.windows().size(), 1U);
    EXPECT_LT(all.simulated(), all.offered() / 4);
    EXPECT_EQ(all.offered(), 96'000U * 8);
    const verdict blind = all.run({.rewind = firn::rewind_policy::unsafe_blind}, start_rule::amnesia);
    EXPECT_EQ(blind.duplicates, 400U);
    EXPECT_EQ(blind.issued, all.offered());
    const verdict refuse = all.run({.rewind = firn::rewind_policy::refuse}, start_rule::amnesia);
    EXPECT_EQ(refuse.refused, 392U);
    EXPECT_EQ(refuse.issued + refuse.refused, all.offered());
    EXPECT_EQ(refuse.duplicates, 0U);
    EXPECT_EQ(all.run({}, start_rule::amnesia).duplicates, 0U);

    replay_options o;
    o.deploy_after_ns = 20 * ns_per_ms;
    const replay deployed{track_of(r, {}), o};
    EXPECT_EQ(deployed.run({}, start_rule::amnesia).duplicates, 240U);
    EXPECT_EQ(deployed.run({}, start_rule::resume).duplicates, 167U);
    EXPECT_EQ(deployed.run({}, start_rule::skip).duplicates, 0U);
}

/// The whole recording as one scenario: what a replay must come to.
verdict in_one_piece(const replay& r, const replay_options& o, const firn::policy& rules,
                     start_rule start_with) {
    const clock_track& t = r.track();
    scenario s = o.base;
    s.rules = rules;
    s.start = start_with;
    s.rewind_ns = 0;
    s.duration_ns = t.end_ns - t.begin_ns;
    s.clock.push_back({.at_ns = 0, .by_ns = t.begin_ns + t.pieces.front().error_ns});
    std::int64_t error = t.pieces.front().error_ns;
    for (std::size_t i = 0; i < t.pieces.size(); ++i) {
        const track_piece& p = t.pieces[i];
        const std::int64_t at = p.begin_ns - t.begin_ns;
        if (i > 0) error = t.pieces[i - 1].error_at(p.begin_ns);
        if (p.error_ns != error) s.clock.push_back({.at_ns = at, .by_ns = p.error_ns - error});
        const std::int64_t end = i + 1 < t.pieces.size() ? t.pieces[i + 1].begin_ns : t.end_ns;
        const std::int64_t gained = p.error_at(end) - p.error_ns;
        if (gained != 0) s.clock.push_back({.at_ns = at, .by_ns = gained, .over_ns = end - p.begin_ns});
    }
    for (const clock_step& step : t.steps)
        if (step.by_ns < 0 && step.true_ns > t.begin_ns)
            s.deploys_ns.push_back(step.true_ns - t.begin_ns - step.by_ns / 2);
    return run(s);
}

TEST(replay, windows_come_to_the_same_as_the_whole) {
    random_stream numbers{7};
    for (int round = 0; round < 12; ++round) {
        std::vector<std::int64_t> errors{0};
        for (int i = 0; i < 12; ++i) {
            const auto kind = numbers.below(5);
            const auto by = static_cast<std::int64_t>(numbers.below(kind == 0 ? 4000 : 16));
            errors.push_back(kind == 0   ? errors.back() - by
                             : kind == 1 ? errors.back() + by * 100
                                         : errors.back() + by - 8);
        }
        replay_options o;
        o.base.rate = {.requests = 3, .per_ms = 1};
        o.base.probe = round % 2 == 0 ? 10 : 0;
        const replay r{track_of(recorded(errors, 16), {}), o};
        for (const auto policy :
             {firn::rewind_policy::unsafe_blind, firn::rewind_policy::refuse, firn::rewind_policy::clamp})
            for (const auto begin :
                 {start_rule::amnesia, start_rule::resume, start_rule::skip, start_rule::journal}) {
                if (keeps_journal(begin) && policy == firn::rewind_policy::unsafe_blind) continue;
                const firn::policy rules{.rewind = policy, .overflow = firn::overflow_policy::spin};
                const verdict windows = r.run(rules, begin);
                const verdict whole = in_one_piece(r, o, rules, begin);
                EXPECT_EQ(to_json(windows), to_json(whole)) << "round " << round;
                if (keeps_journal(begin)) {
                    EXPECT_EQ(windows.duplicates, 0U) << "round " << round;
                }
            }
    }
}

TEST(replay, a_leap_forward_and_back_is_one_window) {
    const recording r = recorded({0, 0, 3'600'000, 3'600'000, 0, 0, 0}, 64);
    replay_options o;
    o.base.rate = {.requests = 1, .per_ms = 10};
    const replay all{track_of(r, {}), o};
    ASSERT_EQ(all.windows().size(), 1U);
    EXPECT_EQ(all.windows()[0].end_ns, all.track().end_ns)
        << "an hour is not made up in a recording of minutes";
    EXPECT_EQ(all.windows()[0].depth_ns, 3'600'000 * ns_per_ms);
    EXPECT_GT(all.run({.rewind = firn::rewind_policy::refuse}, start_rule::skip).refused, 0U);
    EXPECT_GE(all.run({}, start_rule::skip).ahead_ms, 3'500'000);
}

TEST(replay, arguments_that_cannot_be_are_refused_by_name) {
    const recording r = recorded({0, 0, -500, -500});
    replay_options o;
    o.base.rate = {.requests = 2049, .per_ms = 1};
    EXPECT_EQ(refused_argument(r, o), "rate");
    o.base.rate = {.requests = 333'333'333, .per_ms = 1'000'000'000};
    EXPECT_EQ(refused_argument(r, o), "rate");
    o.base.rate = {};
    o.base.layout.epoch_ms = start / ns_per_ms + 1000;
    EXPECT_EQ(refused_argument(r, o), "epoch");
    o.base.layout.epoch_ms = 0;
    o.base.layout.timestamp_bits = 40;
    o.base.layout.machine_bits = 11;
    EXPECT_EQ(refused_argument(r, o), "layout");
    o.base.layout = {};
    const recording weeks = recorded({0, 0, 400'000'000, 400'000'000, 0, 0}, 1'000'000);
    EXPECT_EQ(refused_argument(weeks, o), "rate") << "more than fits into memory";
}

}  // namespace
