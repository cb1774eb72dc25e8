// firn's own recording of a clock, as text: `firn watch` writes it, `firn lab replay` reads it. The lines are
// described in docs/formats.md.
//
//     file << header_of(boot) << line_of(sample) << step_line(steady_ns, wall_ns, by_ns);
#pragma once

#include <cstdint>
#include <string>

namespace firn::lab {

inline constexpr std::int64_t firn_recording_version = 1;

/// The kernel refused to tell its discipline: the fields from adjtimex(2) mean nothing.
inline constexpr std::int64_t state_not_told = -1;

/// Two clocks read together, and what the kernel says of its discipline (adjtimex(2)).
struct recorded_sample {
    std::int64_t steady_ns = 0;  ///< CLOCK_BOOTTIME.
    std::int64_t wall_ns = 0;    ///< CLOCK_REALTIME, Unix.
    std::int64_t offset_ns = 0;  ///< Still to be slewed.
    std::int64_t freq_ppb = 0;
    std::int64_t status = 0;  ///< STA_ bits.
    std::int64_t maxerror_us = 0;
    std::int64_t esterror_us = 0;
    std::int64_t tai_s = 0;
    std::int64_t state = 0;  ///< TIME_OK, TIME_INS, …, TIME_ERROR; state_not_told.
};

/// The lines that a session begins with. `boot`: 32 hex digits; zeros when unknown.
std::string header_of(const std::string& boot);
std::string line_of(const recorded_sample& s);
/// The wall moved by `by_ns`, and then read `wall_ns`.
std::string step_line(std::int64_t steady_ns, std::int64_t wall_ns, std::int64_t by_ns);

}  // namespace firn::lab
