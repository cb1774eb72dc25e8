// What a client sees when the process, the clock or the disk fails: no id twice, and an end to every wait.
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/system/service_traffic.hpp"

namespace firn::service::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Restart, SigkillUnderTrafficNeverRepeatsAnId) {
    scratch_directory d;
    traffic clients(4);
    for (int round = 0; round < 6; ++round) {
        running_server s({}, {.state = d / "state"});
        const std::uint64_t before = clients.answers;
        clients.port = s.resp;
        ASSERT_TRUE(eventually([&] { return clients.answers > before + 200; }));
        s.kill(SIGKILL);
    }
    const auto ids = clients.stop();
    EXPECT_GT(ids.size(), 5000U);
    EXPECT_EQ(repeated(ids), 0U);
}

TEST(Restart, SigtermUnderTrafficEndsSoonWithStatus0AndSkipsNothing) {
    scratch_directory d;
    traffic clients(4);
    for (int round = 0; round < 3; ++round) {
        running_server s({}, {.state = d / "state"});
        const std::uint64_t before = clients.answers;
        clients.port = s.resp;
        ASSERT_TRUE(eventually([&] { return clients.answers > before + 200; }));
        const auto begin = clock_type::now();
        EXPECT_EQ(s.terminate(), 0);
        EXPECT_LT(clock_type::now() - begin, 10s);
    }
    EXPECT_EQ(repeated(clients.stop()), 0U);
}

TEST(Restart, TheClockMayBeBehindAtTheRestart) {
    scratch_directory d;
    write_file(d / "offset", "0");
    const std::vector<std::string> options{"--test-clock-offset-ms-file", d / "offset"};
    std::vector<std::uint64_t> ids;
    for (const char* offset : {"0", "-1000", "-60000", "-3500000"}) {
        write_file(d / "offset", offset);
        running_server s(options, {.state = d / "state"});
        wire c(s.resp);
        collect_ids(c.ask("FIRN.NEXT orders 50\r\n", 101), ids);
        s.kill(ids.size() % 100 == 0 ? SIGKILL : SIGTERM);
    }
    EXPECT_EQ(ids.size(), 200U);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    EXPECT_EQ(repeated(ids), 0U);
}

TEST(Restart, AHandoverRefusesNobody) {
    scratch_directory d;
    std::optional<running_server> old;
    const std::string path = d / "sock";
    old.emplace(std::vector<std::string>{"--unix", path}, running_server::how{.state = d / "state"});
    const std::string address = "127.0.0.1:" + std::to_string(old->resp);
    {
        // Without being told, no second server takes the address.
        const finished f =
            shell(firn_command() + " serve --state " + d / "state" + " --http none --resp " + address);
        EXPECT_EQ(f.status, 1);
        EXPECT_THAT(f.output, HasSubstr("--handover"));
    }
    std::atomic<bool> end{false};
    std::atomic<int> refused{0};
    std::atomic<int> unanswered{0};
    std::vector<std::uint64_t> ids;
    std::mutex ids_mutex;
    const auto ask_for_ever = [&](const auto& where) {
        while (!end) {
            wire c(where);
            if (!c.connected()) {
                ++refused;
                continue;
            }
            const std::string reply = c.ask("INCR orders\r\n");
            if (reply.empty()) ++unanswered;
            const std::lock_guard alone(ids_mutex);
            collect_ids(reply, ids);
        }
    };
    std::thread client([&] { ask_for_ever(old->resp); });
    std::thread neighbour([&] { ask_for_ever(path); });
    running_server fresh({"--handover", "--unix", path}, {.state = d / "state", .resp = address});
    EXPECT_EQ(old->terminate(), 0);
    wire c(fresh.resp);
    EXPECT_THAT(c.ask("INCR orders\r\n"), StartsWith(":"));
    end = true;
    client.join();
    neighbour.join();
    EXPECT_EQ(refused, 0);
    EXPECT_EQ(unanswered, 0);
    EXPECT_GT(ids.size(), 10U);
    EXPECT_EQ(repeated(ids), 0U);
}

// It was taken for a silent client once, and closed with its request under way.
TEST(Restart, AClientThatHasJustConnectedIsAnsweredByAServerThatStops) {
    running_server s;
    wire c(s.resp);
    ASSERT_TRUE(eventually(
        [&] { return wire(s.resp).ask("INFO\r\n", 8).find("connected_clients:2") != std::string::npos; }));
    s.signal(SIGTERM);
    ASSERT_TRUE(s.read_until("draining"));
    EXPECT_THAT(c.ask("INCR orders\r\n"), StartsWith(":"));
    EXPECT_EQ(c.all(), "");
    EXPECT_EQ(s.terminate(), 0);
}

