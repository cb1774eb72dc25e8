// What `firn doctor` says of a host: every verdict, on files and readings that the test makes.
#include "host/doctor.hpp"

#include <gmock/gmock.h>
#include <linux/magic.h>
#include <sys/timex.h>

#include <algorithm>

#include "firn/journal.hpp"
#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "lab/live/scratch.hpp"
#include "tests/support/faults.hpp"
#include "tests/unit/host/scripted_host.hpp"

namespace firn::host {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t s = 1000 * ms;
const instant today = *parse_rfc3339("2026-06-01T00:00:00Z");

/// A root directory with these files.
class fake_root {
  public:
    fake_root& with(const std::string& path, const std::string& text) {
        const auto whole = room_.path() / path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream{whole, std::ios::binary} << text;
        return *this;
    }
    fake_root& running(const std::string& pid, const std::string& comm, std::string arguments = "") {
        std::replace(arguments.begin(), arguments.end(), ' ', '\0');
        return with("proc/" + pid + "/comm", comm + '\n').with("proc/" + pid + "/cmdline", arguments);
    }
    const std::filesystem::path& path() const { return room_.path(); }
    std::vector<time_daemon> daemons() const { return time_daemons(room_.path()); }
    finding found() const { return daemon_finding(daemons()); }

  private:
    scratch room_;
};

finding of_chrony(const std::string& conf) {
    fake_root root;
    root.with("etc/chrony/chrony.conf", conf).running("312", "chronyd", "/usr/sbin/chronyd -F 1");
    return root.found();
}

TEST(doctor, chronyd_steps_as_makestep_says) {
    const finding at_start = of_chrony("server a iburst\nmakestep 1 3\nrtcsync\n");
    EXPECT_EQ(at_start.what, verdict::ok);
    EXPECT_THAT(at_start.seen, HasSubstr("chronyd steps in its first 3 updates at most (makestep 1 3)"));
    EXPECT_THAT(at_start.seen, HasSubstr("/etc/chrony/chrony.conf"));

    const finding any_time = of_chrony("MakeStep 0.1 -1\n");
    EXPECT_EQ(any_time.what, verdict::warn);
    EXPECT_THAT(any_time.seen, HasSubstr("steps at any time (makestep 0.1 -1)"));
    EXPECT_THAT(any_time.remedy, HasSubstr("makestep 1 3"));

    for (const char* never : {"", "server a\n", "#makestep 1 -1\n! makestep 1 -1\n", "makestep 1 0\n"}) {
        EXPECT_EQ(of_chrony(never).what, verdict::ok) << never;
        EXPECT_THAT(of_chrony(never).seen, HasSubstr("never steps")) << never;
    }
    EXPECT_THAT(of_chrony("initstepslew 10 a b\n").seen, HasSubstr("while it starts"));
    EXPECT_THAT(of_chrony("makestep 1 -1\nmakestep 1 1\n").seen, HasSubstr("first update at most"))
        << "the last one counts";
}

TEST(doctor, chronyd_s_included_files_count) {
    fake_root root;
    root.with("etc/chrony/chrony.conf", "confdir /etc/chrony/conf.d\ninclude /etc/chrony/more*.conf\n")
        .with("etc/chrony/conf.d/a.conf", "makestep 1 3\n")
        .with("etc/chrony/conf.d/not-read", "makestep 1 0\n")
        .with("etc/chrony/more1.conf", "makestep 2 -1\ninclude /etc/chrony/more1.conf\n")
        .running("1", "chronyd");
    EXPECT_THAT(root.found().seen, HasSubstr("makestep 2 -1")) << "and one that includes itself ends";
}

TEST(doctor, ntpd_steps_unless_it_is_told_not_to) {
    const auto of = [](const std::string& conf, const std::string& arguments) {
        fake_root root;
        root.with("etc/ntp.conf", conf).running("7", "ntpd", arguments);
        return root.found();
    };
    EXPECT_EQ(of("", "/usr/sbin/ntpd -g").what, verdict::warn);
    EXPECT_THAT(of("", "").seen, HasSubstr("more than 0.128 s, and gives up beyond 1000 s"));
    EXPECT_THAT(of("tinker step 0.5 panic 0\n", "").seen, HasSubstr("0.5 s, however far (tinker panic 0)"));
    EXPECT_EQ(of("tinker panic 0 step 0 # none\n", "").what, verdict::ok);
    EXPECT_THAT(of("#tinker step 0\n", "/usr/sbin/ntpd -p /run/ntpd.pid -gx").seen, HasSubstr("600 s"));
    fake_root ntpsec;
    ntpsec.with("etc/ntpsec/ntp.conf", "")
        .with("etc/default/ntpsec", "NTPD_OPTS=\"-g -x\"\n")
        .running("7", "ntpd");
    EXPECT_THAT(ntpsec.found().seen, AllOf(HasSubstr("600 s"), HasSubstr("/etc/ntpsec/ntp.conf")));
}

TEST(doctor, the_others_and_none) {
    fake_root timesyncd;
    timesyncd.running("99", "systemd-timesyn");
    EXPECT_EQ(timesyncd.found().what, verdict::warn);
    EXPECT_THAT(timesyncd.found().seen, HasSubstr("more than 0.4 s"));

    fake_root phc;
    phc.running("5", "phc2sys", "phc2sys -s eth0 -w");
    EXPECT_EQ(phc.found().what, verdict::ok);
    fake_root stepping_phc;
    stepping_phc.running("5", "phc2sys", "phc2sys -s eth0 -S 0.02");
    EXPECT_EQ(stepping_phc.found().what, verdict::warn);

    fake_root idle;
    idle.with("etc/chrony.conf", "makestep 1 3\n").running("1", "sh");
    EXPECT_EQ(idle.found().what, verdict::warn);
    EXPECT_THAT(idle.found().seen, HasSubstr("no time daemon is seen to run"));

    const fake_root none;
    EXPECT_EQ(none.found().what, verdict::warn);
    EXPECT_THAT(none.found().seen, HasSubstr("is not known"));
    EXPECT_THAT(none.found().remedy, HasSubstr("container"));

    fake_root two;
    two.running("1", "chronyd").running("2", "systemd-timesyn");
    EXPECT_THAT(two.found().seen, HasSubstr("chronyd and systemd-timesyncd run at once"));
}

TEST(doctor, what_the_kernel_says_of_the_clock) {
    const finding good = clock_finding({.freq_ppb = -3541, .maxerror_us = 12'345, .esterror_us = 400});
    EXPECT_EQ(good.what, verdict::ok);
    EXPECT_THAT(good.seen, AllOf(HasSubstr("12.345 ms"), HasSubstr("-3.541 ppm")));
    const finding doubtful = clock_finding({.maxerror_us = 1'500'000});
    EXPECT_EQ(doubtful.what, verdict::warn);
    EXPECT_THAT(doubtful.seen, HasSubstr("1.500 s"));
    EXPECT_EQ(clock_finding({.status = STA_UNSYNC, .state = TIME_ERROR}).what, verdict::warn);
    const finding refused = clock_finding({.state = lab::state_not_told});
    EXPECT_EQ(refused.what, verdict::warn);
    EXPECT_THAT(refused.seen, HasSubstr("does not tell"));
}

TEST(doctor, leap_seconds) {
    EXPECT_EQ(leap_finding({})->what, verdict::ok);
    EXPECT_THAT(leap_finding({.status = STA_INS, .state = TIME_INS})->seen, HasSubstr("set back by 1 s"));
    EXPECT_THAT(leap_finding({.status = STA_DEL, .state = TIME_DEL})->seen, HasSubstr("forward"));
    EXPECT_EQ(leap_finding({.state = lab::state_not_told}), std::nullopt);
}

TEST(doctor, a_recording) {
    const scratch room;
    const auto line = [](std::int64_t second, std::int64_t by) {
        return lab::line_of({.steady_ns = second * s, .wall_ns = 1'700'000'000 * s + second * s + by});
    };
    const std::string head = lab::header_of(std::string(32, 'a'));
    const auto of = [&](const std::string& text) {
        return recording_finding({room.write("clock.rec", text)});
    };
    EXPECT_EQ(of(head + line(1, 0) + line(2, 0)).what, verdict::ok);
    const finding stepped = of(head + line(1, 0) + line(2, -50 * ms) + line(3, 0));
    EXPECT_EQ(stepped.what, verdict::warn);
    EXPECT_THAT(stepped.seen,
                AllOf(HasSubstr("2 steps"), HasSubstr("-0.0500 s at 2023-11-14T22:13:22.000Z")));
    EXPECT_EQ(of(head + line(1, 0) + "rubbish\n").what, verdict::warn);
    EXPECT_EQ(of("").what, verdict::fail);
    EXPECT_THAT(recording_finding({"nowhere.rec"}).seen, HasSubstr("nowhere.rec"));
}

TEST(doctor, counter_and_boot) {
    EXPECT_EQ(counter_finding(true, "tsc").what, verdict::ok);
    EXPECT_EQ(counter_finding(false, "hpet").what, verdict::warn);
    EXPECT_THAT(counter_finding(false, "hpet").seen, HasSubstr("by hpet"));
    EXPECT_THAT(counter_finding(true, "").seen, Not(HasSubstr("keeps time by")));
    EXPECT_EQ(boot_finding({}).what, verdict::warn);
    EXPECT_THAT(boot_finding({.high = 0x0123'4567'89AB'CDEF, .low = 1}).seen, HasSubstr("01234567"));
}

TEST(doctor, a_layout_s_life) {
    EXPECT_EQ(life_finding(layouts::twitter, "twitter", today).what, verdict::ok);
    EXPECT_THAT(life_finding(layouts::twitter, "twitter", today).seen, HasSubstr("2080-07-10"));
    layout ending = layouts::twitter;
    ending.timestamp_bits = 39;  // 17.4 years from 2010 on
    ending.sequence_bits = 14;
    EXPECT_EQ(life_finding(ending, "39/10/14", today - std::chrono::days{40}).what, verdict::ok);
    const instant end = ending.end_instant();
    EXPECT_EQ(life_finding(ending, "39/10/14", end - std::chrono::days{364}).what, verdict::warn);
    const finding over = life_finding(ending, "39/10/14", end);
    EXPECT_EQ(over.what, verdict::fail);
    EXPECT_THAT(over.seen, HasSubstr("exhausted"));
    EXPECT_THAT(over.remedy, HasSubstr("later epoch"));
    EXPECT_EQ(life_finding(ending, "39/10/14", *parse_rfc3339("2000-01-01T00:00:00Z")).what, verdict::fail)
        << "a wall that reads 2000";
}

std::vector<finding> of_journal(const std::filesystem::path& directory) {
    return journal_findings(directory, today);
}

TEST(doctor, a_journal_that_is_not_there_yet) {
    const scratch room;
    ASSERT_THAT(of_journal(room.path()), SizeIs(1));
    EXPECT_EQ(of_journal(room.path())[0].what, verdict::ok);
    const finding later = of_journal(room / "a/b")[0];
    EXPECT_EQ(later.what, verdict::ok);
    EXPECT_THAT(later.seen, HasSubstr("where " + (room / "a/b").string() + " would be made"));
    EXPECT_FALSE(std::filesystem::exists(room / "a")) << "it only looks";
    room.write("file", "");
    EXPECT_EQ(of_journal(room / "file")[0].what, verdict::fail);
    {
        const faults::scope nfs{{.filesystem = NFS_SUPER_MAGIC}};
        const finding unfit = of_journal(room.path())[0];
        EXPECT_EQ(unfit.what, verdict::fail);
        EXPECT_THAT(unfit.seen, HasSubstr("NFS"));
        EXPECT_THAT(unfit.remedy, HasSubstr("local file system"));
    }
    const faults::scope memory{{.filesystem = TMPFS_MAGIC}};
    EXPECT_EQ(of_journal(room.path())[0].what, verdict::warn);
}

TEST(doctor, a_journal_that_is_there) {
    const scratch room;
    const auto orders = room / "orders";
    {
        journal ids = journal::open(orders, {.machine = 7});
        ids.next();
        EXPECT_THAT(of_journal(orders)[0].seen, HasSubstr("in use"));
    }
    for (const auto& where : {orders, room.path()}) {
        const auto all = of_journal(where);
        ASSERT_THAT(all, SizeIs(2)) << "its files, and its layout";
        EXPECT_EQ(all[0].what, verdict::ok) << all[0].seen;
        EXPECT_EQ(all[1].check, "layout");
    }
    {
        const faults::scope memory{{.filesystem = TMPFS_MAGIC}};
        EXPECT_EQ(of_journal(orders)[0].what, verdict::warn);
    }
    const int newest = inspect_journal(orders).newest;
    const auto break_record = [&](int place) {
        std::fstream{orders / "ceiling"}.seekp(place * 4096 + 100).write("broken", 6);
    };
    break_record(1 - newest);
    EXPECT_EQ(of_journal(orders)[0].what, verdict::warn) << "torn by a power loss, and the other one counts";
    break_record(newest);
    const auto damaged = of_journal(orders);
    EXPECT_TRUE(std::any_of(damaged.begin(), damaged.end(),
                            [](const finding& f) { return f.what == verdict::fail; }));
}

TEST(doctor, looks_at_everything) {
    scripted_host h;
    h.step_at(350 * ms, -20 * ms);
    fake_root root;
    root.with("etc/chrony/chrony.conf", "makestep 1 3\n")
        .with("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n")
        .running("1", "chronyd");
    const scratch state;
    const host_view view{.clocks = h.clocks(),
                         .pacer = h.pacer(),
                         .root = root.path(),
                         .counter_is_invariant = [] { return false; },
                         .boot = [] { return detail::boot_id{}; }};
    const auto all = examine(view, {.journal = state.path()});
    std::vector<std::string> checks;
    std::vector<verdict> verdicts;
    for (const finding& f : all) {
        checks.push_back(f.check);
        verdicts.push_back(f.what);
    }
    EXPECT_THAT(checks, ElementsAre("clock", "leap second", "time daemon", "steps now", "counter", "boot id",
                                    "journal", "layout"));
    EXPECT_THAT(verdicts, ElementsAre(verdict::ok, verdict::ok, verdict::ok, verdict::warn, verdict::warn,
                                      verdict::warn, verdict::ok, verdict::fail))
        << "this host's wall reads 2023, before the standard layout's epoch";
    EXPECT_THAT(all[3].seen, AllOf(HasSubstr("1 step"), HasSubstr("-0.0200 s")));
    EXPECT_THAT(all[4].seen, HasSubstr("hpet"));

    scripted_host still;
    const auto some = examine({.clocks = still.clocks(), .pacer = still.pacer(), .root = root.path()},
                              {.watch_ns = 0, .layout = layouts::twitter});
    EXPECT_EQ(some.back().what, verdict::ok);
    EXPECT_TRUE(std::none_of(some.begin(), some.end(), [](const finding& f) {
        return f.check == "steps now" || f.check == "journal";
    }));
}

}  // namespace
}  // namespace firn::host
