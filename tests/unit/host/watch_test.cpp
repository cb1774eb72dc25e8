// The loop of `firn watch`, on a host that the test moves: steps told and untold, suspension, slewing, ends.
#include "host/watch.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "lab/recording/track.hpp"
#include "tests/unit/host/scripted_host.hpp"

namespace firn::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t s = 1000 * ms;

struct kept final : watch_sink {
    void step(const seen_step& one) override { steps.push_back(one); }
    void sample(const lab::recorded_sample& one) override {
        at_ms.push_back((one.steady_ns - scripted_host::begin_steady_ns) / ms);
        if (at_ms.size() >= most) listens = false;
    }
    bool wanted() const override { return listens; }

    std::vector<seen_step> steps;
    std::vector<std::int64_t> at_ms;
    std::size_t most = 1'000'000;
    bool listens = true;
};

TEST(watch, looks_once_an_interval_and_at_the_end) {
    scripted_host h;
    kept to;
    const watch_summary seen = watch(h.clocks(), h.pacer(), to, {.for_ns = 3500 * ms});
    EXPECT_THAT(to.at_ms, ElementsAre(0, 1000, 2000, 3000, 3500));
    EXPECT_THAT(to.steps, IsEmpty());
    EXPECT_EQ(seen.samples, 5U);
    EXPECT_EQ(seen.first.wall_ns, scripted_host::begin_wall_ns);
    EXPECT_EQ(seen.last.wall_ns, scripted_host::begin_wall_ns + 3500 * ms);
    EXPECT_EQ(seen.last.maxerror_us, 1500);
}

TEST(watch, a_step_that_the_kernel_tells_is_seen_when_it_happens) {
    scripted_host h;
    h.step_at(1300 * ms, -50 * ms);
    kept to;
    const watch_summary seen = watch(h.clocks(), h.pacer(), to, {.for_ns = 3 * s});
    EXPECT_THAT(to.at_ms, ElementsAre(0, 1000, 1300, 2000, 3000)) << "and shifts nothing";
    ASSERT_EQ(to.steps.size(), 1U);
    EXPECT_EQ(to.steps[0].by_ns, -50 * ms);
    EXPECT_EQ(to.steps[0].steady_ns, scripted_host::begin_steady_ns + 1300 * ms);
    EXPECT_EQ(to.steps[0].wall_ns, scripted_host::begin_wall_ns + 1250 * ms);
    EXPECT_EQ(seen.steps_back, 1U);
    EXPECT_EQ(seen.sets, 1U);
}

TEST(watch, a_step_that_it_does_not_tell_is_seen_at_the_next_look) {
    scripted_host h;
    h.step_at(1300 * ms, 7 * s, false);
    h.step_at(2500 * ms, -8 * s, false);
    kept to;
    const watch_summary seen = watch(h.clocks(), h.pacer(), to, {.for_ns = 4 * s});
    ASSERT_EQ(to.steps.size(), 2U);
    EXPECT_EQ(to.steps[0].by_ns, 7 * s);
    EXPECT_EQ(to.steps[1].by_ns, -8 * s);
    EXPECT_EQ(seen.steps, 2U);
    EXPECT_EQ(seen.steps_back, 1U);
    EXPECT_EQ(seen.largest_step_ns, -8 * s);
}

TEST(watch, the_threshold_is_where_a_step_begins) {
    for (const std::int64_t by : {499'999, -499'999, 500'000, -500'000}) {
        scripted_host h;
        h.step_at(1500 * ms, by, false);
        kept to;
        watch(h.clocks(), h.pacer(), to, {.for_ns = 3 * s});
        EXPECT_EQ(to.steps.size(), by == 500'000 || by == -500'000 ? 1U : 0U) << by;
    }
}

TEST(watch, a_set_that_moved_nothing_is_counted_and_leaves_no_sample) {
    scripted_host h;
    h.step_at(1300 * ms, 1000);
    kept to;
    const watch_summary seen = watch(h.clocks(), h.pacer(), to, {.for_ns = 2 * s});
    EXPECT_THAT(to.at_ms, ElementsAre(0, 1000, 2000));
    EXPECT_EQ(seen.sets, 1U);
    EXPECT_EQ(seen.steps, 0U);
}

