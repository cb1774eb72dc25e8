#include "firn/error.hpp"

#include <set>
#include <string>
#include <vector>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;

// Logged, compared and sent over wires: these numbers and names never change. A new code gets a new line.
const std::vector<std::pair<unsigned, std::string>> permanent = {
    {0, "ok"},
    {1, "tick_full"},
    {2, "clock_rewound"},
    {3, "ahead_limit"},
    {4, "ceiling_reached"},
    {5, "exhausted"},
    {6, "before_epoch"},
    {7, "deadline"},
    {20, "bad_layout"},
    {21, "machine_out_of_range"},
    {22, "epoch_in_future"},
    {23, "life_ended"},
    {24, "life_ends_soon"},
    {25, "bad_policy"},
    {26, "out_of_range"},
    {40, "bad_text"},
    {60, "journal_mismatch"},
    {61, "journal_damaged"},
    {62, "journal_newer"},
    {63, "journal_unfit_filesystem"},
    {64, "journal_replaced"},
    {65, "journal_io"},
    {66, "out_of_resources"},
};

TEST(errc, numbers_and_names_are_permanent) {
    for (const auto& [number, name] : permanent)
        EXPECT_EQ(name_of(static_cast<errc>(number)), name) << number;
}

TEST(errc, names_are_distinct_words_and_an_unknown_number_has_one_too) {
    std::set<std::string> seen;
    for (unsigned n = 0; n < 200; ++n) {
        const std::string name = name_of(static_cast<errc>(n));
        EXPECT_THAT(name, MatchesRegex("[a-z_]+"));
        if (name == "unknown") continue;
        EXPECT_TRUE(seen.insert(name).second) << name;
    }
    EXPECT_GE(seen.size(), permanent.size());
}

TEST(errc, what_the_id_path_can_say_names_the_amount_and_the_way_out) {
    for (const errc code : {errc::tick_full, errc::clock_rewound, errc::ahead_limit, errc::ceiling_reached,
                            errc::exhausted, errc::before_epoch, errc::deadline})
        EXPECT_THAT(describe(code, 7654321), HasSubstr("7654321")) << name_of(code);
    EXPECT_THAT(describe(errc::tick_full, 5), HasSubstr("wait for tick 5"));
    EXPECT_THAT(describe(errc::clock_rewound, 5), HasSubstr("wait until it has caught up"));
    EXPECT_THAT(describe(errc::ahead_limit, 5), HasSubstr("ahead_max"));
    EXPECT_THAT(describe(errc::exhausted, 5), HasSubstr("exhausted"));
    EXPECT_THAT(describe(errc::exhausted, 5), HasSubstr("later epoch"));
}

TEST(error, carries_code_amount_and_sentence) {
    const error e{errc::deadline, "no id within 5 ms", 5'000'000};
    EXPECT_EQ(e.code(), errc::deadline);
    EXPECT_EQ(e.amount(), 5'000'000);
    EXPECT_STREQ(e.what(), "no id within 5 ms");
}

}  // namespace
}  // namespace firn
