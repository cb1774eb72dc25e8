// `firn demo --live`: real processes show duplicates where a cursor is forgotten, and none where it is kept.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/shell.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// Runs a line of shell in a directory of its own; then prints what is left there.
ended in_a_directory(const std::string& line) {
    const scratch room;
    return shell("cd '" + room.path().string() + "'; " + line + "; s=$?; ls -A >&2; exit $s");
}

TEST(demo_live, shows_duplicates_in_memory_and_none_in_the_journal) {
    const ended e = in_a_directory("$firn demo --live --rounds 1 --directory . --json");
    ASSERT_EQ(e.status, 0) << e.out << e.err;
    EXPECT_EQ(e.err, "") << "its journals are gone";
    const auto j = nlohmann::json::parse(e.out);
    ASSERT_EQ(j["runs"].size(), 4U);
    for (const auto& run : j["runs"]) {
        EXPECT_EQ(run["rounds"].size(), 1U);
        EXPECT_GE(run["killed"], 1) << run;
        EXPECT_GT(run["issued"], 0) << run;
        EXPECT_EQ(run["refused"] == 0, run["policy"] == "clamp") << run;
        EXPECT_EQ(run["duplicates"] == 0, run["memory"] == "journal") << run;
    }
}

TEST(demo_live, leaves_nothing_behind_when_it_is_interrupted) {
    const ended e = in_a_directory("timeout --foreground --signal INT 0.3 $firn demo --live --directory .");
    EXPECT_EQ(e.status, 124) << "timeout says that it had to";
    EXPECT_EQ(e.err, "");
    EXPECT_THAT(e.out, HasSubstr("The cursor in memory"));
}

TEST(demo_live, says_what_is_wrong) {
    EXPECT_EQ(shell("$firn demo --live --section 2").status, 2);
    EXPECT_EQ(shell("$firn demo --rounds 2").status, 2);
    EXPECT_EQ(shell("$firn demo --live --rounds 0").status, 2);
    const ended e = shell("$firn demo --live --directory /nowhere/at/all");
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.err, AllOf(HasSubstr("/nowhere/at/all"), HasSubstr("--directory")));
}

}  // namespace
}  // namespace firn
