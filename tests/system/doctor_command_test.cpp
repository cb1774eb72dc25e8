// `firn doctor`: its words, its JSON, and how it ends.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/shell.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(doctor_command, has_an_answer_on_any_host) {
    const ended e = shell("$firn doctor --for 100ms --journal state");
    EXPECT_EQ(e.status, 0) << e.out;
    EXPECT_THAT(e.out, AllOf(HasSubstr("clock"), HasSubstr("time daemon"), HasSubstr("boot id"),
                             HasSubstr("fit for a journal"), HasSubstr("standard: ids until")));
    EXPECT_EQ(e.err, "") << "no progress bar without a terminal";
}

TEST(doctor_command, json_has_the_same) {
    const ended e = shell("$firn doctor --for 0s --journal state --as twitter --json");
    ASSERT_EQ(e.status, 0) << e.err;
    const auto j = nlohmann::json::parse(e.out);
    EXPECT_EQ(j["ok"], true);
    EXPECT_EQ(j["findings"].back()["check"], "layout");
    EXPECT_EQ(j["findings"].back()["verdict"], "ok");
}

TEST(doctor_command, a_root_without_anything_is_not_known) {
    const ended e = shell("mkdir empty; $firn doctor --for 0s --journal state --root empty");
    EXPECT_EQ(e.status, 0);
    EXPECT_THAT(e.out, HasSubstr("whether the clock is stepped or slewed is not known"));
}

TEST(doctor_command, a_fail_is_status_1) {
    const ended ended_layout = shell("$firn doctor --for 0s --journal state --as 30/10/23 --json");
    EXPECT_EQ(ended_layout.status, 1);
    EXPECT_EQ(nlohmann::json::parse(ended_layout.out)["ok"], false);
    const ended missing = shell("$firn doctor --for 0s --journal state --recording nowhere.rec");
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.out, HasSubstr("nowhere.rec: cannot be opened"));
}

TEST(doctor_command, reads_what_firn_watch_records) {
    const ended e = shell(
        "$firn watch --interval 10ms --for 50ms -o clock.rec >told; $firn doctor --for 0s --journal state "
        "--recording clock.rec --json");
    ASSERT_EQ(e.status, 0) << e.err;
    EXPECT_THAT(e.out, HasSubstr("of firn from "));
}

TEST(doctor_command, says_what_is_wrong) {
    for (const char* wrong : {"--for x", "--layout nonsense", "--epoch tomorrow", "extra"}) {
        const ended e = shell(std::string{"$firn doctor "} + wrong);
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
}

}  // namespace
}  // namespace firn
