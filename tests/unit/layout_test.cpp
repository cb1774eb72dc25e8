#include "firn/layout.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "firn/advance.hpp"
#include "firn/layouts.hpp"
#include "firn/packer.hpp"
#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr layout widths(unsigned reserved, unsigned timestamp, unsigned machine, unsigned sequence) {
    layout l;
    l.reserved_bits = static_cast<std::uint8_t>(reserved);
    l.timestamp_bits = static_cast<std::uint8_t>(timestamp);
    l.machine_bits = static_cast<std::uint8_t>(machine);
    l.sequence_bits = static_cast<std::uint8_t>(sequence);
    return l;
}

instant ms(std::int64_t unix_ms) {
    return instant{milliseconds{unix_ms}};
}

TEST(layout, widths_that_do_not_add_up_to_64_are_refused) {
    int good = 0;
    for (unsigned r = 0; r <= 3; ++r)
        for (unsigned t = 0; t <= 64; ++t)
            for (unsigned m = 0; m <= 40; ++m)
                for (unsigned s = 0; s <= 40; ++s) {
                    const bool right = r + t + m + s == 64 && t >= 1 && m <= 32 && s >= 1 && s <= 31;
                    good += right;
                    ASSERT_EQ(fault_of(widths(r, t, m, s)) == nullptr, right)
                        << r << ' ' << t << ' ' << m << ' ' << s;
                }
    EXPECT_GT(good, 1000);
    // Widths whose sum is 64 only modulo 256.
    EXPECT_NE(fault_of(widths(255, 43, 10, 12)), nullptr);
    EXPECT_THAT([] { make_layout(widths(1, 41, 10, 13)); },
                throws(errc::bad_layout, HasSubstr("must add up to 64")));
}

