// `firn audit` as its users run it: files and pipes, statuses, signals, a full disk.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/live/scratch.hpp"
#include "tests/support/process.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class audit_command : public testing::Test {
  protected:
    audit_command() { std::filesystem::create_directory(spill()); }

    std::filesystem::path spill() const { return disk / "spill"; }

    std::vector<std::string> command(const std::vector<std::string>& arguments) const {
        std::vector<std::string> all{FIRN_COMMAND_PATH, "audit", "--tmpdir", spill().string()};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }
    process_end end_of(const std::vector<std::string>& arguments, const std::string& input = "") {
        process firn{command(arguments), {.directory = disk.path()}};
        firn.write(input);
        firn.close_input();
        return firn.wait();
    }

    /// More ids than fit into the least memory, all different.
    static std::string many_ids() {
        std::string text;
        for (std::uint64_t i = 0; i < 1'500'000; ++i)
            text += std::to_string(1'000'000'000'000'000'000 + i) + '\n';
        return text;
    }

    scratch disk;
};

TEST_F(audit_command, says_by_its_status_whether_there_are_duplicates) {
    const auto clean = end_of({disk.write("a", "1\n2\n3\n")});
    EXPECT_EQ(clean.status, 0);
    EXPECT_THAT(clean.out, AllOf(HasSubstr("ids          3\n"), HasSubstr("duplicates   0\n")));
    EXPECT_THAT(clean.err, IsEmpty());
    const auto twice = end_of({disk.write("a", "1\n2\n1\n1\n")});
    EXPECT_EQ(twice.status, 1);
    EXPECT_THAT(twice.out, HasSubstr("duplicates   2: 1 id repeats\n"));
    EXPECT_THAT(twice.out, HasSubstr("  1  3 times: " + (disk / "a").string() + ":1, "));
}

TEST_F(audit_command, reads_a_pipe_with_or_without_a_dash) {
    for (const std::vector<std::string>& arguments : {std::vector<std::string>{}, {"-"}}) {
        const auto end = end_of(arguments, "7\n8\n7\n");
        EXPECT_EQ(end.status, 1);
        EXPECT_THAT(end.out, HasSubstr("  7  2 times: stdin:1, stdin:3\n"));
    }
}

TEST_F(audit_command, prints_json_with_ids_as_strings) {
    const auto end = end_of({"--json", "--as", "twitter"}, "1593572310593806338\n1593572310593806338\n");
    EXPECT_EQ(end.status, 1);
    const auto r = nlohmann::json::parse(end.out);
    EXPECT_EQ(r["ids"], 2);
    EXPECT_EQ(r["duplicates"], 1);
    EXPECT_EQ(r["repeats"][0]["id"], "1593572310593806338");
    EXPECT_EQ(r["repeats"][0]["places"][1]["line"], 2);
    EXPECT_EQ(r["first"], "2022-11-18T11:50:20.644Z");
    EXPECT_EQ(r["layout"]["epoch_ms"], 1288834974657);
    EXPECT_EQ(r["machines"][0]["machine"], 11 << 5 | 26);
    EXPECT_EQ(r["future"], 0);
}

TEST_F(audit_command, takes_a_layout_by_its_widths_and_epoch) {
    const auto end = end_of({"--as", "41/10/12", "--epoch", "2010-11-04T01:42:54.657Z", "--json"},
                            "1050118621198921728\n");
    EXPECT_EQ(nlohmann::json::parse(end.out)["first"], "2018-10-10T20:19:24.211Z");
    // Without its epoch it is another time, and the epoch used is printed.
    EXPECT_THAT(end_of({"--as", "41/10/12"}, "1050118621198921728\n").out,
                HasSubstr("from 1970-01-01T00:00:00.000Z"));
}

TEST_F(audit_command, says_that_ids_lie_in_the_future) {
    const auto end = end_of({"--as", "41/10/12", "--epoch", "2200-01-01T00:00:00Z"}, "1\n");
    EXPECT_THAT(end.out, HasSubstr("future       1 id is past now"));
}

