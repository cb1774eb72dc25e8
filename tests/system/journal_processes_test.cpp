// Several processes on one journal, on the host's own clock: forked, killed, stopped, and all at once.
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <set>
#include <thread>

#include "firn/counter_clock.hpp"
#include "firn/generator.hpp"
#include "lab/live/child.hpp"
#include "lab/live/shared.hpp"
#include "tests/support/faults.hpp"
#include "tests/system/journal_support.hpp"

#if defined(__SANITIZE_THREAD__)
// Its children have threads of their own, which ThreadSanitizer does not like after a fork by a process with
// threads.
extern "C" const char* __tsan_default_options() {
    return "die_after_fork=0";
}
#endif

namespace firn {
namespace {

using namespace std::chrono_literals;
using live::child;
using live::id_log;
using live::shared;
using testing::HasSubstr;

/// How many ids came more than once.
std::size_t duplicates(const std::vector<const id_log*>& logs) {
    std::vector<std::uint64_t> all;
    for (const id_log* log : logs)
        for (std::size_t i = 0; i < log->size(); ++i) all.push_back((*log)[i].value);
    std::sort(all.begin(), all.end());
    return static_cast<std::size_t>(all.end() - std::unique(all.begin(), all.end()));
}

bool increasing(const id_log& log) {
    for (std::size_t i = 1; i < log.size(); ++i)
        if (log[i] <= log[i - 1]) return false;
    return true;
}

template <class Condition>
void wait_until(Condition&& c) {
    while (!c()) std::this_thread::yield();
}

class JournalProcesses : public testing::TestWithParam<order> {
  protected:
    ~JournalProcesses() override { faults::hold_fdatasync = false; }

    journal open(std::chrono::microseconds window = 5ms) {
        journal::options o;
        o.machine = 7;
        o.window = window;
        o.order = GetParam();
        return journal::open(directory, o);
    }

