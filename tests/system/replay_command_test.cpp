// `firn lab replay`: what a person or a script sees of a recorded clock.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/shell.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// ntpd's loopstats, in which the clock is found to be 500 ms ahead, and is stepped back.
constexpr const char* stepped =
    "for i in 0 1 2 3 4 5 6 7 8; do "
    "if [ $i = 4 ]; then o=-0.500000000; else o=0.000000000; fi; "
    "echo \"60000 $((i * 64 + 64)).000 $o 13.778 0.000351733 0.013380 6\"; done >loopstats; ";

/// Runs a line of shell beside that log.
ended beside_the_log(const std::string& line) {
    const scratch room;
    return shell("cd '" + room.path().string() + "'; " + stepped + line);
}

TEST(replay_command, runs_every_policy_and_start_rule_over_a_log) {
    const ended e = beside_the_log("$firn lab replay loopstats --json");
    ASSERT_EQ(e.status, 0) << e.err;
    const auto j = nlohmann::json::parse(e.out);
    EXPECT_EQ(j["format"], "loopstats");
    EXPECT_EQ(j["records"], 9);
    EXPECT_EQ(j["steps"].size(), 2U);
    ASSERT_EQ(j["rows"].size(), 3U * 2U * 4U - 2U) << "a journal refuses blind";
    std::uint64_t repeated = 0;
    for (const auto& row : j["rows"]) {
        EXPECT_EQ(row["offered"], j["offered"]);
        const bool kept = row["start_rule"] == "journal";
        if (kept) {
            EXPECT_EQ(row["duplicates"], 0) << row;
        }
        if (row["policy"] == "blind") {
            EXPECT_GT(row["duplicates"], 0) << row;
        }
        if (!kept) repeated += row["duplicates"].get<std::uint64_t>();
    }
    EXPECT_GT(repeated, 0U);
}

TEST(replay_command, prints_the_steps_and_a_table) {
    const ended e = beside_the_log("$firn lab replay loopstats");
    EXPECT_THAT(e.out, AllOf(HasSubstr("2, 1 of them back"), HasSubstr("-0.500 s"), HasSubstr("journal")));
}

TEST(replay_command, says_what_is_wrong) {
    EXPECT_EQ(shell("$firn lab replay").status, 2);
    EXPECT_EQ(beside_the_log("$firn lab replay loopstats --rate 0").status, 2);
    EXPECT_EQ(beside_the_log("$firn lab replay loopstats --format csv").status, 2);
    const ended missing = shell("$firn lab replay nowhere.log");
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err, HasSubstr("nowhere.log"));
    EXPECT_EQ(lines_in(missing.err), 1);
    const ended half = beside_the_log("echo rubbish >>loopstats; $firn lab replay loopstats");
    EXPECT_EQ(half.status, 0) << "what can be read is used";
    EXPECT_THAT(half.err, HasSubstr("loopstats:10:8: "));
}

}  // namespace
}  // namespace firn
