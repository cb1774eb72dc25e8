// The journal on real files: what it remembers, what it refuses, and what it says. One process; a clock that
// reads what it is told. Each test runs on the disk of the build tree and in memory.
#include <sys/wait.h>

#include <set>
#include <thread>

#include "firn/counter_clock.hpp"
#include "tests/support/fake_time.hpp"
#include "tests/system/journal_support.hpp"

namespace firn {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class Journal : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::string base = GetParam();
        if (base == "/dev/shm" && ::access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "there is no /dev/shm";
        room.emplace(base == "disk" ? std::filesystem::current_path() : std::filesystem::path(base));
        directory = *room / "orders";
    }

    journal open(std::uint64_t machine = 7, std::chrono::microseconds window = 20ms) {
        journal::options o = options_with(wall, machine);
        o.window = window;
        return journal::open(directory, o);
    }
    bare_user user(detail::boot_id boot, std::int64_t window_ticks = 3000) {
        return bare_user(directory, wall, boot, window_ticks);
    }

    std::optional<scratch> room;
    std::filesystem::path directory;
    std::shared_ptr<manual_clock> wall = std::make_shared<manual_clock>(some_tick);
};

INSTANTIATE_TEST_SUITE_P(On, Journal, testing::Values("disk", "/dev/shm"),
                         [](const auto& where) { return where.index == 0 ? "disk" : "memory"; });

TEST_P(Journal, HandsOutWhatAGeneratorWould) {
    journal j = open(7, 3s);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(j.next(), layouts::standard.encode(some_tick, 7, i));
    std::array<id, 4> block;
    j.next(block);
    EXPECT_EQ(block.front(), layouts::standard.encode(some_tick, 7, 3));
    EXPECT_EQ(block.back(), layouts::standard.encode(some_tick, 7, 6));
    const journal_status s = j.status();
    EXPECT_EQ(s.last, slot_of(block.back()));
    EXPECT_EQ(s.ceiling, slot::at(tick{some_tick.count + 3001}, 0, 12));
    EXPECT_EQ(s.ticks_left, 3001);
    EXPECT_FALSE(s.continued);
    EXPECT_EQ(s.trouble, errc::ok);
}

TEST_P(Journal, MakesTheDirectoriesThatAreMissing) {
    directory = *room / "a/b/c/";
    EXPECT_EQ(open().next(), layouts::standard.encode(some_tick, 7, 0));
    EXPECT_TRUE(std::filesystem::exists(*room / "a/b/c/ceiling"));
}

TEST_P(Journal, CleanStopSkipsNothing) {
    std::array<id, 10> ids{};  // a batch: a single id may come from a block, whose rest is dropped
    open().next(ids);
    const id last = ids.back();
    const auto r = newest_record(directory);
    EXPECT_TRUE(r.clean);
    EXPECT_EQ(r.cursor, slot_of(last));
    EXPECT_EQ(r.ceiling.value, r.cursor.value + 1);
    {
        journal j = open();
        EXPECT_EQ(j.next().value, last.value + 1);
        EXPECT_TRUE(j.status().continued);
    }
    // … not even in another boot.
    EXPECT_EQ(user(second_boot).open().next().value, slot_of(last).value + 2);
}

TEST_P(Journal, CleanStopOfAnUnusedOneSkipsNothing) {
    { open(); }
    const auto r = newest_record(directory);
    EXPECT_EQ(r.cursor, no_slot);
    EXPECT_EQ(r.ceiling, slot{0});
    wall->set(tick{0});
    EXPECT_EQ(user(second_boot).open().next(), slot{0});
}

TEST_P(Journal, AKillSkipsNothingInThisBoot) {
    slot last{};
    {
        bare_user u = user(first_boot);
        u.open();
        for (int i = 0; i < 10; ++i) last = u.next();
    }
    bare_user u = user(first_boot);
    EXPECT_EQ(u.open().next().value, last.value + 1);
    EXPECT_TRUE(u.continued);
}

