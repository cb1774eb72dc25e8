// The start rules D and E: what the production journal gives where the study's rules A, B and C repeat ids.
#include "lab/journal_process.hpp"

#include <gmock/gmock.h>

#include "lab/random.hpp"
#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"
#include "tests/support/firn_matchers.hpp"

namespace {

using namespace firn;
using namespace firn::lab;

/// Any rewind, rate, layout and rules that keep their promise; nothing restarts.
scenario drawn(random_stream& dice) {
    scenario s;
    const auto bits = static_cast<std::uint8_t>(2 + dice.below(11));
    s.layout = {
        .timestamp_bits = static_cast<std::uint8_t>(53 - bits), .machine_bits = 10, .sequence_bits = bits};
    s.rate = {static_cast<std::int64_t>(1 + dice.below(20)), 1};
    s.rewind_ns = static_cast<std::int64_t>(dice.below(120)) * ns_per_ms;
    s.rules.rewind = dice.below(2) == 0 ? rewind_policy::refuse : rewind_policy::clamp;
    s.rules.overflow = dice.below(2) == 0 ? overflow_policy::spin : overflow_policy::borrow;
    s.rules.variant = dice.below(2) == 0 ? decision_variant::strict : decision_variant::inclusive;
    s.window_ms = static_cast<std::int64_t>(1 + dice.below(60));
    return s;
}

TEST(journal_process, without_a_restart_is_the_sequencer) {
    random_stream dice{1};
    for (int i = 0; i < 300; ++i) {
        scenario s = drawn(dice);
        const verdict plain = run(s);
        s.start = start_rule::journal;
        verdict kept = run(s);
        EXPECT_EQ(kept.skipped, 0U);
        kept.skipped = plain.skipped;
        EXPECT_EQ(kept, plain) << "case " << i;
    }
}

TEST(journal_process, repeats_nothing_whatever_restarts_it) {
    random_stream dice{2};
    std::uint64_t restarts = 0;
    std::uint64_t forgotten = 0;
    for (int i = 0; i < 300; ++i) {
        scenario s = drawn(dice);
        s.probe = dice.below(20);
        for (std::uint64_t n = dice.below(3); n > 0; --n)
            s.deploys_ns.push_back(static_cast<std::int64_t>(dice.below(200)) * ns_per_ms);
        for (std::uint64_t n = dice.below(3); n > 0; --n)
            s.kills_ns.push_back(static_cast<std::int64_t>(dice.below(200'000'000)));
        forgotten += run(s).duplicates;
        for (const start_rule rule : {start_rule::journal, start_rule::reserve}) {
            s.start = rule;
            const verdict v = run(s);
            EXPECT_EQ(v.duplicates, 0U) << "case " << i;
            restarts += v.restarts;
        }
    }
    EXPECT_GT(restarts, 600U);
    EXPECT_GT(forgotten, 600U) << "or these worlds would show nothing: amnesia must fail in them";
}

TEST(journal_process, goes_on_from_the_very_slot_after_a_kill_and_past_the_window_after_power_loss) {
    scenario s;
    s.window_ms = 40;
    s.start = start_rule::journal;
    journal_process kept{s};
    s.start = start_rule::reserve;
    journal_process lost{s};
    for (journal_process* p : {&kept, &lost}) {
        ASSERT_TRUE(p->try_next(tick{5}));
        ASSERT_TRUE(p->try_next(tick{5}));
    }
    const id before = *kept.try_next(tick{5});
    const id spent = *lost.try_next(tick{5});
    kept.restart(tick{2});
    lost.restart(tick{2});
    EXPECT_EQ((*kept.try_next(tick{2})).value,
              before.value + (std::uint64_t{1} << s.layout.sequence_shift()));
    EXPECT_EQ(kept.skipped_slots(), 0U);
    EXPECT_GT((*lost.try_next(tick{5000})).value, spent.value);
    EXPECT_GT(lost.skipped_slots(), 0U);
    EXPECT_GT(lost.position(), 5);
}

TEST(journal_process, is_refused_what_a_journal_refuses) {
    scenario s;
    s.rules.variant = decision_variant::free_running;
    s.start = start_rule::reserve;
    EXPECT_THROW(check(s), argument_error);
    s.rules.variant = decision_variant::strict;
    s.rules.rewind = rewind_policy::unsafe_blind;
    EXPECT_THROW(check(s), argument_error);
    s.rules.rewind = rewind_policy::refuse;
    EXPECT_NO_THROW(check(s));
}

}  // namespace
