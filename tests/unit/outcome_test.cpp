#include "firn/outcome.hpp"

#include <cstddef>
#include <limits>
#include <type_traits>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

using testing::HasSubstr;

// Two registers: the System V ABI (x86-64, section 3.2.3) returns a trivially copyable class of at most 16
// bytes in RAX and RDX; AAPCS64 (section 6.9) in X0 and X1.
static_assert(sizeof(outcome<id>) == 16 && std::is_trivially_copyable_v<outcome<id>>);
static_assert(sizeof(outcome<std::size_t>) == 16);

TEST(outcome, holds_a_value) {
    constexpr outcome<id> r = id{42};
    static_assert(r && r.has_value() && r.error() == errc::ok);
    EXPECT_EQ(*r, id{42});
    EXPECT_EQ(r.value(), id{42});
}

TEST(outcome, of_zero_is_a_value_too) {
    constexpr outcome<std::size_t> r = std::size_t{0};
    EXPECT_TRUE(r.has_value());
    EXPECT_EQ(*r, 0U);
}

TEST(outcome, holds_a_code_and_its_amount) {
    constexpr outcome<id> r{errc::ahead_limit, 3601};
    static_assert(!r && !r.has_value());
    EXPECT_EQ(r.error(), errc::ahead_limit);
    EXPECT_EQ(r.amount(), 3601);
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    EXPECT_EQ((outcome<id>{errc::exhausted, least}.amount()), least);
}

TEST(outcome, value_of_none_throws_the_code_the_amount_and_a_sentence) {
    const outcome<id> r{errc::ahead_limit, 3601};
    EXPECT_THAT([&] { (void)r.value(); },
                throws(errc::ahead_limit, HasSubstr("3601 ticks ahead of the clock")));
    try {
        (void)r.value();
    } catch (const error& e) {
        EXPECT_EQ(e.amount(), 3601);
    }
}

}  // namespace
}  // namespace firn
