#include "firn/packer.hpp"

#include <vector>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

using testing::HasSubstr;

constexpr layout sony = make_layout({.timestamp_bits = 39,
                                     .machine_bits = 16,
                                     .sequence_bits = 8,
                                     .order = field_order::time_sequence_machine,
                                     .tick_us = 10'000});

// A constant layout costs nothing but the machine's number.
static_assert(sizeof(fixed_packer<layouts::twitter>) == sizeof(std::uint64_t));
static_assert(fixed_packer<layouts::twitter>{7}.pack(slot::at(tick{50}, 0, 12)) == id{209743872});

TEST(packer, puts_the_fields_where_the_layout_has_them) {
    EXPECT_EQ(packer(layouts::twitter, 7).pack(slot::at(tick{50}, 3, 12)),
              id{std::uint64_t{50} << 22 | 7 << 12 | 3});
    EXPECT_EQ(packer(sony, 7).pack(slot::at(tick{50}, 3, 8)), id{std::uint64_t{50} << 24 | 3 << 16 | 7});
}

TEST(packer, is_the_same_for_a_constant_and_a_configured_layout) {
    for (std::int64_t s = 0; s < 20'000; s += 7) {
        ASSERT_EQ(packer(layouts::twitter, 1023).pack(slot{s}),
                  fixed_packer<layouts::twitter>{1023}.pack(slot{s}));
        ASSERT_EQ(packer(sony, 65535).pack(slot{s}), fixed_packer<sony>{65535}.pack(slot{s}));
    }
}

TEST(packer, refuses_a_machine_that_does_not_fit) {
    EXPECT_THAT([] { packer(layouts::twitter, 1024); }, throws(errc::machine_out_of_range));
    EXPECT_THAT([] { (void)fixed_packer<layouts::twitter>{1024}; }, throws(errc::machine_out_of_range));
    EXPECT_THAT([] { packer(layout{.timestamp_bits = 42}, 0); },
                throws(errc::bad_layout, HasSubstr("add up to 64")));
}

TEST(fixed_packer, takes_its_own_layout_under_any_name_and_no_other) {
    layout renamed = layouts::twitter;
    renamed.name = "mine";
    renamed.machine_parts = {};
    EXPECT_NO_THROW((fixed_packer<layouts::twitter>(renamed, 7)));
    layout other = layouts::twitter;
    other.epoch_ms += 1;
    EXPECT_THAT([&] { (fixed_packer<layouts::twitter>(other, 7)); }, throws(errc::bad_layout));
}

template <class Packer>
void expect_run_is_packed_one_by_one(const Packer& p, slot first, std::size_t n) {
    std::vector<id> run(n, id{~std::uint64_t{0}});
    detail::pack_run(p, first, run);
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(run[i], p.pack(slot{first.value + static_cast<std::int64_t>(i)})) << i << " of " << n;
}

TEST(pack_run, is_pack_of_each_slot_across_ticks_too) {
    for (const std::int64_t first : {0, 1, 250, 255, 256, 4090, 4095, 4096, 1 << 20})
        for (const std::size_t n : {0U, 1U, 2U, 5U, 6U, 7U, 64U, 300U, 9000U}) {
            expect_run_is_packed_one_by_one(packer(layouts::twitter, 7), slot{first}, n);
            expect_run_is_packed_one_by_one(packer(sony, 7), slot{first}, n);
            expect_run_is_packed_one_by_one(fixed_packer<layouts::twitter>{7}, slot{first}, n);
            expect_run_is_packed_one_by_one(fixed_packer<sony>{7}, slot{first}, n);
        }
}

}  // namespace
}  // namespace firn
