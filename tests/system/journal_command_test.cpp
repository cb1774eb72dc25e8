// `firn journal` and `firn next --journal` as people and scripts call them: output, errors, exit status.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/system/journal_support.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

struct ended {
    int status;
    std::string output;
};

/// Runs `firn ARGUMENTS` with stderr joined to stdout.
ended run(const std::string& arguments) {
    std::FILE* pipe = ::popen((FIRN_COMMAND_PATH " " + arguments + " 2>&1").c_str(), "r");
    ended e;
    std::array<char, 4096> chunk;
    while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe))
        e.output.append(chunk.data(), n);
    e.status = WEXITSTATUS(::pclose(pipe));
    return e;
}

class JournalCommand : public testing::Test {
  protected:
    journal open() { return journal::open(directory, options_with(wall)); }
    ended show(const char* more = "") { return run("journal show " + directory.string() + " " + more); }
    ended check(const char* more = "") { return run("journal check " + directory.string() + " " + more); }
    nlohmann::json shown() { return nlohmann::json::parse(show("--json").output); }

    scratch room;
    std::filesystem::path directory = room / "orders";
    std::shared_ptr<manual_clock> wall = std::make_shared<manual_clock>(some_tick);
};

TEST_F(JournalCommand, ShowsAJournalThatWasStopped) {
    {
        journal j = open();
        std::array<id, 3> ids;
        j.next(ids);
    }
    const ended e = show();
    EXPECT_EQ(e.status, 0);
    EXPECT_THAT(e.output, AllOf(HasSubstr("not in use"), HasSubstr("41/10/12"), HasSubstr("machine      7"),
                                HasSubstr("2025-12-14T05:20:00.000Z, sequence 2"), HasSubstr("clean stop"),
                                HasSubstr("continues after the cursor"), HasSubstr("faults       none")));
    const nlohmann::json j = shown();
    EXPECT_EQ(j["ok"], true);
    EXPECT_EQ(j["in_use"], false);
    EXPECT_EQ(j["records"][j["newest"].get<std::size_t>()]["clean"], true);
    EXPECT_EQ(j["records"][j["newest"].get<std::size_t>()]["machine"], 7);
    EXPECT_EQ(j["page"]["cursor_slot"], std::to_string((some_tick.count << 12) + 2));
    EXPECT_EQ(check().output, directory.string() + ": no faults\n");
}

TEST_F(JournalCommand, ShowsAJournalInUse) {
    journal j = open();
    j.next();
    EXPECT_THAT(show().output, HasSubstr(", in use"));
    EXPECT_EQ(shown()["in_use"], true);
    EXPECT_EQ(check().status, 0);
}

TEST_F(JournalCommand, SaysThatTheNextStartIsAtTheCeiling) {
    { bare_user(directory, wall, first_boot).open().next(); }
    EXPECT_THAT(show().output, HasSubstr("at the ceiling"));
    EXPECT_EQ(shown()["continues"], false);
}

TEST_F(JournalCommand, FaultsEndWithStatusOneAndTheirRemedy) {
    {
        journal j = open();
        wall->set(tick{wall->now().count + 10'000});
        j.next();
    }
    damage_record(directory, 0);
    damage_record(directory, 1);
    for (const ended& e : {show(), check()}) {
        EXPECT_EQ(e.status, 1);
        EXPECT_THAT(e.output, HasSubstr("start a new directory"));
    }
    EXPECT_EQ(check("--json").status, 1);
    EXPECT_EQ(shown()["ok"], false);
    EXPECT_EQ(shown()["faults"].size(), 3U);
}

TEST_F(JournalCommand, ANewerRecordThatIsGoneIsAFault) {
    {
        journal j = open();
        std::filesystem::copy_file(directory / "ceiling", room / "copy");
        wall->set(tick{wall->now().count + 10'000});
        j.next();
    }
    std::filesystem::rename(room / "copy", directory / "ceiling");
    EXPECT_EQ(check().status, 1);
    EXPECT_THAT(check().output, HasSubstr("durable in this boot, is gone"));
    EXPECT_ERROR(open(), errc::journal_damaged, HasSubstr("old copy"));
}

TEST_F(JournalCommand, NoJournalIsSaid) {
    EXPECT_EQ(show().status, 1);
    EXPECT_THAT(show().output, MatchesRegex("firn: cannot open .*orders: No such file or directory\n"));
    std::filesystem::create_directory(directory);
    EXPECT_EQ(check().status, 1);
    EXPECT_THAT(check().output, HasSubstr("there is no journal in"));
    EXPECT_FALSE(std::filesystem::exists(directory / "lock")) << "looking has made something";
}

TEST_F(JournalCommand, MemoryFileSystemsAreNoted) {
    if (::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "there is no /dev/shm";
    const scratch in_memory("/dev/shm");
    directory = in_memory / "orders";
    { open(); }
    EXPECT_THAT(show().output, HasSubstr("neither a reboot nor a power cut"));
    EXPECT_EQ(shown()["in_memory"], true);
}

TEST_F(JournalCommand, WrongArgumentsAreOneLine) {
    for (const char* arguments :
         {"journal", "journal show", "journal check", "journal mend x", "journal show a b"}) {
        const ended e = run(arguments);
        EXPECT_EQ(e.status, 2) << arguments;
        EXPECT_THAT(e.output, MatchesRegex("firn: [^\n]+\n")) << arguments;
    }
    EXPECT_THAT(run("journal show --help").output, HasSubstr("Example"));
}

}  // namespace
}  // namespace firn
