#include "host/finding.hpp"

#include <sys/timex.h>

#include "firn/detail/check_life.hpp"
#include "firn/rfc3339.hpp"
#include "host/discipline.hpp"
#include "lab/exact.hpp"
#include "lab/recording/track.hpp"

namespace firn::host {

namespace {

std::string span_of(std::int64_t us) {
    return us < 1'000'000 ? lab::rounded_text(us, 3, 3) + " ms" : lab::rounded_text(us, 6, 3) + " s";
}

std::string time_of(std::int64_t unix_ns) {
    return rfc3339(instant{std::chrono::microseconds{unix_ns / 1000}});
}

std::string seconds_of(std::int64_t ns) {
    return lab::rounded_text(ns, 9, 4) + " s";
}

std::string count_of(std::uint64_t n, const char* what) {
    return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

constexpr const char* steps_are_survived =
    "ids stay unique and in order, and run ahead of the clock until it has caught up; find out who sets it "
    "(two time daemons, a hypervisor's tools, by hand)";

}  // namespace

const char* name_of(verdict v) noexcept {
    switch (v) {
        case verdict::ok:
            return "ok";
        case verdict::warn:
            return "warn";
        case verdict::fail:
            return "fail";
    }
    return "unknown";
}

finding clock_finding(const lab::recorded_sample& s) {
    constexpr std::int64_t doubtful_us = 1'000'000;
    finding f{.check = "clock", .seen = {}};
    const auto good = synchronised(s);
    if (!good) {
        f.what = verdict::warn;
        f.seen = "the kernel does not tell whether the clock is kept right (adjtimex is not allowed here)";
        f.remedy = "run firn doctor on the host itself, or allow the container to ask adjtimex";
    } else if (!*good) {
        f.what = verdict::warn;
        f.seen = "nobody has told the kernel that the clock is right (STA_UNSYNC, off by up to " +
                 span_of(s.maxerror_us) + ")";
        f.remedy = "start a time daemon; with chronyd write `rtcsync`, without which it does not tell";
    } else {
        f.seen = "kept right: off by " + span_of(s.maxerror_us) + " at most, " + span_of(s.esterror_us) +
                 " expected, " + seconds_of(s.offset_ns) + " still to be slewed, rate corrected by " +
                 lab::rounded_text(s.freq_ppb, 3, 3) + " ppm";
        if (s.maxerror_us > doubtful_us) {
            f.what = verdict::warn;
            f.remedy = "it has not heard from its servers for long; look at `chronyc tracking` or `ntpq -p`";
        }
    }
    return f;
}

std::optional<finding> leap_finding(const lab::recorded_sample& s) {
    if (s.state == lab::state_not_told) return std::nullopt;
    finding f{.check = "leap second", .seen = "none is announced"};
    if ((s.status & STA_INS) != 0) {
        f.what = verdict::warn;
        f.seen = "one is to be inserted at the end of this UTC day: the wall will be set back by 1 s";
        f.remedy = "nothing: ids go on, up to 1 s ahead of the clock; a time server that smears avoids it";
    } else if ((s.status & STA_DEL) != 0) {
        f.what = verdict::warn;
        f.seen = "one is to be left out at the end of this UTC day: the wall will be set forward by 1 s";
        f.remedy = "nothing: ids go on";
    }
    return f;
}

finding daemon_finding(const std::vector<time_daemon>& found) {
    finding f{.check = "time daemon", .what = verdict::warn, .seen = {}};
    std::vector<const time_daemon*> running;
    for (const time_daemon& d : found)
        if (d.running) running.push_back(&d);
    const auto described = [](const time_daemon& d) {
        return d.name + ' ' + d.rule + (d.file.empty() ? "" : ", says " + d.file);
    };
    if (running.size() > 1) {
        for (const time_daemon* d : running) f.seen += (f.seen.empty() ? "" : " and ") + d->name;
        f.seen += " run at once: what one corrects the other undoes";
        f.remedy = "stop all but one (phc2sys steers from hardware; beside it, none is needed)";
    } else if (running.size() == 1) {
        const time_daemon& d = *running.front();
        f.seen = described(d);
        f.what = d.steps == stepping::any_time ? verdict::warn : verdict::ok;
        if (!d.way_out.empty())
            f.remedy = d.way_out + "; ids stay unique either way, and run ahead of a clock that was set back";
    } else if (!found.empty()) {
        for (const time_daemon& d : found) f.seen += (f.seen.empty() ? "" : "; ") + described(d);
        f.seen += "; but no time daemon is seen to run";
        f.remedy = "start it, as with `systemctl start " + found.front().name +
                   "`; in a container, look at the host, which keeps the clock of all";
    } else {
        f.seen =
            "none is seen (chronyd, ntpd, systemd-timesyncd, phc2sys), so whether the clock is stepped or "
            "slewed is not known";
        f.remedy =
            "in a container, look at the host, which keeps the clock of all; else install chrony, with "
            "`makestep 1 3`";
    }
    return f;
}

finding watch_finding(const watch_summary& seen, const watch_options& o) {
    finding f{.check = "steps now", .seen = {}};
    const std::string span = "within " + seconds_of(seen.last.steady_ns - seen.first.steady_ns);
    if (seen.steps != 0) {
        f.what = verdict::warn;
        f.seen = count_of(seen.steps, "step") + ' ' + span + ", " + std::to_string(seen.steps_back) +
                 " of them back; the largest " + seconds_of(seen.largest_step_ns);
        f.remedy = steps_are_survived;
    } else {
        f.seen = "none of " + lab::rounded_text(o.step_min_ns, 6, 1) + " ms or more " + span;
        if (seen.sets != 0) f.seen += "; the clock was set " + count_of(seen.sets, "time") + " by less";
    }
    return f;
}

finding recording_finding(const std::vector<std::string>& files) {
    finding f{.check = "recording", .seen = {}};
    try {
        const lab::recording r = lab::read_recording(files, {});
        const lab::clock_track t = lab::track_of(r, {});
        f.seen = count_of(r.samples.size(), "record") + " of " + lab::name_of(r.format) + " from " +
                 time_of(t.begin_ns) + " to " + time_of(t.end_ns) + ", " + count_of(t.steps.size(), "step");
        if (r.not_understood != 0)
            f.seen += ", " + count_of(r.not_understood, "line") +
                      " not understood (the first: " + r.first_fault->text() + ")";
        const lab::clock_step* deepest = nullptr;
        for (const lab::clock_step& s : t.steps)
            if (s.by_ns < 0 && (deepest == nullptr || s.by_ns < deepest->by_ns)) deepest = &s;
        if (!t.steps.empty() || r.not_understood != 0) f.what = verdict::warn;
        if (deepest != nullptr)
            f.seen +=
                "; the largest one back: " + seconds_of(deepest->by_ns) + " at " + time_of(deepest->true_ns);
        if (!t.steps.empty())
            f.remedy = std::string{steps_are_survived} + "; `firn lab replay` says what it does to others";
    } catch (const lab::recording_error& e) {
        f.what = verdict::fail;
        f.seen = e.what();
        f.remedy = "give a recording of `firn watch`, chrony's tracking.log or statistics.log, or loopstats";
    }
    return f;
}

finding counter_finding(bool invariant, const std::string& source) {
    finding f{.check = "counter", .seen = {}};
    const std::string by = source.empty() ? "" : ", and the kernel keeps time by " + source;
    if (invariant) {
        f.seen = "the CPU's counter is invariant" + by + ": ids need no system call";
    } else {
        f.what = verdict::warn;
        f.seen = "the CPU's counter is not to be relied on here" + by + ": the clock is read for each id";
        f.remedy =
            "nothing for correctness; for speed choose a host whose kernel keeps time by tsc (or "
            "kvm-clock, or arm64's counter)";
    }
    return f;
}

finding boot_finding(const detail::boot_id& boot) {
    if (boot == detail::boot_id{})
        return {.check = "boot id",
                .what = verdict::warn,
                .seen = "/proc/sys/kernel/random/boot_id cannot be read",
                .remedy =
                    "mount /proc: without it a journal takes every start for one after a power loss, and "
                    "skips to its ceiling (up to 3 s ahead)"};
    return {.check = "boot id", .seen = detail::text_of(boot).substr(0, 8) + "…, as a journal records it"};
}

finding life_finding(const layout& of, const std::string& name, instant now) {
    using namespace std::chrono;
    finding f{.check = "layout", .seen = {}};
    try {
        check_life(of, now, days{365});
        const auto left = duration_cast<days>(of.end_instant() - now).count();
        f.seen = name + ": ids until " + rfc3339(of.end_instant()) + ", in " + std::to_string(left / 365) +
                 " years";
    } catch (const error& e) {
        const std::string what = e.what();
        const std::size_t end = what.find("; ");
        f.what = e.code() == errc::life_ends_soon ? verdict::warn : verdict::fail;
        f.seen = name + ": " + what.substr(0, end);
        if (end != std::string::npos) f.remedy = what.substr(end + 2);
    }
    return f;
}

}  // namespace firn::host