TEST_F(audit_command, reads_csv_and_raw) {
    const auto csv = end_of({"--column", "id", "--json"}, "note,id\n\"a,\nb\",5\nc,5\n");
    EXPECT_EQ(nlohmann::json::parse(csv.out)["repeats"][0]["places"][1]["line"], 4);
    const auto raw = end_of({"--raw", "--json"}, std::string("\x05\0\0\0\0\0\0\0\x05\0\0\0\0\0\0\0", 16));
    EXPECT_EQ(nlohmann::json::parse(raw.out)["duplicates"], 1);
}

TEST_F(audit_command, names_the_line_of_what_is_no_id) {
    const auto end = end_of({}, "1\n12 \n");
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.out, IsEmpty());
    EXPECT_EQ(
        end.err,
        "firn audit: stdin:2: '12 ' is no id: character 3 is no digit; --skip-bad counts such lines and goes "
        "on\n");
    const auto skipped = end_of({"--skip-bad"}, "1\n12 \n");
    EXPECT_EQ(skipped.status, 0);
    EXPECT_THAT(skipped.out, HasSubstr("skipped      1 record that is no id\n"));
}

TEST_F(audit_command, does_not_wait_for_the_rest_of_a_pipe_after_an_error) {
    process firn{command({"--memory", "16M"}), {.directory = disk.path()}};
    firn.write("x\n" + many_ids());  // And the pipe stays open.
    EXPECT_EQ(firn.wait().status, 3);
}

TEST_F(audit_command, refuses_wrong_arguments_in_one_line) {
    for (const auto& [arguments, words] :
         {std::pair<std::vector<std::string>, const char*>{{"--memory", "12"},
                                                           "--memory: takes a number of bytes from 16M on"},
          {{"--memory", "1X"}, "--memory: takes a number of bytes from 16M on"},
          {{"--threads", "0"}, "--threads: takes a whole number from 1"},
          {{"--show", "-1"}, "--show: takes a whole number from 0"},
          {{"--as", "41/10"}, "--as: takes standard, "},
          {{"--as", "nobody"}, "not 'nobody'"},
          {{"--as", "41/10/0"}, "sequence_bits must be from 1 to 31"},
          {{"--epoch", "yesterday"}, "--epoch: takes an instant"},
          {{"--raw", "--column", "x"}, "--raw"},
          {{"-", "-"}, "once"},
          {{"--nonsense"}, "--nonsense"}}) {
        const auto end = end_of(arguments);
        EXPECT_EQ(end.status, 2) << end.err;
        EXPECT_THAT(end.err, HasSubstr(words));
        EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1) << end.err;
    }
}

TEST_F(audit_command, spills_and_leaves_nothing) {
    const auto end = end_of({"--memory", "16M", "--json"}, many_ids() + "1000000000000000777\n");
    EXPECT_EQ(end.status, 1);
    const auto r = nlohmann::json::parse(end.out);
    EXPECT_EQ(r["ids"], 1'500'001);
    EXPECT_EQ(r["duplicates"], 1);
    EXPECT_EQ(r["repeats"][0]["places"][0]["line"], 778);
    EXPECT_EQ(r["repeats"][0]["places"][1]["line"], 1'500'001);
    EXPECT_GT(r["spilled_bytes"], 0);
    EXPECT_TRUE(std::filesystem::is_empty(spill()));
}

/// The temporary files that a process has open.
std::size_t deleted_files_of(pid_t pid, const std::filesystem::path& directory) {
    std::size_t count = 0;
    for (const auto& fd : std::filesystem::directory_iterator{"/proc/" + std::to_string(pid) + "/fd"}) {
        std::error_code ignored;
        const auto target = std::filesystem::read_symlink(fd.path(), ignored).string();
        if (target.starts_with(std::filesystem::canonical(directory).string())) ++count;
    }
    return count;
}

