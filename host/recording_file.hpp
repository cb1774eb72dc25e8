// firn::host::recording_file: a recording that is written line by line, and never has half a line in it.
//
//     firn::host::recording_file file{"clock.rec", boot};
//     file.append(lab::line_of(sample));                     // written when it returns
//     file.close();                                          // and on the disk
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "lab/recording/firn_recording.hpp"
#include "src/journal/files.hpp"

namespace firn::host {

class recording_file {
  public:
    /// Makes the file, or goes on with one that is a recording of this version; either way a session begins
    /// with a header that names `boot` (32 hex digits). The last line of the file, if it was left without its
    /// end by a crash, is cut off. "-" is the standard output, to which (as to a pipe or a device) it only
    /// writes. Throws lab::recording_error with the file unchanged: it cannot be opened, is something else,
    /// or another process is writing it.
    recording_file(const std::string& path, const std::string& boot);

    /// Writes one whole line. Throws lab::recording_error when it cannot be, and then the file ends with the
    /// line before it. A pipe that nobody reads any more is no error: open() is false from then on.
    void append(const std::string& line);
    bool open() const noexcept { return open_; }
    /// Makes all of it durable. Throws lab::recording_error when the system says that it is not.
    void close();

    /// The last record that was there before, if it is of this boot.
    const std::optional<lab::recorded_sample>& last() const noexcept { return last_; }
    std::uint64_t records_before() const noexcept { return records_before_; }
    bool cut_half_line() const noexcept { return cut_; }

  private:
    void go_on(const std::string& boot);
    [[noreturn]] void fail(const std::string& what, int code) const;

    std::string path_;
    detail::descriptor file_;
    bool regular_ = false;
    bool open_ = true;
    bool cut_ = false;
    std::int64_t size_ = 0;
    std::uint64_t records_before_ = 0;
    std::optional<lab::recorded_sample> last_;
};

}  // namespace firn::host