TEST_P(Journal, AKillAtAnyStepLeavesAJournalThatGoesOn) {
    std::uint64_t boots = 1;
    slot last = no_slot;
    const auto issue = [&](bare_user& u) {
        for (int i = 0; i < 3; ++i) {
            const slot s = u.next();
            ASSERT_GT(s, last);
            last = s;
        }
    };
    for (const bool power_loss : {false, true})
        for (const auto why : {detail::purpose::open, detail::purpose::extend, detail::purpose::close})
            for (int steps = 0; steps < 14; ++steps) {
                SCOPED_TRACE(testing::Message()
                             << power_loss << ' ' << static_cast<int>(why) << ' ' << steps);
                if (power_loss) ++boots;
                {
                    bare_user u = user({boots, 0});
                    if (why != detail::purpose::open) {
                        u.open();
                        issue(u);
                    }
                    wall->set(tick{wall->now().count + 2000});
                    u.run(why, steps);
                    if (why == detail::purpose::extend) issue(u);
                    wall->set(tick{wall->now().count - 1999});
                }
                if (power_loss) ++boots;
                bare_user u = user({boots, 0});
                u.open();
                issue(u);
            }
}

TEST_P(Journal, AnotherBootStartsAtTheCeiling) {
    slot ceiling{};
    {
        bare_user u = user(first_boot);
        u.open();
        u.next();
        ceiling = u.ceiling();
    }
    bare_user u = user(second_boot);
    EXPECT_EQ(u.open().next(), ceiling);
    EXPECT_FALSE(u.continued);
}

TEST_P(Journal, AnUnknownBootIsNeverThisBoot) {
    slot ceiling{};
    {
        bare_user u = user({});
        ceiling = u.open().ceiling();
        u.next();
    }
    EXPECT_EQ(user({}).open().next(), ceiling);
}

// cases.md, 5: saved at 9 s, ids up to 11 s, killed with the power gone, and the clock at 10 s.
TEST_P(Journal, ACeilingAheadOfUseIsRightWhereAMarkBehindItIsNot) {
    const auto second = [](std::int64_t s) { return tick{some_tick.count + s * 1000}; };
    slot last{};
    {
        bare_user u = user(first_boot);
        wall->set(second(6));
        u.open();
        wall->set(second(9));
        u.run(detail::purpose::extend);
        for (std::int64_t s = 9; s <= 11; ++s) {
            wall->set(second(s));
            last = u.next();
        }
        EXPECT_EQ(last.tick_of(12), second(11));
    }
    wall->set(second(10));
    for (const auto boot : {second_boot, first_boot}) {
        bare_user u = user(boot);
        EXPECT_GT(u.open().next(), last);
    }
}

// cases.md, 6, over a journal: what the leap would poison is the ceiling.
TEST_P(Journal, ALeapOfTheWallIsNotPersisted) {
    auto host = std::make_shared<fake_time>(1'770'000'000'000);
    journal::options o = options_with(
        std::make_shared<counter_clock>(layouts::standard, counter_clock::options{.source = host}));
    o.window = 50ms;
    id last{};
    {
        journal j = journal::open(directory, o);
        last = j.next();
        host->step(24h * 400);
        for (int i = 0; i < 100; ++i) {  // over the end of the reservation, so that it is extended meanwhile
            host->pass(1ms);
            const id i_th = j.next();
            EXPECT_GT(i_th, last);
            last = i_th;
        }
        EXPECT_GE(j.status().extensions, 1U);
        host->step(-24h * 400);
        last = j.next();
    }
    const auto wall_now = instant{std::chrono::microseconds{host->wall_ns() / 1000}};
    EXPECT_LE(layouts::standard.time_of(last), wall_now);
    for (const auto& r : inspect_journal(directory).records)
        EXPECT_LE(layouts::standard.time_of(r.ceiling.tick_of(12)), wall_now + 200ms) << r.number;
}

// cases.md, 13: ids 10 ms apart are spread over the low bits when asked for.
TEST_P(Journal, LowBitsDoNotPileUp) {
    for (const auto start : {sequence_start::rolling, sequence_start::random}) {
        journal::options o = options_with(wall);
        o.start = start;
        journal j = journal::open(*room / (start == sequence_start::rolling ? "rolling" : "random"), o);
        std::array<int, 16> count{};
        for (int i = 0; i < 1000; ++i) {
            wall->set(tick{wall->now().count + 1});
            count[j.next().value % 16] += 1;
        }
        for (const int c : count) EXPECT_THAT(c, AllOf(testing::Ge(30), testing::Le(100)));
    }
}

