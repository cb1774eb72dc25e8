// One line of a recorded clock: chrony's tracking.log and statistics.log, ntpd's loopstats, firn's own.
//
// Strict: a line is a record, one of the lines that its program writes between records, or a fault with its
// column. Which lines make a recording is read.hpp's business.
//
//     const recorded_line l = read_line(recording_format::loopstats,
//                                       "50935 75440.031 0.000006019 13.778 0.000351733 0.013380 6");
//     l.error_ns                                            // -6019: ntpd says how far the clock is slow
//
// Sources: chrony's reference.c, sourcestats.c and logging.c (formats, banners) and doc/chrony.conf.adoc
// (signs); ntpd's ntp_util.c, record_loop_stats() and html/monopt.html; docs/formats.md for firn's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace firn::lab {

enum class recording_format : std::uint8_t { chrony_tracking, chrony_statistics, loopstats, firn };

/// "chrony-tracking", "chrony-statistics", "loopstats", "firn".
const char* name_of(recording_format f) noexcept;
std::optional<recording_format> recording_format_of(std::string_view name) noexcept;

enum class line_kind : std::uint8_t {
    record,
    note,            ///< Blank, chrony's banner, a comment.
    unsynchronised,  ///< chrony had no source: it says nothing of the clock's error.
    boot,            ///< firn: what follows was recorded in the boot named `source`.
    fault
};

struct recorded_line {
    line_kind kind = line_kind::note;
    std::int64_t wall_ns = 0;   ///< What the wall read, in Unix nanoseconds.
    std::int64_t error_ns = 0;  ///< Wall − true time; positive: fast. firn's has none: it has steady_ns.
    std::int64_t steady_ns = 0;
    std::string_view source;  ///< Which server (chrony), or which boot (firn).
    std::size_t column = 0;   ///< Of a fault, from 1.
    std::string why;
};

/// Units: nanoseconds. Errors: line_kind::fault. Threads: pure. Cost: allocates only for a fault.
recorded_line read_line(recording_format f, std::string_view line);

}  // namespace firn::lab
