// firn::host::finding: one thing that `firn doctor` looked at, in plain words.
//
// Each function turns what was read into a verdict and reads nothing itself, but for those that take a path.
//
//     const finding f = clock_finding(clocks.read());
//     if (f.what == verdict::fail) …
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "firn/layout.hpp"
#include "host/time_daemon.hpp"
#include "host/watch.hpp"

namespace firn::host {

/// ok: as it should be. warn: ids stay unique, but something is worse than it could be, or is not known.
/// fail: firn refuses to work, or ids that were handed out could come again.
enum class verdict : std::uint8_t { ok, warn, fail };

/// "ok", "warn", "fail".
const char* name_of(verdict v) noexcept;

struct finding {
    std::string check;
    verdict what = verdict::ok;
    std::string seen;
    std::string remedy{};  ///< What to do; empty when there is nothing.
};

/// Whether the kernel says that the clock is kept right, and how well.
finding clock_finding(const lab::recorded_sample& s);
/// Whether a leap second is announced. Nothing when the kernel does not tell.
std::optional<finding> leap_finding(const lab::recorded_sample& s);
/// What steers the clock, and whether it steps.
finding daemon_finding(const std::vector<time_daemon>& found);
/// What a short watch has seen.
finding watch_finding(const watch_summary& seen, const watch_options& o);
/// What recordings of `firn watch`, chronyd or ntpd have in them; a file that cannot be read is a fail.
finding recording_finding(const std::vector<std::string>& files);
/// `source`: the kernel's name for what it keeps time by; empty when it does not tell.
finding counter_finding(bool invariant, const std::string& source);
finding boot_finding(const detail::boot_id& boot);
/// Whether `layout` is in its life at `now`: firn refuses one that is not, and by default one that ends
/// within a year. `name`: whose it is.
finding life_finding(const layout& of, const std::string& name, instant now);
/// Whether `directory` is, has (as firn serve's spaces), or can be made a journal; a second one for each
/// journal's layout. Changes nothing. A directory that is not there is judged by the one it would be made in.
std::vector<finding> journal_findings(const std::filesystem::path& directory, instant now);

}  // namespace firn::host
