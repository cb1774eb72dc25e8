#include "firn/claim.hpp"

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

constexpr policy twelve{};
constexpr slot end = slot::at(tick{1000}, 0, 12);

struct words : cursor_words {
    explicit words(slot last = no_slot, slot limit = end) {
        cursor = last.value;
        ceiling = limit.value;
    }
};

TEST(claim_slots, moves_the_cursor_to_the_last_slot_claimed) {
    words w;
    const claim a = claim_slots(w, tick{5}, twelve, end, 1);
    EXPECT_EQ(a.code, errc::ok);
    EXPECT_EQ(a.first, slot::at(tick{5}, 0, 12));
    EXPECT_EQ(a.count, 1U);
    EXPECT_EQ(w.cursor.load(), a.first.value);
    const claim b = claim_slots(w, tick{5}, twelve, end, 64);
    EXPECT_EQ(b.first.value, a.first.value + 1);
    EXPECT_EQ(b.count, 64U);
    EXPECT_EQ(w.cursor.load(), a.first.value + 64);
}

TEST(claim_slots, never_hands_out_the_ceiling) {
    const slot ceiling = slot::at(tick{5}, 10, 12);
    words w{slot::at(tick{5}, 7, 12), ceiling};
    const claim rest = claim_slots(w, tick{5}, twelve, end, 64);
    EXPECT_EQ(rest.count, 2U);
    EXPECT_EQ(w.cursor.load(), ceiling.value - 1);
    const claim none = claim_slots(w, tick{5}, twelve, end, 64);
    EXPECT_EQ(none.code, errc::ceiling_reached);
    EXPECT_EQ(none.amount, 1);
    EXPECT_EQ(claim_slots(w, tick{6}, twelve, end, 1).amount, 4096 - 10 + 1)
        << "the wall's slot is further past it";
    EXPECT_EQ(w.cursor.load(), ceiling.value - 1);

    w.ceiling = ceiling.value + 1;
    EXPECT_EQ(claim_slots(w, tick{5}, twelve, end, 64).first, ceiling);
}

TEST(claim_slots, says_exhausted_at_the_end_of_life_even_when_a_ceiling_is_in_the_way) {
    words w{slot{end.value - 2}};
    EXPECT_EQ(claim_slots(w, tick{999}, twelve, end, 9).count, 1U);
    const claim over = claim_slots(w, tick{999}, twelve, end, 1);
    EXPECT_EQ(over.code, errc::exhausted);
    EXPECT_EQ(over.amount, 1);
    EXPECT_EQ(claim_slots(w, tick{1009}, twelve, end, 1).amount, 10);
    EXPECT_EQ(w.cursor.load(), end.value - 1);

    words reserved{no_slot, slot{100}};
    EXPECT_EQ(claim_slots(reserved, tick{1000}, twelve, end, 1).code, errc::exhausted);
    EXPECT_EQ(reserved.cursor.load(), no_slot.value);
}

TEST(claim_slots, passes_every_refusal_on_and_changes_nothing) {
    const auto refused = [](policy p, slot last, tick now) {
        words w{last};
        const claim c = claim_slots(w, now, p, end, 64);
        EXPECT_EQ(w.cursor.load(), last.value);
        EXPECT_EQ(c.count, 0U);
        return std::pair{c.code, c.amount};
    };
    const slot in_100 = slot::at(tick{100}, 3, 12);
    const slot full_100 = slot::at(tick{100}, 4095, 12);
    EXPECT_EQ(refused({.rewind = rewind_policy::refuse}, in_100, tick{98}),
              std::pair(errc::clock_rewound, std::int64_t{2}));
    EXPECT_EQ(refused({.overflow = overflow_policy::spin}, full_100, tick{100}),
              std::pair(errc::tick_full, std::int64_t{101}));
    EXPECT_EQ(refused({.ahead_max = 1}, in_100, tick{98}), std::pair(errc::ahead_limit, std::int64_t{2}));
    EXPECT_EQ(refused({}, no_slot, tick{-3}), std::pair(errc::before_epoch, std::int64_t{3}));
}

}  // namespace
}  // namespace firn