// cases.md, 19: two of one machine number in one process share the cursor.
TEST_P(Journal, TwoOfOneMachineShareTheCursor) {
    journal a = open();
    journal b = open();
    id last{};
    for (int i = 0; i < 1000; ++i)
        for (journal* j : {&a, &b}) {
            const id next = j->next();
            EXPECT_GT(next, last);
            last = next;
        }
}

// cases.md, 20: ten first calls at once, on a directory that does not exist.
TEST_P(Journal, TenThreadsCallForTheFirstTimeAtOnce) {
    std::array<std::optional<id>, 10> got;
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (auto& mine : got)
        threads.emplace_back([&] {
            while (!go.load()) std::this_thread::yield();
            mine = open().next();
        });
    go = true;
    for (auto& t : threads) t.join();
    std::set<id> all;
    for (const auto& i : got) all.insert(i.value());
    EXPECT_EQ(all.size(), 10U);
}

TEST_P(Journal, OnlyTheLastUserGivesBack) {
    auto a = std::make_optional<bare_user>(directory, wall, first_boot);
    auto b = std::make_optional<bare_user>(directory, wall, first_boot);
    a->open();
    b->open();
    const slot reserved = a->ceiling();
    const slot first = a->next();
    a->stop();
    EXPECT_EQ(b->ceiling(), reserved);
    EXPECT_FALSE(newest_record(directory).clean);
    EXPECT_EQ(b->next().value, first.value + 1);
    b->stop();
    EXPECT_TRUE(newest_record(directory).clean);
    EXPECT_EQ(newest_record(directory).cursor.value, first.value + 1);
}

TEST_P(Journal, AFailedOpeningIsNoUser) {
    bare_user a = user(first_boot);
    a.open();
    for (int i = 0; i < 3; ++i) EXPECT_ERROR(open(8), errc::journal_mismatch, HasSubstr("machine"));
    a.stop();
    EXPECT_TRUE(newest_record(directory).clean);
    EXPECT_FALSE(inspect_journal(directory).in_use);
}

// ---- what is refused, and how it is said