// Past the rewind bound: ready 503, live 200; and a supervisor that acts on liveness has nothing to do.
TEST(Restart, ASteppedClockUnderASupervisorRestartsNothingAndRepeatsNothing) {
    scratch_directory d;
    write_file(d / "offset", "0");
    const std::vector<std::string> options{"--ahead-max", "1s", "--test-clock-offset-ms-file", d / "offset"};
    running_server s(options, {.state = d / "state"});
    std::atomic<bool> end{false};
    std::atomic<int> restarts{0};
    std::atomic<int> probes{0};
    std::thread supervisor([&] {
        for (int failed = 0; !end; ::usleep(5000)) {
            failed = http(s.http_port, "GET", "/livez").status == 200 ? 0 : failed + 1;
            ++probes;
            if (failed == 3) ++restarts;
        }
    });
    traffic clients(2);
    clients.port = s.resp;
    ASSERT_TRUE(eventually([&] { return clients.answers > 100; }));
    write_file(d / "offset", "-4500");
    ASSERT_TRUE(eventually([&] { return http(s.http_port, "GET", "/readyz").status == 503; }));
    EXPECT_THAT(http(s.http_port, "GET", "/readyz").text, HasSubstr("ahead_limit"));
    EXPECT_THAT(wire(s.resp).ask("INCR orders\r\n"), StartsWith("-AHEAD_LIMIT"));
    EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
    // It recovers by itself: here the clock is mended, by a step that is small enough to be believed at once.
    write_file(d / "offset", "0");
    EXPECT_TRUE(eventually([&] { return http(s.http_port, "GET", "/readyz").status == 200; }));
    EXPECT_THAT(wire(s.resp).ask("INCR orders\r\n"), StartsWith(":"));
    const int seen = probes;
    EXPECT_TRUE(eventually([&] { return probes > seen + 3; }));
    end = true;
    supervisor.join();
    EXPECT_EQ(restarts, 0);
    EXPECT_TRUE(s.runs());
    EXPECT_EQ(repeated(clients.stop()), 0U);
}

// A second-long tick that is full was waited for under a lock: nobody else may notice.
TEST(Restart, AFullSecondHoldsUpNobodyElse) {
    running_server s({"--layout", "31/18/14", "--epoch", "2025-01-01T00:00:00Z", "--tick", "1s", "--overflow",
                      "spin", "--wait-max", "2s", "--ids-per-call-max", "20000", "--threads", "1"});
    wire greedy(s.resp);
    greedy.ask("FIRN.NEXT orders\r\n", 2);
    greedy.send("FIRN.NEXT orders 16385\r\n");  // one more than a tick has
    std::chrono::nanoseconds slowest{0};
    for (int i = 0; i < 20; ++i) {
        const auto begin = clock_type::now();
        wire c(s.resp);
        ASSERT_THAT(c.ask("FIRN.DECODE 1\r\n", 3), StartsWith("*"));
        ASSERT_EQ(http(s.http_port, "GET", "/livez").status, 200);
        slowest = std::max<std::chrono::nanoseconds>(slowest, clock_type::now() - begin);
    }
    EXPECT_LT(slowest, 50ms * FIRN_SLOWNESS);
    std::vector<std::uint64_t> ids;
    collect_ids(greedy.lines(2 * 16385 + 1), ids);
    EXPECT_EQ(ids.size(), 16385U);
    EXPECT_EQ(repeated(ids), 0U);
}

// A full sequence and then an 8 h rollback made a call sleep for 8 h: all fail in about the wait limit.
TEST(Restart, AnEightHourRollbackFailsEveryCallerAtTheWaitLimit) {
    scratch_directory d;
    write_file(d / "offset", "0");
    running_server s({"--layout", "41/19/3", "--epoch", "2025-01-01T00:00:00Z", "--overflow", "spin",
                      "--ahead-max", "24h", "--test-clock-offset-ms-file", d / "offset"});
    wire first(s.resp);
    ASSERT_THAT(first.ask("FIRN.NEXT orders\r\n", 2), StartsWith("$"));
    write_file(d / "offset", "-28800000");
    // Until the step is seen, and what the tick that is held has left is used up.
    bool full = false;
    for (int n = 0; n < 64 && !full; ++n) full = first.ask("INCR orders\r\n").rfind("-TICK_FULL", 0) == 0;
    ASSERT_TRUE(full);
    std::vector<std::thread> callers;
    std::atomic<int> failed{0};
    std::atomic<std::int64_t> slowest_ms{0};
    for (int i = 0; i < 8; ++i)
        callers.emplace_back([&] {
            wire c(s.resp);
            for (int n = 0; n < 4; ++n) {
                const auto begin = clock_type::now();
                if (c.ask("INCR orders\r\n").rfind("-TICK_FULL", 0) == 0) ++failed;
                const auto took =
                    std::chrono::duration_cast<std::chrono::milliseconds>(clock_type::now() - begin).count();
                for (auto seen = slowest_ms.load();
                     seen < took && !slowest_ms.compare_exchange_weak(seen, took);) {
                }
            }
        });
    for (auto& t : callers) t.join();
    EXPECT_EQ(failed, 8 * 4);
    EXPECT_LT(slowest_ms, 400 * FIRN_SLOWNESS);
    EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
}

