#include "firn/sequencer.hpp"

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

constexpr layout epoch0 = make_layout({});

std::uint32_t sequence(const outcome<id>& r) {
    return epoch0.decode(r.value()).sequence;
}

// It is a value: a constant expression can run it.
static_assert([] {
    sequencer s{{.layout = epoch0, .machine = 7}};
    return *s.try_next(tick{50}) == id{209743872} && *s.try_next(tick{50}) == id{209743873};
}());

TEST(sequencer, tells_every_refusal_with_its_amount_and_changes_nothing) {
    const auto refusal = [](policy p, std::int64_t last, std::uint32_t seq, std::int64_t now) {
        sequencer s{{.layout = epoch0, .machine = 7, .policy = p}};
        s.restore({.last = slot::at(tick{last}, seq, 12)});
        const cursor before = s.state();
        const outcome<id> r = s.try_next(tick{now});
        EXPECT_EQ(s.state(), before);
        return r;
    };
    EXPECT_THAT(refusal({.rewind = rewind_policy::refuse}, 100, 3, 93), fails_with(errc::clock_rewound, 7));
    EXPECT_THAT(refusal({.overflow = overflow_policy::spin}, 100, 4095, 100),
                fails_with(errc::tick_full, 101));
    EXPECT_THAT(refusal({.ahead_max = 5}, 100, 3, 93), fails_with(errc::ahead_limit, 7));
    EXPECT_THAT(refusal({.ahead_max = 0}, 100, 4095, 100), fails_with(errc::ahead_limit, 1));
    EXPECT_THAT(refusal({}, -1, 4095, -8), fails_with(errc::before_epoch, 8));
    EXPECT_THAT(refusal({}, 5, 0, std::int64_t{1} << 41), fails_with(errc::exhausted, 1));
    EXPECT_THAT(refusal({}, 5, 0, (std::int64_t{1} << 41) + 9), fails_with(errc::exhausted, 10));
    EXPECT_THAT(refusal({}, (std::int64_t{1} << 41) - 1, 4095, 0), fails_with(errc::exhausted, 1));
}

TEST(sequencer, goes_on_from_a_memory_that_is_given_to_it) {
    sequencer first{{.layout = epoch0, .machine = 7}};
    (void)first.try_next(tick{100});
    (void)first.try_next(tick{100});
    sequencer second{{.layout = epoch0, .machine = 7}};
    second.restore(first.state());
    EXPECT_EQ(sequence(second.try_next(tick{100})), 2U);
    EXPECT_EQ(second.layout_of(), epoch0);
    EXPECT_EQ(second.machine(), 7U);
}

TEST(sequencer, free_running_spends_a_tick_when_the_counter_has_come_round) {
    sequencer s{{.layout = epoch0,
                 .machine = 7,
                 .policy = {.overflow = overflow_policy::spin, .variant = decision_variant::free_running}}};
    EXPECT_EQ(sequence(s.try_next(tick{10})), 0U);
    EXPECT_EQ(sequence(s.try_next(tick{10})), 1U);
    EXPECT_EQ(sequence(s.try_next(tick{11})), 2U) << "never reset on a new tick";
    for (int i = 1; i < 4096; ++i) ASSERT_TRUE(s.try_next(tick{11}));
    EXPECT_THAT(s.try_next(tick{11}), fails_with(errc::tick_full, 12));
    EXPECT_THAT(s.try_next(tick{11}), fails_with(errc::tick_full, 12));
    EXPECT_EQ(sequence(s.try_next(tick{12})), 2U);
}

TEST(sequencer, takes_the_sequence_bits_of_its_layout_whatever_the_policy_says) {
    basic_sequencer<fixed_packer<layouts::twitter>> s{{.policy = {.sequence_bits = 3}}};
    for (int i = 0; i < 4096; ++i) ASSERT_EQ(layouts::twitter.decode(*s.try_next(tick{5})).tick, tick{5});
    EXPECT_EQ(layouts::twitter.decode(*s.try_next(tick{5})).tick, tick{6});
}

TEST(sequencer, refuses_what_makes_no_sense_when_it_is_made) {
    EXPECT_THAT([] { sequencer({.layout = epoch0, .machine = 1024}); }, throws(errc::machine_out_of_range));
    EXPECT_THAT([] { sequencer({.layout = layout{.sequence_bits = 13}}); }, throws(errc::bad_layout));
}

}  // namespace
}  // namespace firn