TEST_P(Journal, MismatchNamesBothSides) {
    { open(); }
    EXPECT_ERROR(open(8), errc::journal_mismatch,
                 AllOf(HasSubstr("machine 7"), HasSubstr("machine 8"), HasSubstr(directory.string())));

    journal::options o = options_with(wall);
    o.layout = layouts::twitter;
    wall->set(tick{400'000'000'000});
    EXPECT_ERROR(journal::open(directory, o), errc::journal_mismatch,
                 AllOf(HasSubstr("2025-01-01T00:00:00.000Z"), HasSubstr("2010-11-04T01:42:54.657Z")));

    o.layout = layouts::standard;
    o.layout.machine_bits = 8;
    o.layout.sequence_bits = 14;
    EXPECT_ERROR(journal::open(directory, o), errc::journal_mismatch,
                 AllOf(HasSubstr("41/10/12"), HasSubstr("41/8/14")));
}

TEST_P(Journal, ALostCursorFileStartsAtTheCeiling) {
    slot ceiling{};
    {
        bare_user u = user(first_boot);
        ceiling = u.open().ceiling();
        u.next();
    }
    std::filesystem::remove(directory / "cursor");
    EXPECT_EQ(user(first_boot).open().next(), ceiling);
}

TEST_P(Journal, ALostCeilingFileIsDamage) {
    { open().next(); }
    std::filesystem::remove(directory / "ceiling");
    EXPECT_ERROR(open(), errc::journal_damaged, HasSubstr("start a new directory"));
    EXPECT_THAT(inspect_journal(directory).faults, testing::ElementsAre(HasSubstr("no ceiling file")));
}

TEST_P(Journal, ATornRecordLeavesTheOther) {
    slot kept{};
    {
        bare_user u = user(first_boot, 100);
        kept = u.open().ceiling();
        wall->set(tick{wall->now().count + 90});
        u.run(detail::purpose::extend, 4);  // up to the write, not the sync: nothing is published
        EXPECT_EQ(u.ceiling(), kept);
    }
    const journal_report before = inspect_journal(directory);
    ASSERT_EQ(before.records[1 - static_cast<std::size_t>(before.newest)].ceiling, kept);
    damage_record(directory, static_cast<std::size_t>(before.newest));
    EXPECT_THAT(inspect_journal(directory).faults, testing::ElementsAre(HasSubstr("the other one counts")));
    EXPECT_EQ(user(second_boot).open().next(), kept);
}

// In this boot the page still knows that there was a newer one, which slots were handed out under.
TEST_P(Journal, ANewerRecordThatIsGoneIsDamage) {
    journal_report before;
    {
        bare_user u = user(first_boot);
        u.open();
        wall->set(tick{wall->now().count + 2900});
        u.run(detail::purpose::extend);
        before = inspect_journal(directory);
    }
    damage_record(directory, static_cast<std::size_t>(before.newest));
    bare_user u = user(first_boot);
    EXPECT_EQ(u.run(detail::purpose::open), detail::progress::failed);
    EXPECT_EQ(u.fault, errc::journal_damaged);
}

TEST_P(Journal, AnOldCopyOfTheRecordsIsDamageInThisBoot) {
    journal j = open();
    std::filesystem::copy_file(directory / "ceiling", *room / "copy");
    wall->set(tick{wall->now().count + 4000});
    j.next();
    std::filesystem::rename(*room / "copy", directory / "ceiling");
    EXPECT_ERROR(open(), errc::journal_damaged, HasSubstr("old copy"));
}

TEST_P(Journal, NoIntactRecordIsDamage) {
    { open().next(); }
    damage_record(directory, 0);
    damage_record(directory, 1);
    EXPECT_ERROR(open(), errc::journal_damaged,
                 AllOf(HasSubstr("start a new directory"), HasSubstr((directory / "ceiling").string())));
    EXPECT_EQ(inspect_journal(directory).newest, -1);
}

TEST_P(Journal, ALaterVersionIsLeftAlone) {
    { open().next(); }
    auto bytes =
        detail::encode({.number = 99, .boot = first_boot, .layout = layouts::standard, .machine = 7});
    const std::uint32_t version = 3;
    const std::uint32_t none = 0;
    std::memcpy(bytes.data() + 8, &version, 4);
    std::memcpy(bytes.data() + 12, &none, 4);
    const std::uint32_t sum = detail::crc32c(bytes);
    std::memcpy(bytes.data() + 12, &sum, 4);
    put_record(directory, 0, bytes);
    EXPECT_ERROR(open(), errc::journal_newer, AllOf(HasSubstr("version 3"), HasSubstr("up to 1")));
}

TEST_P(Journal, ForeignFilesAreNotTakenForAJournal) {
    std::filesystem::create_directories(directory);
    put(directory / "ceiling", "this is somebody's list of ceilings\n");
    EXPECT_ERROR(open(), errc::journal_damaged, HasSubstr("no intact record"));
    put(directory / "ceiling", "");
    EXPECT_ERROR(open(), errc::journal_damaged, HasSubstr("no intact record"));
    std::filesystem::remove(directory / "ceiling");
    std::filesystem::remove(directory / "cursor");
    std::filesystem::create_directory(directory / "ceiling");
    EXPECT_ERROR(open(), errc::journal_io, HasSubstr("Is a directory"));
    std::filesystem::remove(directory / "ceiling");
    std::filesystem::create_symlink("/dev/null", directory / "ceiling");
    EXPECT_ERROR(open(), errc::journal_io, HasSubstr("symbolic links"));
    std::filesystem::remove(directory / "ceiling");
    EXPECT_NO_THROW(open().next());
}

TEST_P(Journal, AForeignCursorFileIsNotBelieved) {
    slot ceiling{};
    {
        bare_user u = user(first_boot);
        ceiling = u.open().ceiling();
    }
    put(directory / "cursor", "short");
    EXPECT_EQ(user(first_boot).open().next(), ceiling);
    put(directory / "cursor", std::string(100'000, '\x7F'));
    bare_user u = user(first_boot);
    EXPECT_GT(u.open().next(), ceiling);
    EXPECT_FALSE(u.continued);
}

// A cursor that lies outside of what the newest record reserves, or belongs to an older state.
TEST_P(Journal, AnOldCopyOfTheCursorIsNotBelieved) {
    std::string old_page(4096, '\0');
    slot last{};
    {
        bare_user u = user(first_boot);
        u.open().next();
        std::ifstream(directory / "cursor", std::ios::binary).read(old_page.data(), 4096);
        wall->set(tick{wall->now().count + 2900});
        u.next();
        u.run(detail::purpose::extend);
        wall->set(tick{wall->now().count + 1});
        last = u.next();
    }
    overwrite(directory / "cursor", 0, old_page.data(), old_page.size());
    bare_user u = user(first_boot);
    EXPECT_GT(u.open().next(), last);
    EXPECT_FALSE(u.continued);
}

TEST_P(Journal, APathThatIsNoDirectoryIsAnError) {
    put(directory, "a file");
    EXPECT_ERROR(open(), errc::journal_io,
                 AllOf(HasSubstr("Not a directory"), HasSubstr(directory.string())));
    EXPECT_ERROR(journal::open("", options_with(wall)), errc::journal_io, HasSubstr("no directory"));
    EXPECT_ERROR(inspect_journal(*room / "nothing"), errc::journal_io, HasSubstr("No such file"));
}

TEST_P(Journal, OptionsAreCheckedBeforeAnythingIsMade) {
    journal::options o = options_with(wall);
    o.machine = machine_not_given;
    EXPECT_ERROR(journal::open(directory, o), errc::machine_out_of_range, HasSubstr("set .machine"));
    o.machine = 7;
    o.window = 1us;
    EXPECT_ERROR(journal::open(directory, o), errc::bad_policy, HasSubstr("1 ms to 24 h"));
    o.window = 3s;
    o.unsafe_own_cursor = true;
    EXPECT_ERROR(journal::open(directory, o), errc::bad_policy, HasSubstr("unsafe_own_cursor"));
    EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST_P(Journal, TheEndOfTheLayoutIsTheEndOfTheJournal) {
    journal::options o = options_with(wall);
    o.min_life = 0us;
    const tick end = layouts::standard.end_tick();
    wall->set(tick{end.count - 2});
    {
        journal j = journal::open(directory, o);
        const until_refused spent(j);
        EXPECT_EQ(spent.count, 2U * 4096);
        EXPECT_EQ(spent.code, errc::exhausted);
    }
    journal j = journal::open(directory, o);
    EXPECT_EQ(j.try_next().error(), errc::exhausted);
    EXPECT_ERROR(j.next(), errc::exhausted, HasSubstr("later epoch"));
}

// ---- while it runs

TEST_P(Journal, IsExtendedAheadOfUse) {
    journal::options o = options_with(wall);
    o.window = 20ms;
    journal j = journal::open(directory, o);
    id last{};
    for (int i = 0; i < 200; ++i) {
        wall->set(tick{wall->now().count + 1});
        const id next = j.next();
        ASSERT_GT(next, last);
        last = next;
    }
    EXPECT_GE(j.status().extensions, 8U);
    EXPECT_LE(j.status().last, j.status().ceiling);
}

TEST_P(Journal, WritesNothingWhileIdleAndGoesOnWhenAsked) {
    journal::options o = options_with(wall);
    o.window = 1ms;
    journal j = journal::open(directory, o);
    j.next();
    wall->set(tick{wall->now().count + 1000});
    j.next();  // past the ceiling: extended on demand
    // The thread may have a look to finish; then it has none to begin, however far the wall goes.
    std::uint64_t before = 0;
    bool quiet = false;
    for (int attempt = 0; attempt < 10 && !quiet; ++attempt) {
        before = newest_record(directory).number;
        wall->set(tick{wall->now().count + 1'000'000});
        ::usleep(20'000);  // twenty windows
        quiet = newest_record(directory).number == before;
    }
    EXPECT_TRUE(quiet);
    EXPECT_EQ(j.try_next().error(), errc::ceiling_reached);
    EXPECT_EQ(layouts::standard.decode(j.next()).tick, wall->now());
    EXPECT_GT(newest_record(directory).number, before);
}

TEST_P(Journal, ARewoundClockDoesNotLowerTheCeiling) {
    bare_user u = user(first_boot, 100);
    u.open();
    const slot first = u.next();
    const slot before = u.ceiling();
    wall->set(tick{wall->now().count - 50'000});
    u.run(detail::purpose::extend);
    EXPECT_EQ(u.ceiling(), before);
    EXPECT_EQ(u.next().value, first.value + 1);
}

TEST_P(Journal, ThreadBlocksEndAtTheCeilingAndAreSpentAtAStop) {
    journal::options o = options_with(wall);
    o.order = order::thread_blocks;
    o.window = 20ms;
    std::set<id> seen;
    for (int life = 0; life < 5; ++life) {
        journal j = journal::open(directory, o);
        for (int i = 0; i < 3000; ++i) ASSERT_TRUE(seen.insert(j.next()).second);
    }
    journal j = journal::open(directory, o);
    const until_refused spent(j);
    EXPECT_GT(spent.last, *seen.rbegin());
    EXPECT_EQ(spent.code, errc::ceiling_reached);
}

TEST_P(Journal, DeletedItGoesToItsCeilingAndEnds) {
    journal j = open();
    j.next();
    const slot ceiling = j.status().ceiling;
    std::filesystem::remove_all(directory);
    const until_refused spent(j);
    EXPECT_LT(slot_of(spent.last), ceiling);
    EXPECT_ERROR(j.next(), errc::journal_replaced,
                 AllOf(HasSubstr("deleted or replaced"), HasSubstr("restart")));
    EXPECT_EQ(j.try_next().error(), errc::journal_replaced);
    EXPECT_THAT([&] { return j.try_next().value(); },
                testing::Throws<error>(testing::Property(&error::what, HasSubstr("put it back"))));
    EXPECT_TRUE(j.status().lost);
    EXPECT_FALSE(std::filesystem::exists(directory)) << "it made the directory again";
}

TEST_P(Journal, EmptiedItGoesToItsCeilingAndEnds) {
    journal j = open();
    j.next();
    for (const char* name : {"ceiling", "cursor", "lock"}) std::filesystem::remove(directory / name);
    const until_refused spent(j);
    EXPECT_ERROR(j.next(), errc::journal_replaced, HasSubstr("deleted or replaced"));
    EXPECT_TRUE(std::filesystem::is_empty(directory)) << "it made files again";
}

TEST_P(Journal, ReplacedByAnotherItGoesToItsCeilingAndEnds) {
    for (const char* name : {"ceiling", "cursor", "lock"}) {
        directory = *room / name;
        journal j = open();
        j.next();
        std::filesystem::copy_file(directory / name, *room / "copy");
        std::filesystem::rename(*room / "copy", directory / name);
        const until_refused spent(j);
        EXPECT_ERROR(j.next(), errc::journal_replaced, HasSubstr("deleted or replaced"));
    }
}

TEST_P(Journal, MovedAsideAndMadeAnewTheOldOneEnds) {
    journal old = open();
    old.next();
    std::filesystem::rename(directory, *room / "aside");
    {
        journal fresh = open(8);
        fresh.next();
        const until_refused spent(old);
        EXPECT_ERROR(old.next(), errc::journal_replaced, HasSubstr("deleted or replaced"));
    }
    EXPECT_EQ(newest_record(directory).machine, 8U);
}

TEST_P(Journal, AReplacedCursorIsNotOpenedBesideThoseWhoUseTheOldOne) {
    journal j = open();
    j.next();
    std::filesystem::remove(directory / "cursor");
    EXPECT_ERROR(open(), errc::journal_replaced, HasSubstr("stop those processes"));
}

TEST_P(Journal, ADaemonMayChangeItsWorkingDirectory) {
    const std::filesystem::path before = std::filesystem::current_path();
    std::filesystem::current_path(room->path());
    {
        journal j = journal::open("orders", options_with(wall));
        j.next();
        std::filesystem::current_path("/");
        wall->set(tick{wall->now().count + 10'000});
        EXPECT_NO_THROW(j.next());
    }
    std::filesystem::current_path(before);
    EXPECT_TRUE(newest_record(directory).clean);
}

}  // namespace
}  // namespace firn