    scratch room;
    std::filesystem::path directory = room / "orders";
};

INSTANTIATE_TEST_SUITE_P(In, JournalProcesses, testing::Values(order::strict, order::thread_blocks),
                         [](const auto& o) { return o.index == 0 ? "strict" : "blocks"; });

/// Hands out `count` ids, now and then waiting for the ceiling.
int issue(issuer<packer>& ids, id_log& into, int count) {
    for (int i = 0; i < count; ++i) {
        id next{};
        if (const auto r = ids.try_next())
            next = *r;
        else
            next = ids.next(1h);
        if (!into.append(next)) return 1;
    }
    return 0;
}

TEST_P(JournalProcesses, ManyAtOnceOnADirectoryThatIsNotThere) {
    constexpr int processes = 8;
    shared<std::atomic<bool>> go;
    std::vector<id_log> logs;
    for (int i = 0; i < processes; ++i) logs.emplace_back(20'000);
    std::vector<child> all;
    for (auto& log : logs)
        all.emplace_back([&] {
            wait_until([&] { return go->load(); });
            journal j = open();
            return issue(j, log, 20'000);
        });
    *go = true;
    for (auto& c : all) EXPECT_EQ(c.wait(), 0);
    std::vector<const id_log*> views;
    for (const auto& log : logs) {
        EXPECT_EQ(log.size(), 20'000U);
        EXPECT_TRUE(increasing(log));
        views.push_back(&log);
    }
    EXPECT_EQ(duplicates(views), 0U);
    EXPECT_TRUE(newest_record(directory).clean);
}

// cases.md, 18: fork while another thread generates; 10,000 ids each.
TEST_P(JournalProcesses, ForkWhileAnotherThreadGenerates) {
    FIRN_SKIP_WHEN_EMULATED("threads in a child of a process with threads");
    journal j = open();
    std::vector<id_log> logs;
    for (int i = 0; i < 6; ++i) logs.emplace_back(10'000'000);
    std::atomic<bool> stop{false};
    std::thread busy([&] {
        while (!stop.load())
            if (issue(j, logs[4], 10) != 0) return;
    });
    wait_until([&] { return logs[4].size() > 100; });
    std::vector<child> children;
    for (std::size_t i = 0; i < 4; ++i) {
        issue(j, logs[5], 10);  // so that this thread has a block, which the child must not go on with
        children.emplace_back([&, i] { return issue(j, logs[i], 10'000); });
    }
    issue(j, logs[5], 10'000);
    for (auto& c : children) EXPECT_EQ(c.wait(), 0);
    stop = true;
    busy.join();
    std::vector<const id_log*> views;
    for (const auto& log : logs) {
        EXPECT_TRUE(increasing(log));
        views.push_back(&log);
    }
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(logs[i].size(), 10'000U);
    EXPECT_EQ(duplicates(views), 0U);
}

TEST_P(JournalProcesses, AChildDropsTheBlockOfItsParent) {
    // The wall stands still, so that a block lasts: what the thread has of it is not the child's.
    journal::options o = options_with(std::make_shared<manual_clock>(some_tick));
    o.order = GetParam();
    journal j = journal::open(directory, o);
    std::vector<id_log> logs;
    for (int i = 0; i < 4; ++i) logs.emplace_back(1000);
    for (int i = 0; i < 20; ++i) logs[0].append(j.next());
    std::vector<child> children;
    for (std::size_t i = 1; i < 4; ++i) children.emplace_back([&, i] { return issue(j, logs[i], 100); });
    issue(j, logs[0], 100);
    for (auto& c : children) EXPECT_EQ(c.wait(), 0);
    EXPECT_EQ(duplicates({&logs[0], &logs[1], &logs[2], &logs[3]}), 0U);
}

TEST_P(JournalProcesses, AChildOutlivesItsParentAndPassesTheCeiling) {
    FIRN_SKIP_WHEN_EMULATED("threads in a child of a process with threads");
    shared<std::atomic<bool>> orphaned;
    shared<std::atomic<int>> status;
    *status = -1;
    std::vector<id_log> logs;
    for (int i = 0; i < 3; ++i) logs.emplace_back(5000);
    {
        child parent([&] {
            journal j = open();
            issue(j, logs[0], 1000);
            if (::fork() == 0) {
                wait_until([&] { return orphaned->load(); });
                int mine = 1;
                try {
                    const journal_status before = j.status();
                    ::usleep(20'000);  // past the end of what the parent has reserved
                    mine = issue(j, logs[1], 5000);
                    const journal_status after = j.status();
                    if (after.ceiling <= before.ceiling || after.extensions == before.extensions) mine = 2;
                } catch (const std::exception& e) {
                    std::fprintf(stderr, "%s\n", e.what());
                }
                *status = mine;
                ::_exit(0);
            }
            return issue(j, logs[0], 1000);
        });
        wait_until([&] { return logs[0].size() == 2000; });
        parent.signal(SIGKILL);
        parent.wait();
    }
    *orphaned = true;
    wait_until([&] { return status->load() >= 0; });
    EXPECT_EQ(*status, 0);
    journal j = open();
    issue(j, logs[2], 5000);
    EXPECT_EQ(duplicates({&logs[0], &logs[1], &logs[2]}), 0U);
}

// A child that uses a journal, or only has it, keeps its parent from giving back what is reserved.
TEST_P(JournalProcesses, AParentWithChildrenGivesNothingBack) {
    shared<std::atomic<bool>> stopped;
    id_log before(1000);
    id_log after(1000);
    std::unique_ptr<journal> j(new journal(open(3s)));
    issue(*j, before, 100);
    child c([&] {
        wait_until([&] { return stopped->load(); });
        return issue(*j, after, 1000);
    });
    j.reset();
    EXPECT_FALSE(newest_record(directory).clean);
    *stopped = true;
    EXPECT_EQ(c.wait(), 0);
    id_log last(1000);
    journal again = open();
    issue(again, last, 1000);
    EXPECT_EQ(duplicates({&before, &after, &last}), 0U);
    EXPECT_GT(last[0], after[999]);
}

TEST_P(JournalProcesses, AKilledOnesSuccessorContinues) {
    id_log ids(1'000'000);
    for (int life = 0; life < 20; ++life) {
        const std::size_t before = ids.size();
        child c([&] {
            journal j = open();
            if (life > 0 && !j.status().continued) return 2;
            while (issue(j, ids, 10) == 0) ::usleep(10);
            return 1;
        });
        wait_until([&] { return ids.size() > before + 500 || !c.running(); });
        c.signal(SIGKILL);
        EXPECT_EQ(c.wait(), 128 + SIGKILL);
    }
    EXPECT_TRUE(increasing(ids));
}

TEST_P(JournalProcesses, AKilledUserHoldsUpNobodyAndAStoppedOneOnlyItself) {
    id_log ids(100'000);
    id_log others(10'000'000);
    child a([&] {
        journal j = open();
        for (;;)
            if (issue(j, others, 1) != 0) return 1;
    });
    wait_until([&] { return others.size() > 1000; });
    journal j = open();
    a.signal(SIGSTOP);
    // It may have been stopped with the lock: then the ceiling stays where it is until it goes on.
    for (int i = 0; i < 100; ++i)
        if (const auto r = j.try_next()) ids.append(*r);
    a.signal(SIGCONT);
    issue(j, ids, 1000);
    a.signal(SIGKILL);
    a.wait();
    issue(j, ids, 50'000);
    EXPECT_TRUE(increasing(ids));
    EXPECT_EQ(duplicates({&ids, &others}), 0U);
}

// A fork copies the lock of a turn that is under way. When the parent dies in it, the child must not keep it.
TEST_P(JournalProcesses, AForkInTheMiddleOfATurnTakesNoLockAway) {
    FIRN_SKIP_WHEN_EMULATED("threads in a child of a process with threads");
    shared<std::atomic<int>> child_runs;
    shared<std::atomic<bool>> may_end;
    id_log ids(1000);
    child parent([&]() -> int {
        journal j = open();
        j.next();
        faults::hold_fdatasync = true;
        ::usleep(10'000);                                   // past the ceiling
        static_cast<void>(error_of([&] { j.next(1ms); }));  // wakes the thread, which takes the lock …
        bare_user probe(directory, std::make_shared<manual_clock>(some_tick), detail::system_boot());
        wait_until([&] {  // … and hangs with it
            const bool taken = !probe.io().try_lock();
            probe.io().unlock();
            return taken;
        });
        if (::fork() == 0) {
            faults::hold_fdatasync = false;
            *child_runs = ::getpid();
            int mine = issue(j, ids, 100);  // it can extend as well
            *child_runs = mine == 0 ? -1 : -2;
            wait_until([&] { return may_end->load(); });
            ::_exit(0);
        }
        for (;;) ::pause();
    });
    wait_until([&] { return child_runs->load() != 0 || !parent.running(); });
    parent.signal(SIGKILL);
    parent.wait();
    wait_until([&] { return child_runs->load() < 0; });
    EXPECT_EQ(child_runs->load(), -1);
    journal j = open();  // would wait without end
    EXPECT_GT(j.next(1h), ids[99]);
    *may_end = true;
}

TEST_P(JournalProcesses, AChildOfADeletedJournalMakesNoNewOne) {
    FIRN_SKIP_WHEN_EMULATED("threads in a child of a process with threads");
    journal j = open();
    j.next();
    std::filesystem::remove_all(directory);
    ::usleep(10'000);
    child c([&] {
        const auto seen = error_of([&] {
            for (int i = 0; i < 1'000'000; ++i) j.next(1h);
        });
        return seen && seen->code() == errc::journal_replaced ? 0 : 1;
    });
    EXPECT_EQ(c.wait(), 0);
    EXPECT_FALSE(std::filesystem::exists(directory));
}

TEST_P(JournalProcesses, AChildMayOpenTheJournalAgain) {
    FIRN_SKIP_WHEN_EMULATED("threads in a child of a process with threads");
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "ThreadSanitizer takes the child's thread for the parent's";
#endif
    journal j = open();
    id_log mine(1000);
    id_log its(1000);
    issue(j, mine, 10);
    child c([&] {
        journal again = open();
        return issue(again, its, 1000);
    });
    issue(j, mine, 900);
    EXPECT_EQ(c.wait(), 0);
    EXPECT_EQ(duplicates({&mine, &its}), 0U);
}

// The checker of this file has to find what it looks for: a memory that a restart forgets.
TEST(Duplicates, AreFoundInAMemoryThatForgets) {
    id_log first(1000);
    id_log second(1000);
    for (id_log* log : {&first, &second}) {
        child c([&] {
            generator g({.machine = 7,
                         .clock = std::make_shared<manual_clock>(some_tick),
                         .unsafe_own_cursor = true});
            return issue(g, *log, 1000);
        });
        EXPECT_EQ(c.wait(), 0);
    }
    EXPECT_EQ(duplicates({&first, &second}), 1000U);
    EXPECT_TRUE(increasing(first));
}

}  // namespace
}  // namespace firn
