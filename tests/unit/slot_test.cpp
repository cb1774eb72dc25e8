#include "firn/slot.hpp"

#include <limits>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

TEST(slot, is_tick_and_sequence_as_one_integer) {
    for (unsigned bits = 1; bits <= 31; ++bits)
        for (const std::int64_t t :
             {std::int64_t{0}, std::int64_t{1}, std::int64_t{12345}, std::int64_t{0xffffffff}}) {
            const auto most = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
            for (const std::uint32_t s : {0U, 1U, most}) {
                const slot here = slot::at(tick{t}, s, bits);
                EXPECT_EQ(here.value, (t << bits) + s);
                EXPECT_EQ(here.tick_of(bits), tick{t});
                EXPECT_EQ(here.sequence_of(bits), s);
            }
            // The one after the last of a tick is the first of the next: "next" is "one more" everywhere.
            EXPECT_EQ(slot::at(tick{t}, most, bits).value + 1, slot::at(tick{t + 1}, 0, bits).value);
        }
}

TEST(slot, before_the_first_is_the_last_of_the_tick_before_the_epoch_in_every_layout) {
    for (unsigned bits = 1; bits <= 31; ++bits) {
        EXPECT_EQ(no_slot.tick_of(bits), tick{-1});
        EXPECT_EQ(no_slot.sequence_of(bits), (std::uint64_t{1} << bits) - 1);
        EXPECT_EQ(slot{no_slot.value + 1}, slot::at(tick{0}, 0, bits));
    }
}

TEST(slot, is_ordered_by_tick_then_sequence) {
    EXPECT_LT(slot::at(tick{1}, 4095, 12), slot::at(tick{2}, 0, 12));
    EXPECT_LT(slot::at(tick{1}, 0, 12), slot::at(tick{1}, 1, 12));
    EXPECT_LT(no_slot, slot{});
    EXPECT_LT(tick{-1}, tick{0});
}

}  // namespace
}  // namespace firn