TEST(Restart, ADeletedJournalIsSaidAndDoesNotKillTheProcess) {
    running_server s({"--window", "50ms"});
    wire c(s.resp);
    ASSERT_THAT(c.ask("INCR orders\r\n"), StartsWith(":"));
    std::filesystem::remove_all(s.state + "/orders");
    EXPECT_TRUE(eventually([&] { return c.ask("INCR orders\r\n").rfind("-JOURNAL_REPLACED", 0) == 0; }));
    EXPECT_THAT(http(s.http_port, "GET", "/readyz").text, HasSubstr("journal_replaced"));
    EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
    EXPECT_EQ(s.terminate(), 0);
}

TEST(Restart, AFullDiskIsNoObstacleToSpacesThatExist) {
    scratch_directory d;
    std::filesystem::create_directory(d / "disk");
    if (shell("mount -t tmpfs -o size=256k none " + d / "disk").status != 0)
        GTEST_SKIP() << "mounting is not allowed here";
    {
        running_server s({"--window", "50ms"}, {.state = d / "disk/state"});
        wire c(s.resp);
        std::vector<std::uint64_t> ids;
        collect_ids(c.ask("INCR orders\r\n"), ids);
        shell("dd if=/dev/zero of=" + d / "disk/rest" + " bs=4k");
        const auto until = clock_type::now() + 300ms;  // several windows
        while (clock_type::now() < until) collect_ids(c.ask("INCR orders\r\n"), ids);
        EXPECT_GT(ids.size(), 100U);
        EXPECT_EQ(repeated(ids), 0U);
        EXPECT_EQ(http(s.http_port, "GET", "/readyz").status, 200);
        EXPECT_THAT(c.ask("INCR another\r\n"), HasSubstr("No space left"));
        std::filesystem::remove(d / "disk/rest");
        EXPECT_TRUE(eventually([&] { return c.ask("INCR another\r\n").rfind(":", 0) == 0; }));
        EXPECT_EQ(s.terminate(), 0);
    }
    shell("umount " + d / "disk");
}

TEST(Restart, SystemdIsToldOfReadinessLifeAndTheEnd) {
    scratch_directory d;
    const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    (d / "notify").copy(at.sun_path, sizeof at.sun_path - 1);
    ASSERT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    std::string told;
    const auto hear = [&](const std::string& text) {
        return eventually([&] {
            std::array<char, 512> part{};
            const ssize_t n = ::recv(fd, part.data(), part.size(), MSG_DONTWAIT);
            if (n > 0) told.append(part.data(), static_cast<std::size_t>(n)) += '\n';
            return told.find(text) != std::string::npos;
        });
    };
    running_server s({}, {.notify_socket = d / "notify"});
    EXPECT_TRUE(hear("READY=1"));
    EXPECT_TRUE(hear("WATCHDOG=1"));
    s.signal(SIGHUP);
    EXPECT_TRUE(hear("RELOADING=1"));
    EXPECT_EQ(s.terminate(), 0);
    EXPECT_TRUE(hear("STOPPING=1"));
    ::close(fd);
}

TEST(Restart, SighupOpensTheLogAnewAndTakesOverTheConfiguration) {
    scratch_directory d;
    write_file(d / "conf", "log-file = \"" + d / "log" + "\"\nspace = [\"orders\"]\n");
    // Ready is told in the file here, and the ports have to be known.
    running_server s({"--config", d / "conf", "--log-file", "/dev/stderr"});
    wire c(s.resp);
    EXPECT_THAT(c.ask("INCR users\r\n"), StartsWith("-NOSPACE"));
    write_file(d / "conf", "space = [\"orders\", \"users\"]\nids-per-call-max = 5\n");
    s.signal(SIGHUP);
    EXPECT_TRUE(eventually([&] { return c.ask("INCR users\r\n").rfind(":", 0) == 0; }));
    EXPECT_TRUE(eventually([&] { return c.ask("FIRN.NEXT users 6\r\n").rfind("-ERR count", 0) == 0; }));
    write_file(d / "conf", "nonsense = 1\n");
    s.signal(SIGHUP);
    EXPECT_TRUE(s.read_until("was not taken over"));
    EXPECT_THAT(c.ask("INCR users\r\n"), StartsWith(":"));
}

}  // namespace
}  // namespace firn::service::test