TEST(watch, a_suspended_host_has_no_step_and_misses_its_looks) {
    scripted_host h;
    h.suspend_at(1500 * ms, 3600 * s);
    kept to;
    watch(h.clocks(), h.pacer(), to, {.for_ns = 3603 * s});
    EXPECT_THAT(to.steps, IsEmpty());
    EXPECT_THAT(to.at_ms, ElementsAre(0, 1000, 3'602'000, 3'603'000)) << "and does not make up for them";
}

TEST(watch, a_signal_ends_it_with_a_last_sample) {
    scripted_host h;
    h.stop_at(2200 * ms);
    h.step_at(2100 * ms, -s, false);
    kept to;
    const watch_summary seen = watch(h.clocks(), h.pacer(), to, {});
    EXPECT_THAT(to.at_ms, ElementsAre(0, 1000, 2000, 2200));
    EXPECT_EQ(seen.steps, 1U) << "what happened just before it is not lost";
}

TEST(watch, ends_when_nobody_listens) {
    scripted_host h;
    kept to;
    to.most = 2;
    EXPECT_EQ(watch(h.clocks(), h.pacer(), to, {}).samples, 2U);
}

TEST(watch, goes_on_from_what_was_recorded_before) {
    scripted_host h;
    kept to;
    const lab::recorded_sample before{.steady_ns = scripted_host::begin_steady_ns - 100 * s,
                                      .wall_ns = scripted_host::begin_wall_ns - 98 * s};
    watch(h.clocks(), h.pacer(), to, {.for_ns = s, .before = before});
    ASSERT_EQ(to.steps.size(), 1U);
    EXPECT_EQ(to.steps[0].by_ns, -2 * s) << "a step in between";

    kept another;
    const lab::recorded_sample later{.steady_ns = scripted_host::begin_steady_ns + 100 * s,
                                     .wall_ns = scripted_host::begin_wall_ns};
    watch(h.clocks(), h.pacer(), another, {.for_ns = s, .before = later});
    EXPECT_THAT(another.steps, IsEmpty()) << "a steady clock that went back is another one";
}

TEST(watch, what_was_seen_is_what_a_replay_finds) {
    struct written final : watch_sink {
        void step(const seen_step& one) override {
            text += lab::step_line(one.steady_ns, one.wall_ns, one.by_ns);
        }
        void sample(const lab::recorded_sample& one) override { text += lab::line_of(one); }
        std::string text = lab::header_of(std::string(32, 'a'));
    } to;
    scripted_host h;
    h.step_at(1300 * ms, -50 * ms);
    h.suspend_at(2500 * ms, 60 * s);
    h.step_at(64'500 * ms, 3 * s, false);
    watch(h.clocks(), h.pacer(), to, {.for_ns = 70 * s});
    std::istringstream in{to.text};
    const lab::recording r = lab::read_recording(in, "clock.rec", {});
    EXPECT_EQ(r.not_understood, 0U);
    const lab::clock_track t = lab::track_of(r, {});
    ASSERT_EQ(t.steps.size(), 2U);
    EXPECT_EQ(t.steps[0].by_ns, -50 * ms);
    EXPECT_EQ(t.steps[0].true_ns - t.begin_ns, 1300 * ms);
    EXPECT_EQ(t.steps[1].by_ns, 3 * s);
    ASSERT_EQ(lab::rewind_windows(t, 1).size(), 1U);
    EXPECT_EQ(lab::rewind_windows(t, 1)[0].depth_ns, 50 * ms);
}

TEST(watch, what_the_sink_throws_ends_it) {
    struct full final : watch_sink {
        void step(const seen_step&) override {}
        void sample(const lab::recorded_sample&) override { throw std::runtime_error("full"); }
    } to;
    scripted_host h;
    EXPECT_THROW(watch(h.clocks(), h.pacer(), to, {}), std::runtime_error);
}

}  // namespace
}  // namespace firn::host
