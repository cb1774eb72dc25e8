#include "firn/rfc3339.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

instant ms(std::int64_t unix_ms) {
    return instant{std::chrono::milliseconds{unix_ms}};
}

TEST(rfc3339, writes_milliseconds_in_utc) {
    EXPECT_EQ(rfc3339(ms(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(rfc3339(ms(1288834974657)), "2010-11-04T01:42:54.657Z");
    EXPECT_EQ(rfc3339(ms(1668772220644)), "2022-11-18T11:50:20.644Z");
    EXPECT_EQ(rfc3339(ms(951782400000)), "2000-02-29T00:00:00.000Z");
    EXPECT_EQ(rfc3339(ms(2199023255551)), "2039-09-07T15:47:35.551Z");
}

TEST(rfc3339, floors_to_the_millisecond_on_both_sides_of_1970) {
    EXPECT_EQ(rfc3339(instant{std::chrono::microseconds{1999}}), "1970-01-01T00:00:00.001Z");
    EXPECT_EQ(rfc3339(instant{std::chrono::microseconds{-1}}), "1969-12-31T23:59:59.999Z");
}

TEST(rfc3339, writes_years_of_any_size) {
    EXPECT_EQ(rfc3339(ms(253402300799999)), "9999-12-31T23:59:59.999Z");
    EXPECT_EQ(rfc3339(ms(253402300800000)), "10000-01-01T00:00:00.000Z");
    // 400 years are 146097 days, always: the calendar goes round with them.
    constexpr std::int64_t cycle_ms = std::int64_t{146'097} * 86'400'000;
    EXPECT_EQ(rfc3339(ms(1668772220644 + 100 * cycle_ms)), "42022-11-18T11:50:20.644Z");
    EXPECT_EQ(rfc3339(ms(1668772220644 - 5 * cycle_ms)), "0022-11-18T11:50:20.644Z");
    EXPECT_EQ(rfc3339(ms(1668772220644 - 6 * cycle_ms)), "-0378-11-18T11:50:20.644Z");
    EXPECT_EQ(rfc3339(instant{std::chrono::microseconds{std::numeric_limits<std::int64_t>::max() / 4}}),
              "75039-04-04T19:00:13.693Z");
}

TEST(rfc3339, reads_what_it_writes) {
    for (std::int64_t t = -62'167'219'200'000; t < 253'402'300'800'000; t += 86'399'999 * std::int64_t{17}) {
        const auto back = parse_rfc3339(rfc3339(ms(t)));
        ASSERT_TRUE(back) << t;
        ASSERT_EQ(*back, ms(t)) << rfc3339(ms(t));
    }
}

TEST(rfc3339, reads_fractions_and_offsets) {
    EXPECT_EQ(parse_rfc3339("2026-12-01T00:00:00Z"), ms(1796083200000));
    EXPECT_EQ(parse_rfc3339("2026-12-01T02:00:00+02:00"), ms(1796083200000));
    EXPECT_EQ(parse_rfc3339("2026-11-30T18:30:00-05:30"), ms(1796083200000));
    EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00.5Z"), ms(500));
    EXPECT_EQ(parse_rfc3339("1970-01-01T00:00:00.000001Z"), instant{std::chrono::microseconds{1}});
    EXPECT_EQ(parse_rfc3339("2024-02-29T00:00:00Z"), ms(1709164800000));
}

TEST(rfc3339, refuses_everything_else) {
    for (const char* text : {"",
                             "2026",
                             "2026-12-01",
                             "2026-12-01T00:00:00",
                             "2026-12-01 00:00:00Z",
                             "2026-12-01t00:00:00Z",
                             "2026-12-01T00:00:00z",
                             " 2026-12-01T00:00:00Z",
                             "2026-12-01T00:00:00Z ",
                             "2026-13-01T00:00:00Z",
                             "2026-00-01T00:00:00Z",
                             "2026-12-32T00:00:00Z",
                             "2023-02-29T00:00:00Z",
                             "2100-02-29T00:00:00Z",
                             "2026-12-01T24:00:00Z",
                             "2026-12-01T00:60:00Z",
                             "2016-12-31T23:59:60Z",
                             "2026-12-01T00:00:00.Z",
                             "2026-12-01T00:00:00.1234567Z",
                             "2026-12-01T00:00:00+2:00",
                             "2026-12-01T00:00:00+02",
                             "2026-12-01T00:00:00+24:00",
                             "2026-12-01T00:00:00+00:60",
                             "2026-12-01T00:00:00ZZ",
                             "-026-12-01T00:00:00Z",
                             "+2026-12-01T00:00:00Z",
                             "12026-12-01T00:00:00Z",
                             "2026-1-01T00:00:00Z",
                             "2026-12-01T00:00:0 Z",
                             "1796083200000"})
        EXPECT_FALSE(parse_rfc3339(text)) << text;
}

}  // namespace
}  // namespace firn
