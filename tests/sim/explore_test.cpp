// The explorer: bounded here; `firn lab explore` goes all the way.
#include "lab/explore/explore.hpp"

#include <gmock/gmock.h>

#include <string>

#include "lab/explore/normal_form.hpp"
#include "lab/explore/state_queue.hpp"
#include "lab/hunt/play.hpp"
#include "lab/hunt/story.hpp"

namespace {

using namespace firn;

lab::exploration named(std::string_view name) {
    for (const lab::exploration& e : lab::small_worlds())
        if (e.name == name) return e;
    return {};
}

TEST(Explore, OneProcessAloneIsExploredToTheEnd) {
    lab::exploration e = named("plain");
    e.setup.processes = 1;
    const lab::exploration_result r = lab::explore(e);
    EXPECT_EQ(r.flaw, lab::flaw::none);
    EXPECT_TRUE(r.complete);
    EXPECT_GT(r.states, 5'000U);
    EXPECT_GT(r.issues, 500U);
    std::cout << r.states << " states, " << r.transitions << " transitions, depth " << r.depth << '\n';
}

class EverySmallWorld : public testing::TestWithParam<std::string> {};

TEST_P(EverySmallWorld, HasNoFlawInItsFirstStates) {
    lab::exploration e = named(GetParam());
    e.most_states = 40'000;
    const lab::exploration_result r = lab::explore(e);
    EXPECT_EQ(r.flaw, lab::flaw::none) << lab::to_text(lab::script{.setup = e.setup, .actions = r.history});
    EXPECT_GE(r.states, e.most_states);
    EXPECT_GT(r.issues, 0U);
    std::cout << r.states << " states, " << r.transitions << " transitions, depth " << r.depth << '\n';
}

INSTANTIATE_TEST_SUITE_P(Of, EverySmallWorld,
                         testing::Values("plain", "wide", "long", "records", "page", "late", "forks"),
                         [](const auto& of) { return of.param; });

struct broken_world {
    const char* world;
    lab::bug bug;
};

class BrokenWorld : public testing::TestWithParam<broken_world> {};

TEST_P(BrokenWorld, IsFoundByTheShortestWay) {
    lab::exploration e = named(GetParam().world);
    put_in(e.setup, GetParam().bug);
    if (!e.freedom.forks) e.setup.processes = 1;  // one is enough for these
    e.most_states = 400'000;
    const lab::exploration_result r = lab::explore(e);
    ASSERT_EQ(r.flaw, lab::flaw::repeated);
    const lab::script way{.setup = e.setup, .actions = r.history};
    EXPECT_EQ(lab::play_script(way).flaw, lab::flaw::repeated) << to_text(way);
    std::cout << r.states << " states: " << to_text(way) << '\n';
}

INSTANTIATE_TEST_SUITE_P(Of, BrokenWorld,
                         testing::Values(broken_world{"records", lab::bug::sync_retried},
                                         broken_world{"records", lab::bug::name_unsynced},
                                         broken_world{"plain", lab::bug::trusted_across_boots},
                                         broken_world{"plain", lab::bug::half_pair},
                                         broken_world{"page", lab::bug::write_back_unnoticed},
                                         broken_world{"forks", lab::bug::block_across_fork}),
                         [](const auto& of) {
                             std::string name{lab::name_of(of.param.bug)};
                             for (char& c : name)
                                 if (c == '-') c = '_';
                             return name;
                         });

TEST(StateQueue, GivesBackWhatWasPutIn) {
    const lab::script s = lab::script_of("layout=1/1 window=1 start:0 start:1 step:0*7 step:1");
    lab::world w(s.setup);
    lab::state_queue queue;
    std::vector<std::uint64_t> expected;
    for (const lab::action& a : s.actions) {
        w.apply(a);
        queue.push(w);
        expected.push_back(lab::fingerprint(w));
    }
    lab::world back(s.setup);
    for (const std::uint64_t f : expected) {
        ASSERT_TRUE(queue.pop(back));
        EXPECT_EQ(lab::fingerprint(back), f);
    }
    EXPECT_FALSE(queue.pop(back));
    // The last of them goes on as the original does.
    for (int i = 0; i < 6; ++i) {
        w.apply({.what = lab::act::step});
        back.apply({.what = lab::act::step});
        EXPECT_EQ(lab::fingerprint(back), lab::fingerprint(w));
    }
    EXPECT_EQ(w.state().processes[0].doing, lab::process::mode::up);
}

TEST(NormalForm, ProcessesThatChangePlacesAndLaterBootsMakeNoDifference) {
    const auto print = [](const char* text) {
        const lab::script s = lab::script_of(text);
        lab::world w(s.setup);
        for (const lab::action& a : s.actions) w.apply(a);
        lab::normalise(w);
        return lab::fingerprint(w);
    };
    EXPECT_EQ(print("layout=1/1 window=1 start:0 step:0*13 issue:0"),
              print("layout=1/1 window=1 start:1 step:1*13 issue:1"));
    EXPECT_EQ(print("layout=1/1 window=1 start:0 power:old/old,page=kept start:0 step:0*13"),
              print("layout=1/1 window=1 start:0 step:0*13"));
    EXPECT_NE(print("layout=1/1 window=1 start:0 step:0*13 issue:0"),
              print("layout=1/1 window=1 start:0 step:0*13"));
}

}  // namespace