TEST_F(audit_command, interrupted_while_it_spills_leaves_nothing) {
    for (const auto& [signal, status] :
         {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}, std::pair{SIGKILL, -SIGKILL}}) {
        process firn{command({"--memory", "16M"}), {.directory = disk.path()}};
        // When all but a pipe's content of it is written, the command has read more than it has memory for.
        ASSERT_TRUE(firn.write(many_ids()));
        EXPECT_EQ(deleted_files_of(firn.pid(), spill()), 2U);  // Of the ids, and the copy of the pipe.
        EXPECT_TRUE(std::filesystem::is_empty(spill()));
        firn.send(signal);
        const auto end = firn.wait();
        EXPECT_EQ(end.status, status);
        EXPECT_THAT(end.out, IsEmpty());
        if (signal != SIGKILL) {
            EXPECT_EQ(end.err, "firn audit: interrupted\n");
        }
        EXPECT_TRUE(std::filesystem::is_empty(spill()));
    }
}

TEST_F(audit_command, says_that_a_file_has_reached_its_limit) {
    const auto limit = [] {
        const rlimit bytes{1 << 20, 1 << 20};
        ::setrlimit(RLIMIT_FSIZE, &bytes);
    };
    process firn{command({"--memory", "16M"}), {.directory = disk.path(), .before = limit}};
    firn.write(many_ids());
    firn.close_input();
    const auto end = firn.wait();
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.err,
                AllOf(HasSubstr("File too large"), HasSubstr(spill().string()), HasSubstr("--tmpdir")));
    EXPECT_TRUE(std::filesystem::is_empty(spill()));
}

TEST_F(audit_command, says_that_the_disk_is_full) {
    constexpr int cannot_mount = 77;
    const auto small_disk = [this] {
        // In a mount namespace of its own, so that nothing outside sees it or has to unmount it.
        if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("none", spill().c_str(), "tmpfs", 0, "size=1m") != 0)
            ::_exit(cannot_mount);
    };
    process firn{command({"--memory", "16M"}), {.directory = disk.path(), .before = small_disk}};
    firn.write(many_ids());
    firn.close_input();
    const auto end = firn.wait();
    if (end.status == cannot_mount) GTEST_SKIP() << "only root can mount a small disk";
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.err, AllOf(HasSubstr("No space left on device"), HasSubstr("--tmpdir")));
    EXPECT_EQ(std::count(end.err.begin(), end.err.end(), '\n'), 1);
}

TEST_F(audit_command, takes_the_directory_from_the_environment) {
    process firn{{FIRN_COMMAND_PATH, "audit", "--memory", "16M"},
                 {.directory = disk.path(), .environment = {"TMPDIR=/nowhere"}}};
    firn.write(many_ids());
    firn.close_input();
    const auto end = firn.wait();
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.err, HasSubstr("cannot make a temporary file in /nowhere"));
}

TEST_F(audit_command, draws_nothing_when_stderr_is_no_terminal) {
    EXPECT_THAT(end_of({"--memory", "16M"}, many_ids()).err, IsEmpty());
}

TEST_F(audit_command, draws_its_progress_on_a_terminal) {
    const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    ASSERT_GE(terminal, 0);
    ASSERT_EQ(::grantpt(terminal) | ::unlockpt(terminal), 0);
    const std::string name = ::ptsname(terminal);
    const auto on_terminal = [&] { ::dup2(::open(name.c_str(), O_RDWR | O_NOCTTY), 2); };
    process firn{command({}), {.directory = disk.path(), .before = on_terminal}};
    // As long as its input is open it draws.
    std::string drawn;
    std::array<char, 256> buffer{};
    while (drawn.find("reading 0 MiB") == std::string::npos) {
        const auto n = ::read(terminal, buffer.data(), buffer.size());
        ASSERT_TRUE(n > 0 || errno == EIO);  // EIO: the command has not opened its end yet.
        if (n > 0) drawn.append(buffer.data(), static_cast<std::size_t>(n));
    }
    firn.close_input();
    EXPECT_EQ(firn.wait().status, 0);
    ::close(terminal);
}

TEST_F(audit_command, says_that_its_output_was_lost) {
    const auto full = [] { ::dup2(::open("/dev/full", O_WRONLY), 1); };
    process firn{command({}), {.directory = disk.path(), .before = full}};
    firn.write("1\n");
    firn.close_input();
    const auto end = firn.wait();
    EXPECT_EQ(end.status, 3);
    EXPECT_THAT(end.err, HasSubstr("cannot write the report"));
}

}  // namespace
}  // namespace firn
