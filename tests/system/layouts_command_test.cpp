// `firn layouts` as people and scripts call it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "firn/formats/catalogue.hpp"
#include "tests/support/shell.hpp"

namespace firn {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

TEST(layouts_command, lists_every_format_once_with_its_source) {
    const auto lines = shell("$firn layouts").lines();
    ASSERT_THAT(lines, SizeIs(formats::catalogue.size() + 1));
    for (std::size_t i = 0; i < formats::catalogue.size(); ++i)
        EXPECT_THAT(lines[i + 1], AllOf(StartsWith(std::string{formats::catalogue[i].name} + ' '),
                                        testing::EndsWith(std::string{formats::catalogue[i].source})));
}

TEST(layouts_command, fields_of_every_drawing_touch_from_the_highest_bit_to_0) {
    for (const formats::entry& e : formats::catalogue) {
        const json j = json::parse(shell("$firn layouts --json " + std::string{e.name}).out);
        unsigned above = j["bits"];
        for (const json& f : j["fields"]) {
            EXPECT_EQ(f["high_bit"].get<unsigned>() + 1, above) << e.name;
            EXPECT_EQ(f["high_bit"].get<unsigned>() + 1 - f["low_bit"].get<unsigned>(), f["bits"]) << e.name;
            above = f["low_bit"];
            const std::string drawn = shell("$firn layouts " + std::string{e.name}).out;
            EXPECT_THAT(drawn, AllOf(HasSubstr("| " + f["name"].get<std::string>() + ' '),
                                     HasSubstr(std::to_string(above))));
        }
        EXPECT_EQ(above, 0U) << e.name;
    }
}

TEST(layouts_command, tells_life_and_limits) {
    const json js = json::parse(shell("$firn layouts js53 --json").out);
    EXPECT_EQ(js["ids_per_second"], 128'000);
    EXPECT_EQ(js["machines"], 32);
    const json baidu = json::parse(shell("$firn layouts baidu --json").out);
    EXPECT_EQ(baidu["first"], "2016-05-19T16:00:00.000Z");
    EXPECT_EQ(baidu["last"], "2024-11-20T13:24:15.000Z");
    const json discord = json::parse(shell("$firn layouts discord --json").out);
    EXPECT_EQ(discord["negative_from"], "2084-09-06T15:47:35.552Z");
    EXPECT_EQ(discord["epoch_ms"], 1'420'070'400'000);
    EXPECT_TRUE(json::parse(shell("$firn layouts ulid --json").out)["machines"].is_null());
    EXPECT_EQ(shell("$firn layouts mongodb").out, shell("$firn layouts objectid").out);
}

TEST(layouts_command, names_what_it_takes) {
    const ended e = shell("$firn layouts twiter");
    EXPECT_EQ(e.status, 2);
    EXPECT_THAT(e.out, IsEmpty());
    EXPECT_THAT(e.err, AllOf(HasSubstr("twitter"), HasSubstr("ulid"), HasSubstr("'twiter'")));
    EXPECT_EQ(lines_in(e.err), 1);
    EXPECT_EQ(shell("$firn layouts a b").status, 2);
    EXPECT_THAT(shell("$firn layouts --help").out, HasSubstr("Examples:\n"));
}

}  // namespace
}  // namespace firn
