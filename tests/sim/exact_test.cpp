#include "lab/exact.hpp"

#include <gmock/gmock.h>

using firn::lab::fixed_text;
using firn::lab::parse_fixed;
using firn::lab::rounded_text;

TEST(exact, reads_decimals_without_rounding) {
    EXPECT_EQ(parse_fixed("0.1", 9), 100'000'000);
    EXPECT_EQ(parse_fixed("101.125", 6), 101'125'000);
    EXPECT_EQ(parse_fixed("-7", 2), -700);
    EXPECT_EQ(parse_fixed("1000000000000000000", 0), 1'000'000'000'000'000'000);
}

TEST(exact, refuses_every_other_form) {
    for (const char* text :
         {"", "-", ".", "1.", ".5", "1e3", "+1", " 1", "1 ", "0x1", "1.2.3", "--1", "1.1234567", "1,5"})
        EXPECT_EQ(parse_fixed(text, 6), std::nullopt) << text;
    EXPECT_EQ(parse_fixed("1000000000000000001", 0), std::nullopt);
    EXPECT_EQ(parse_fixed("99999999999999999999999999", 0), std::nullopt);
}

TEST(exact, writes_the_fewest_digits_that_say_it) {
    EXPECT_EQ(fixed_text(101'125'000, 6), "101.125");
    EXPECT_EQ(fixed_text(50'000'000, 6), "50");
    EXPECT_EQ(fixed_text(1, 6), "0.000001");
    EXPECT_EQ(fixed_text(0, 6), "0");
    EXPECT_EQ(fixed_text(-1'500'000, 6), "-1.5");
    EXPECT_EQ(fixed_text(100, 0), "100");
    EXPECT_EQ(fixed_text(9'007'199'254'740'993, 6), "9007199254.740993");  // more than a double can say
}

TEST(exact, rounds_to_the_digits_shown) {
    EXPECT_EQ(rounded_text(432'099, 6, 3), "0.432");
    EXPECT_EQ(rounded_text(1'048'781, 6, 3), "1.049");
    EXPECT_EQ(rounded_text(999'500, 6, 3), "1.000");
    EXPECT_EQ(rounded_text(999'499, 6, 3), "0.999");
    EXPECT_EQ(rounded_text(-400, 6, 3), "0.000");
    EXPECT_EQ(rounded_text(31'520'000, 6, 3), "31.520");
    EXPECT_EQ(rounded_text(1'500'000, 6, 0), "2");
}
