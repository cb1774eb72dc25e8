// Reads recordings: lines into a clock's error over true time. Formats are told by the lines themselves.
//
// Several files are one recording: they are put in order by the time of their first record (rotated logs).
//
//     recording r = read_recording({"tracking.log", "tracking.log.1"}, {});
//     r.samples[7].error_ns                                  // wall − true time; positive: the wall is fast
//     r.not_understood                                       // lines, the first one in r.first_fault
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "lab/recording/line.hpp"

namespace firn::lab {

struct clock_sample {
    std::int64_t true_ns = 0;   ///< Unix; never decreasing.
    std::int64_t error_ns = 0;  ///< Wall − true.
    std::uint64_t line = 0;     ///< Of its file, from 1.
};

struct line_fault {
    std::string file;
    std::uint64_t line = 0;
    std::size_t column = 0;
    std::string why;
    /// "tracking.log:17:24: 'abc' is no number".
    std::string text() const;
};

struct recording {
    recording_format format = recording_format::chrony_tracking;
    std::vector<clock_sample> samples;
    std::string source;  ///< Of chrony's statistics: whose lines these are.
    std::uint64_t lines = 0;
    std::uint64_t notes = 0;  ///< Blank lines, banners, comments.
    std::uint64_t unsynchronised = 0;
    std::uint64_t of_other_sources = 0;
    std::uint64_t not_understood = 0;
    std::uint64_t went_back = 0;  ///< Records stamped before the one above them: a step, at least that large.
    std::uint64_t boots = 0;      ///< firn: reboots; no step is assumed across one.
    std::optional<line_fault> first_fault;
};

struct reading_options {
    std::optional<recording_format> format{};  ///< Empty: told by the lines.
    std::string source{};                      ///< Only this one's lines; empty: the one with the most.
};

/// A recording that cannot be used. One line: the file, the line where there is one, why, the way out.
class recording_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Throws recording_error: a file that cannot be read or is of no known format, files of different formats,
/// no record at all. Threads: any. Cost: reads all of them; 24 bytes a record.
recording read_recording(const std::vector<std::string>& files, const reading_options& o);
/// The same of one stream, which messages call `name`.
recording read_recording(std::istream& in, const std::string& name, const reading_options& o);

}  // namespace firn::lab
