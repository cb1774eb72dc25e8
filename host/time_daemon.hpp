// firn::host::time_daemons: which programs steer the clock, and whether they step it, as their files say.
//
// Not a parser of their whole languages: of each it knows what makes it step.
//
//     for (const time_daemon& d : time_daemons("/"))
//         if (d.running && d.steps == stepping::any_time) …
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace firn::host {

enum class stepping : std::uint8_t {
    never,     ///< It slews whatever the error is.
    at_start,  ///< It may step while it starts, and slews from then on.
    any_time   ///< It steps whenever the error is large.
};

struct time_daemon {
    std::string name;  ///< As `ps` shows it.
    bool running = false;
    bool configured = false;  ///< It is installed, or has a file of its own.
    std::string file;         ///< Where its rules stand; empty when there are only those built into it.
    stepping steps = stepping::any_time;
    std::string rule{};     ///< In words, with what was found: "steps in its first 3 updates (makestep 1 3)".
    std::string way_out{};  ///< How to have it step less; empty when it does not step at any time.
};

/// chronyd, ntpd, systemd-timesyncd and phc2sys, those that run or are configured below `root` ("/"): its
/// proc, etc, and lib. Errors: none; what cannot be read is not there. Threads: any. Cost: reads
/// /proc/*/comm.
/// Sources: chrony.conf(5) (makestep, initstepslew, include, confdir); ntp.conf(5) (tinker) and ntpd(8) (-x);
/// systemd's timesyncd-manager.c (NTP_MAX_ADJUST); phc2sys(8) (-F, -S).
std::vector<time_daemon> time_daemons(const std::filesystem::path& root);

}  // namespace firn::host
