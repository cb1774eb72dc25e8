// The hunt: every deliberate bug is found, and in the product nothing is.
#include "lab/hunt/hunt.hpp"

#include <gmock/gmock.h>

#include <string>

#include "lab/hunt/story.hpp"
#include "lab/journal/bug.hpp"

namespace {

using namespace firn;
using lab::bug;

struct target {
    lab::bug bug;
    std::uint64_t seed;
};

std::string name_of_target(const testing::TestParamInfo<target>& info) {
    std::string name{lab::name_of(info.param.bug)};
    for (char& c : name)
        if (c == '-') c = '_';
    return name;
}

class Hunt : public testing::TestWithParam<target> {};

TEST_P(Hunt, FindsTheBugAndShrinksIt) {
    const lab::hunt_result r = lab::hunt({.seed = GetParam().seed, .bug = GetParam().bug, .worlds = 4000});
    ASSERT_TRUE(r.found);
    EXPECT_EQ(r.broken.flaw, lab::flaw::repeated);
    EXPECT_LE(r.smallest.actions.size(), 90U);
    // The printed scenario alone shows it again; and with the bug taken out it is harmless.
    lab::script again = lab::script_of(to_text(r.smallest));
    EXPECT_EQ(lab::play_script(again).flaw, lab::flaw::repeated) << to_text(r.smallest);
    if (again.setup.memory != lab::memory::journal) return;
    again.setup.bug = bug::none;
    EXPECT_EQ(lab::play_script(again).flaw, lab::flaw::none) << to_text(again);
}

INSTANTIATE_TEST_SUITE_P(Every, Hunt,
                         testing::Values(target{bug::blind, 1}, target{bug::refuse_probe, 1},
                                         target{bug::amnesia, 1}, target{bug::resume, 1},
                                         target{bug::ceiling_after_use, 1},
                                         target{bug::trusted_across_boots, 1}, target{bug::half_pair, 1},
                                         target{bug::block_across_fork, 1}, target{bug::late_write, 2},
                                         target{bug::published_before_sync, 1},
                                         target{bug::read_back_unsynced, 5}, target{bug::sync_retried, 2},
                                         target{bug::closed_while_shared, 5},
                                         target{bug::write_back_unnoticed, 2}, target{bug::name_unsynced, 1}),
                         name_of_target);

TEST(HuntList, NamesEveryBugOnce) {
    EXPECT_EQ(lab::bugs().size(), 15U);
    for (const lab::bug_entry& b : lab::bugs()) EXPECT_EQ(lab::bug_named(b.name), b.which);
}

TEST(Hunt, FindsNothingInTheProduct) {
    const lab::hunt_result r = lab::hunt({.seed = 1, .threads = 2, .worlds = 6000});
    EXPECT_EQ(r.worlds, 6000U);
    EXPECT_FALSE(r.found) << lab::describe(r.broken.flaw) << "\n" << to_text(r.smallest);
    // A hunt in which nothing happens finds nothing either.
    EXPECT_GT(r.ids, 50'000U);
    for (const lab::act a : {lab::act::kill, lab::act::fork, lab::act::power, lab::act::evict,
                             lab::act::write_back, lab::act::page_evict, lab::act::close, lab::act::claim})
        EXPECT_GT(r.by_act[static_cast<std::size_t>(a)], 20U) << name_of(a);
    EXPECT_GT(r.mishaps, 1000U);
}

TEST(Hunt, FindsTheSameWithAnyNumberOfThreads) {
    const lab::hunt_result one = lab::hunt({.seed = 3, .bug = bug::half_pair, .threads = 1, .worlds = 4000});
    const lab::hunt_result three =
        lab::hunt({.seed = 3, .bug = bug::half_pair, .threads = 3, .worlds = 4000});
    ASSERT_TRUE(one.found && three.found);
    EXPECT_EQ(one.world, three.world);
    EXPECT_EQ(to_text(one.smallest), to_text(three.smallest));
}

}  // namespace
