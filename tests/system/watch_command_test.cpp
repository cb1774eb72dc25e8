// `firn watch`: what it records is what `firn lab replay` reads, however it ends.
#include <gmock/gmock.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/shell.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(watch_command, what_it_records_is_replayed) {
    const ended e = shell(
        "$firn watch --interval 20ms --for 100ms --output clock.rec >told && "
        "$firn watch --interval 20ms --for 100ms --output clock.rec >>told && "
        "$firn lab replay clock.rec --json");
    ASSERT_EQ(e.status, 0) << e.err;
    const auto j = nlohmann::json::parse(e.out);
    EXPECT_EQ(j["format"], "firn");
    EXPECT_GE(j["records"], 4) << "at least the first and the last of both";
    EXPECT_EQ(j["not_understood"], 0);
    EXPECT_EQ(j["boots"], 0);
    EXPECT_EQ(e.err, "") << "no live line without a terminal";
}

TEST(watch_command, records_to_the_standard_output_too) {
    const ended e = shell("$firn watch --interval 20ms --for 60ms --output - >clock.rec; cat clock.rec");
    EXPECT_THAT(e.out,
                AllOf(StartsWith("# firn recording 1\n"), HasSubstr("\nboot "), HasSubstr("\nsample ")));
    EXPECT_THAT(e.err, HasSubstr("0.5 ms or more is a step"));
}

TEST(watch_command, json_is_one_object_a_line) {
    const ended e = shell("$firn watch --interval 20ms --for 60ms --json");
    ASSERT_EQ(e.status, 0) << e.err;
    const auto lines = e.lines();
    ASSERT_GE(lines.size(), 3U);
    const auto first = nlohmann::json::parse(lines.front());
    EXPECT_EQ(first["kind"], "sample");
    EXPECT_GT(std::stoll(first["wall_ns"].get<std::string>()), 0);
    const auto last = nlohmann::json::parse(lines.back());
    EXPECT_EQ(last["kind"], "end");
    EXPECT_EQ(last["samples"], lines.size() - 1 - last["steps"].get<std::size_t>());
    EXPECT_EQ(last["threshold_ns"], 500'000);
}

TEST(watch_command, a_signal_ends_it_with_a_whole_recording) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const scratch disk;
        const std::string path = (disk / "clock.rec").string();
        process watch{{FIRN_COMMAND_PATH, "watch", "--interval", "10ms", "--output", path},
                      {.directory = disk.path()}};
        // The first record is there: so the signals are waited for.
        while (!std::filesystem::exists(path) || std::filesystem::file_size(path) < 300) ::sched_yield();
        ::kill(watch.pid(), signal);
        const process_end end = watch.wait();
        EXPECT_EQ(end.status, 0) << end.err;
        EXPECT_THAT(end.out, HasSubstr("recorded in "));
        std::ifstream in{path};
        const std::string all{std::istreambuf_iterator<char>{in}, {}};
        EXPECT_EQ(all.back(), '\n');
    }
}

TEST(watch_command, ends_when_the_reader_has_had_enough) {
    const ended e = shell(
        "$firn watch --interval 10ms --json | head -n 1; $firn watch --interval 10ms -o - | "
        "head -n 1");
    EXPECT_EQ(e.status, 0);
    EXPECT_EQ(e.lines().size(), 2U);
}

TEST(watch_command, a_full_disk_ends_it_and_loses_nothing) {
    const ended e = shell(
        "(ulimit -f 1; $firn watch --interval 1ms --output clock.rec >told); echo $?; tail -c 1 clock.rec | "
        "od "
        "-An -c; $firn lab replay clock.rec --json");
    const auto lines = e.lines();
    ASSERT_EQ(lines.size(), 3U) << e.err;
    EXPECT_EQ(lines[0], "1");
    EXPECT_THAT(lines[1], HasSubstr("\\n"));
    EXPECT_GE(nlohmann::json::parse(lines[2])["records"], 1);
    EXPECT_EQ(e.err, "firn: clock.rec: cannot be written: File too large\n");
}

TEST(watch_command, says_what_is_wrong) {
    for (const char* wrong : {"--interval 0s", "--interval 5", "--for x", "--json --output -", "extra"}) {
        const ended e = shell(std::string{"$firn watch "} + wrong);
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
    const ended other = shell("echo mine >notes; $firn watch --for 1ms --output notes; cat notes");
    EXPECT_THAT(other.err, HasSubstr("choose another file"));
    EXPECT_EQ(other.out, "mine\n");
}

}  // namespace
}  // namespace firn
