#include <gmock/gmock.h>

#include <fstream>

#include "firn/layouts.hpp"
#include "service/core/layout_text.hpp"
#include "service/core/offset_time.hpp"
#include "tests/unit/service/harness.hpp"

namespace firn::service::test {
namespace {

using testing::HasSubstr;

template <class Call>
std::string fault_in(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

TEST(LayoutText, NamesWidthsEpochsAndTicks) {
    EXPECT_EQ(layout_from("twitter", "", ""), layouts::twitter);
    const layout l = layout_from("28/21/14", "2026-01-01T00:00:00Z", "1s");
    EXPECT_EQ(l.timestamp_bits, 28);
    EXPECT_EQ(l.machine_bits, 21);
    EXPECT_EQ(l.sequence_bits, 14);
    EXPECT_EQ(l.reserved_bits, 1);
    EXPECT_EQ(l.tick_us, 1'000'000);
    EXPECT_EQ(l.epoch_ms, 1767225600000);
    EXPECT_EQ(text_of(l), "28/21/14, ticks of 1000 ms from 2026-01-01T00:00:00.000Z");
    for (const char* wrong :
         {"", "41/10", "41/10/12/1", "41/10/1x", "+41/10/12", "41/10/64", "300/1/1", "nothing"})
        EXPECT_THAT(fault_in([&] { layout_from(wrong, "", ""); }), HasSubstr("layout")) << wrong;
    EXPECT_THAT(fault_in([&] { layout_from("twitter", "yesterday", ""); }), HasSubstr("epoch takes"));
}

TEST(LayoutText, DurationsCarryTheirUnit) {
    EXPECT_EQ(duration_from("x", "250ms").count(), 250'000);
    EXPECT_EQ(duration_from("x", "3s").count(), 3'000'000);
    EXPECT_EQ(duration_from("x", "365d").count(), 31'536'000'000'000);
    for (const char* wrong :
         {"", "3", "s", "-3s", "3 s", "3S", "1e3s", "0x3s", "999999999999s", "1000000000d"})
        EXPECT_THAT(fault_in([&] { duration_from("--x", wrong); }),
                    HasSubstr("--x takes a number with its unit"))
            << wrong;
}

TEST(LayoutText, MachineNumbersAreDigitsOnly) {
    EXPECT_EQ(machine_from("7", ""), 7U);
    EXPECT_EQ(machine_from("1023", ""), 1023U);
    EXPECT_EQ(machine_from("ordinal", "firn-12"), 12U);
    for (const char* wrong : {"", "1f", "0x10", " 7", "+5", "-1", "007"})
        EXPECT_THAT(fault_in([&] { machine_from(wrong, ""); }), HasSubstr("machine")) << wrong;
    for (const char* host : {"firn", "firn-", "firn-a", ""})
        EXPECT_THAT(fault_in([&] { machine_from("ordinal", host); }), HasSubstr("give the number itself"))
            << host;
}

TEST(LayoutText, SpacesAreNamesWithKeys) {
    space_settings defaults;
    defaults.ids.machine = 3;
    const space_settings s =
        space_from("orders,layout=twitter,machine=7,rewind=refuse,overflow=spin,start=rolling,ahead-max=10s",
                   defaults, "");
    EXPECT_EQ(s.name, "orders");
    EXPECT_EQ(s.ids.layout, layouts::twitter);
    EXPECT_EQ(s.ids.machine, 7U);
    EXPECT_EQ(s.ids.rewind, rewind_policy::refuse);
    EXPECT_EQ(s.ids.overflow, overflow_policy::spin);
    EXPECT_EQ(s.ids.ahead_max, std::chrono::seconds{10});
    EXPECT_EQ(space_from("users", defaults, "").ids.machine, 3U);
    for (const char* wrong : {"", "a b", "-a", ".a", "../a", "a/b", "a,b", "a,machine", "a,machine=x",
                              "a,rewind=blind", "a,colour=red", "a,layout=41/10/40"})
        EXPECT_NE(fault_in([&] { space_from(wrong, defaults, ""); }), "") << wrong;
    EXPECT_FALSE(is_space_name(std::string(65, 'a')));
    EXPECT_TRUE(is_space_name("counter:__rand_int__"));
}

TEST(Spaces, AreFoundAgainWithTheirLayouts) {
    scratch_directory directory;
    settings s = settings_in(directory.path());
    {
        spaces all(s);
        space_settings other = s.defaults.named("old");
        other.ids.layout = layouts::sonyflake;
        all.open(other);
        all.open(s.defaults.named("orders"));
    }
    EXPECT_EQ(spaces::recorded_machine(directory.path()), 7U);
    spaces again(s);
    std::vector<std::string> faults;
    EXPECT_EQ(again.open_found(faults), (std::vector<std::string>{"old", "orders"}));
    EXPECT_TRUE(faults.empty());
    EXPECT_EQ(again.find("old")->layout_of(), layouts::sonyflake);
    EXPECT_EQ(again.find("nothing"), nullptr);
}

TEST(Spaces, AnotherMachineNumberIsAnErrorThatNamesBoth) {
    scratch_directory directory;
    settings s = settings_in(directory.path());
    {
        spaces all(s);
        all.open(s.defaults.named("orders"));
    }
    s.defaults.ids.machine = 8;
    spaces again(s);
    const std::string fault = fault_in([&] { again.open(s.defaults.named("orders")); });
    EXPECT_THAT(fault, HasSubstr("machine 7"));
    EXPECT_THAT(fault, HasSubstr("machine 8"));
}

TEST(Spaces, OtherSettingsForAnOpenSpaceAreRefused) {
    harness h;
    h.open("orders");
    space_settings other = h.how.defaults.named("orders");
    EXPECT_EQ(&h.all->open(other), h.all->find("orders"));
    other.ids.rewind = rewind_policy::refuse;
    EXPECT_THAT(fault_in([&] { h.all->open(other); }), HasSubstr("restart"));
}

TEST(Spaces, AStateDirectoryThatCannotBeMadeIsSaid) {
    scratch_directory directory;
    std::ofstream(directory.path() / "file") << "x";
    EXPECT_THAT(fault_in([&] { spaces all(settings_in(directory.path() / "file" / "state")); }),
                HasSubstr("name another with --state"));
}

TEST(OffsetTime, FollowsItsFile) {
    scratch_directory directory;
    const std::string path = (directory.path() / "offset").string();
    std::ofstream(path) << "-3600000";
    offset_time t(path);
    EXPECT_NEAR(static_cast<double>(t.wall_ns() - firn::detail::clock_ns(CLOCK_REALTIME)), -3.6e12, 1e9);
}

}  // namespace
}  // namespace firn::service::test
