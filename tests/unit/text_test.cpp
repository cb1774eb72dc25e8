#include "firn/text.hpp"

#include <set>
#include <string>

#include "firn/layouts.hpp"
#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

MATCHER_P2(no_number, fault, position, "") {
    return !arg && arg.fault == fault && arg.position == std::uint32_t(position) && arg.value == 0;
}

// Case 27: what is no id, why, and where.
TEST(decimal, what_is_no_id_is_told_with_reason_and_place) {
    EXPECT_THAT(parse_decimal("14755887168818983731200"), no_number(text_fault::overflow, 20));
    EXPECT_THAT(parse_decimal("-1"), no_number(text_fault::bad_character, 0));
    EXPECT_THAT(parse_decimal("18446744073709551616"), no_number(text_fault::overflow, 19));
    EXPECT_THAT(parse_decimal("12 "), no_number(text_fault::bad_character, 2));
    EXPECT_THAT(parse_decimal("1e3"), no_number(text_fault::bad_character, 1));
    EXPECT_THAT(parse_decimal(""), no_number(text_fault::empty, 0));
    EXPECT_THAT(parse_decimal(" 12"), no_number(text_fault::bad_character, 0));
    EXPECT_THAT(parse_decimal("+5"), no_number(text_fault::bad_character, 0));
    EXPECT_THAT(parse_decimal("0x10"), no_number(text_fault::bad_character, 1));
    EXPECT_THAT(parse_decimal("1_000"), no_number(text_fault::bad_character, 1));
    EXPECT_THAT(parse_decimal("1."), no_number(text_fault::bad_character, 1));
    EXPECT_THAT(parse_decimal("12\n"), no_number(text_fault::bad_character, 2));
    EXPECT_THAT(parse_decimal(std::string{"12\0", 3}), no_number(text_fault::bad_character, 2));
    EXPECT_THAT(parse_decimal("\xd9\xa1"), no_number(text_fault::bad_character, 0));  // an Arabic digit one
    EXPECT_THAT(parse_decimal("007"), no_number(text_fault::not_canonical, 0));
    EXPECT_THAT(parse_decimal("00"), no_number(text_fault::not_canonical, 0));
    EXPECT_THAT(parse_decimal(std::string(100, '0')), no_number(text_fault::not_canonical, 0));
    EXPECT_THAT(parse_decimal(std::string(100, '9')), no_number(text_fault::overflow, 19));
}

TEST(decimal, every_number_up_to_its_bound_is_read) {
    EXPECT_EQ(parse_decimal("0"), (parsed{.value = 0}));
    EXPECT_EQ(parse_decimal("1593572310593806338"), (parsed{.value = 1593572310593806338}));
    EXPECT_EQ(parse_decimal("18446744073709551615"), (parsed{.value = 18446744073709551615U}));
    EXPECT_EQ(parse_decimal("9223372036854775807", 0x7fffffffffffffff),
              (parsed{.value = 0x7fffffffffffffff}));
    EXPECT_THAT(parse_decimal("9223372036854775808", 0x7fffffffffffffff),
                no_number(text_fault::overflow, 18));
    EXPECT_EQ(parse_decimal("0", 0), (parsed{.value = 0}));
    EXPECT_THAT(parse_decimal("1", 0), no_number(text_fault::overflow, 0));
    for (std::uint64_t max = 0; max < 130; ++max)
        for (std::uint64_t n = 0; n < 140; ++n) {
            const parsed p = parse_decimal(std::to_string(n), max);
            ASSERT_EQ(static_cast<bool>(p), n <= max) << n << " of " << max;
            ASSERT_EQ(p.value, p ? n : 0);
        }
}

// Case 17.
TEST(decimal, machine_numbers_are_read_as_strictly) {
    for (const char* text : {"", "1f", "0x10", " 7", "+5", "-1", "1024"})
        EXPECT_FALSE(parse_decimal(text, layouts::twitter.machine_max())) << text;
    EXPECT_EQ(parse_decimal("7", layouts::twitter.machine_max()).value, 7U);
    EXPECT_EQ(parse_decimal("1023", layouts::twitter.machine_max()).value, 1023U);
}

TEST(hex, is_sixteen_small_digits) {
    EXPECT_EQ(to_hex(id{0}), "0000000000000000");
    EXPECT_EQ(to_hex(id{0x161d8d2dbc3b6002}), "161d8d2dbc3b6002");
    EXPECT_EQ(parse_hex("161d8d2dbc3b6002"), (parsed{.value = 0x161d8d2dbc3b6002}));
    EXPECT_EQ(parse_hex("ffffffffffffffff"), (parsed{.value = 0xffffffffffffffff}));
    EXPECT_THAT(parse_hex(""), no_number(text_fault::empty, 0));
    EXPECT_THAT(parse_hex("161d8d2dbc3b600"), no_number(text_fault::too_short, 15));
    EXPECT_THAT(parse_hex("161d8d2dbc3b60021"), no_number(text_fault::too_long, 16));
    EXPECT_THAT(parse_hex("161D8d2dbc3b6002"), no_number(text_fault::not_canonical, 3));
    EXPECT_THAT(parse_hex("0x1d8d2dbc3b6002"), no_number(text_fault::bad_character, 1));
    EXPECT_THAT(parse_hex("-161d8d2dbc3b600"), no_number(text_fault::bad_character, 0));
}

TEST(text, what_is_written_is_read_back) {
    for (std::uint64_t v = 1; v != 0; v <<= 1)
        for (const std::uint64_t n : {v - 1, v, v + 1}) {
            ASSERT_EQ(parse_decimal(to_decimal(id{n})).value, n);
            ASSERT_EQ(parse_hex(to_hex(id{n})).value, n);
        }
}

TEST(text, every_fault_has_its_own_reason) {
    std::set<std::string> reasons;
    for (int f = 0; f <= static_cast<int>(text_fault::other_kind); ++f)
        reasons.insert(reason_of(static_cast<text_fault>(f)));
    EXPECT_EQ(reasons.size(), static_cast<std::size_t>(text_fault::other_kind) + 1);
}

}  // namespace
}  // namespace firn