TEST(layout, ticks_epochs_and_parts_that_make_no_sense_are_refused) {
    const auto with = [](auto change) {
        layout l;
        change(l);
        return [l] { make_layout(l); };
    };
    EXPECT_THAT(with([](layout& l) { l.tick_us = 0; }), throws(errc::bad_layout, HasSubstr("tick_us")));
    EXPECT_THAT(with([](layout& l) { l.tick_us = -1000; }), throws(errc::bad_layout, HasSubstr("tick_us")));
    EXPECT_THAT(with([](layout& l) { l.tick_us = 86'400'000'001; }),
                throws(errc::bad_layout, HasSubstr("a day")));
    EXPECT_THAT(with([](layout& l) { l.epoch_ms = -1; }), throws(errc::bad_layout, HasSubstr("1970")));
    EXPECT_THAT(with([](layout& l) { l.epoch_ms = 253'402'300'800'000; }),
                throws(errc::bad_layout, HasSubstr("9999")));
    EXPECT_THAT(with([](layout& l) {
                    l.machine_parts = {{{"a", 5}, {"b", 4}, {}}};
                }),
                throws(errc::bad_layout, HasSubstr("machine_parts")));
    EXPECT_NO_THROW(with([](layout& l) { l.machine_parts = {{{"a", 5}, {"b", 5}, {}}}; })());
    EXPECT_NO_THROW(with([](layout& l) { l.tick_us = 1; })());
    EXPECT_NO_THROW(with([](layout& l) { l.epoch_ms = 253'402'300'799'999; })());
}

TEST(layout, decode_undoes_encode_and_fields_do_not_touch_each_other) {
    std::mt19937_64 random{1};  // NOLINT: the same numbers in every run are meant
    const std::vector<layout> some = {layouts::standard,
                                      layouts::twitter,
                                      layouts::sonyflake,
                                      make_layout(widths(0, 42, 10, 12)),
                                      make_layout(widths(1, 30, 32, 1)),
                                      make_layout(widths(1, 32, 0, 31)),
                                      make_layout(widths(1, 41, 0, 22)),
                                      make_layout(widths(0, 48, 0, 16)),
                                      make_layout(widths(0, 63, 0, 1)),
                                      make_layout(widths(11, 41, 5, 7)),
                                      make_layout(widths(63 - 32, 1, 1, 31))};
    for (const layout& l : some)
        for (int i = 0; i < 1000; ++i) {
            const tick t{
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(l.end_tick().count))};
            const std::uint64_t machine = random() & l.machine_max();
            const auto sequence = static_cast<std::uint32_t>(random()) & l.sequence_max();
            const id made = l.encode(t, machine, sequence);
            ASSERT_EQ(l.decode(made), (fields{t, machine, sequence})) << made.value;
            ASSERT_EQ(made.value >> 1 >> (63U - l.reserved_bits), 0U) << "a reserved bit is set";
            ASSERT_EQ(packer(l, machine).pack(slot::at(t, sequence, l.sequence_bits)), made);
        }
}

TEST(layout, encode_refuses_what_does_not_fit_and_names_it) {
    constexpr layout l = layouts::twitter;
    EXPECT_THAT([&] { (void)l.encode(tick{-1}, 0, 0); },
                throws(errc::out_of_range, HasSubstr("before the layout's epoch")));
    EXPECT_THAT([&] { (void)l.encode(l.end_tick(), 0, 0); },
                throws(errc::out_of_range, HasSubstr("past the end")));
    EXPECT_THAT([&] { (void)l.encode(tick{0}, 1024, 0); }, throws(errc::machine_out_of_range));
    EXPECT_THAT([&] { (void)l.encode(tick{0}, 0, 4096); }, throws(errc::out_of_range, HasSubstr("sequence")));
    EXPECT_EQ(l.encode(tick{l.end_tick().count - 1}, 1023, 4095).value, 0x7fffffffffffffffU);
}

TEST(layout, life_ends_where_the_field_or_the_slot_does) {
    EXPECT_EQ(layouts::twitter.end_tick(), tick{std::int64_t{1} << 41});
    // Field and sequence that fill the 63 bits of a slot lose the very last tick, and no more than that.
    EXPECT_EQ(make_layout(widths(1, 41, 0, 22)).end_tick(), tick{(std::int64_t{1} << 41) - 1});
    EXPECT_EQ(make_layout(widths(0, 48, 0, 16)).end_tick(), tick{(std::int64_t{1} << 47) - 1});
    EXPECT_EQ(make_layout(widths(0, 63, 0, 1)).end_tick(), tick{(std::int64_t{1} << 62) - 1});
    for (unsigned s = 1; s <= 31; ++s)
        for (unsigned m = 0; m + s < 64 && m <= 32; ++m) {
            const layout l = make_layout(widths(0, 64 - m - s, m, s));
            ASSERT_GT(l.end_slot().value, 0);
            ASSERT_EQ(l.end_slot().tick_of(s), l.end_tick());
            ASSERT_LE(l.end_tick().count, detail::no_tick(s));
        }
}

TEST(layout, times_and_ticks_are_each_others_inverse) {
    layout ten_ms = layouts::sonyflake;
    for (const layout& l : {layouts::standard, ten_ms})
        for (const std::int64_t t :
             {std::int64_t{-7}, std::int64_t{0}, std::int64_t{1}, std::int64_t{123456789}}) {
            const instant begin = l.time_of(tick{t});
            EXPECT_EQ(l.tick_of(begin), tick{t});
            EXPECT_EQ(l.tick_of(begin - std::chrono::microseconds{1}), tick{t - 1});
            EXPECT_EQ(l.tick_of(begin + std::chrono::microseconds{l.tick_us - 1}), tick{t});
        }
    EXPECT_EQ(layouts::standard.first_instant(), ms(1735689600000));
    EXPECT_EQ(layouts::twitter.time_of(id{1593572310593806338}), ms(1668772220644));
}

TEST(layout, times_past_all_calendars_saturate_and_stay_in_order) {
    const layout l = make_layout({.reserved_bits = 0,
                                  .timestamp_bits = 63,
                                  .machine_bits = 0,
                                  .sequence_bits = 1,
                                  .tick_us = 86'400'000'000,
                                  .epoch_ms = 253'402'300'799'999});
    instant before = l.time_of(tick{std::numeric_limits<std::int64_t>::min()});
    for (std::int64_t t = std::numeric_limits<std::int64_t>::min() / 2;
         t < std::numeric_limits<std::int64_t>::max() / 2;
         t += std::numeric_limits<std::int64_t>::max() / 1000) {
        const instant now = l.time_of(tick{t});
        ASSERT_GE(now, before);
        before = now;
    }
    EXPECT_GE(l.time_of(tick{std::numeric_limits<std::int64_t>::max()}), before);
    EXPECT_GT(l.end_instant(), l.first_instant());
    // The edge of saturation: 26,687,997 days are the last that fit.
    for (std::int64_t t = 26'687'990; t < 26'688'005; ++t)
        ASSERT_LE(l.time_of(tick{t}), l.time_of(tick{t + 1})) << t;
}

TEST(layout, machine_parts_are_read_from_the_highest_bit_down) {
    const auto f = layouts::twitter.decode(id{1593572310593806338});
    EXPECT_EQ(layouts::twitter.part_of(f.machine, 0), 11U);
    EXPECT_EQ(layouts::twitter.part_of(f.machine, 1), 26U);
    EXPECT_EQ(layouts::twitter.part_of(1023, 0), 31U);
    EXPECT_EQ(layouts::twitter.part_of(32, 0), 1U);
    EXPECT_EQ(layouts::twitter.part_of(31, 1), 31U);
    EXPECT_EQ(layouts::twitter.with_part(0, 0, 11), 11U << 5U);
    EXPECT_EQ(layouts::twitter.with_part(1023, 0, 11), (11U << 5U) | 31U);
    EXPECT_EQ(layouts::twitter.with_part(1023, 1, 0), 31U << 5U);
    EXPECT_EQ(layouts::twitter.part_max(0), 31U);
    EXPECT_EQ(layouts::twitter.part_max(2), 0U) << "empty";
}

TEST(layout, names_do_not_change_what_ids_it_makes) {
    layout renamed = layouts::twitter;
    renamed.name = "other";
    renamed.machine_parts = {};
    EXPECT_NE(renamed, layouts::twitter);
    EXPECT_TRUE(renamed.same_ids(layouts::twitter));
    for (const auto change : {+[](layout& l) { l.epoch_ms += 1; }, +[](layout& l) { l.tick_us = 2000; },
                              +[](layout& l) { l.order = field_order::time_sequence_machine; },
                              +[](layout& l) { l.machine_bits = 9, l.sequence_bits = 13; }}) {
        layout other = layouts::twitter;
        change(other);
        EXPECT_FALSE(other.same_ids(layouts::twitter));
    }
    EXPECT_EQ(short_name{"standard"}.view(), "standard");
    EXPECT_EQ(short_name{}.view(), "");
    EXPECT_EQ(short_name{"12345678901234567890123"}.view().size(), 23U);
}

TEST(machine, that_does_not_fit_is_refused_and_never_masked) {
    EXPECT_NO_THROW(check_machine(layouts::twitter, 1023));
    EXPECT_THAT([] { check_machine(layouts::twitter, 1024); },
                throws(errc::machine_out_of_range,
                       HasSubstr("machine 1024 does not fit into the layout's 10 bits: it takes 0 to 1023")));
    EXPECT_THAT([] { packer(layouts::twitter, std::uint64_t{1} << 32); }, throws(errc::machine_out_of_range));
    // Case 14: it bled into the time.
    EXPECT_THAT([] { check_machine(make_layout(widths(1, 30, 18, 15)), 462146); },
                throws(errc::machine_out_of_range, HasSubstr("0 to 262143")));
    EXPECT_THAT([] { check_machine(make_layout(widths(1, 41, 0, 22)), 1); },
                throws(errc::machine_out_of_range, HasSubstr("0 to 0")));
}

// ---- the life of a layout and the present ----

TEST(life, an_epoch_in_the_future_is_refused) {
    EXPECT_THAT([] { check_life(layouts::standard, ms(1735689599999), hours{0}); },
                throws(errc::epoch_in_future, HasSubstr("2025-01-01T00:00:00.000Z")));
    EXPECT_NO_THROW(check_life(layouts::standard, ms(1735689600000), hours{0}));
}

TEST(life, that_ended_or_ends_soon_is_refused_with_the_date_and_the_way_out) {
    constexpr layout baidu = make_layout({.timestamp_bits = 28,
                                          .machine_bits = 22,
                                          .sequence_bits = 13,
                                          .tick_us = 1'000'000,
                                          .epoch_ms = 1463673600000});
    const instant end = ms(1732109056000);
    EXPECT_EQ(baidu.end_instant(), end);
    EXPECT_THAT(
        [&] { check_life(baidu, end, hours{0}); },
        throws(errc::life_ended, testing::AllOf(HasSubstr("exhausted"), HasSubstr("2024-11-20T13:24:16.000Z"),
                                                HasSubstr("choose a later epoch"))));
    EXPECT_THAT([&] { check_life(baidu, end - hours{24 * 30}, hours{24 * 365}); },
                throws(errc::life_ends_soon,
                       testing::AllOf(HasSubstr("2024-11-20T13:24:16.000Z"), HasSubstr("in 30 days"),
                                      HasSubstr("asks for 365 days"), HasSubstr("min_life"))));
    EXPECT_NO_THROW(check_life(baidu, end - hours{24 * 365}, hours{24 * 365}));
    EXPECT_NO_THROW(check_life(baidu, end - std::chrono::microseconds{1}, hours{0}));
}

}  // namespace
}  // namespace firn
