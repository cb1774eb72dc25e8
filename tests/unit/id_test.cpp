#include "firn/id.hpp"

#include <set>
#include <unordered_set>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

TEST(id, compares_as_unsigned) {
    EXPECT_LT(id{1}, id{2});
    EXPECT_LT(id{0x7fffffffffffffff}, id{0x8000000000000000});
    EXPECT_EQ(id{}, id{0});
}

TEST(id, hash_spreads_ids_that_differ_in_high_bits_only) {
    // At low traffic the low 22 bits of all ids are alike. A table of 2^10 buckets that takes the low bits of
    // the hash must not put them all into one.
    std::set<std::size_t> buckets;
    for (std::uint64_t t = 0; t < 1024; ++t) buckets.insert(std::hash<id>{}(id{t << 22 | 7 << 12}) % 1024);
    EXPECT_GT(buckets.size(), 500U);  // 647 (1 - 1/e) expected of a random one
    std::unordered_set<id> seen{id{1}, id{2}, id{1}};
    EXPECT_EQ(seen.size(), 2U);
}

}  // namespace
}  // namespace firn
