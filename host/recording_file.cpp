#include "host/recording_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "lab/recording/read.hpp"

namespace firn::host {

recording_file::recording_file(const std::string& path, const std::string& boot) : path_(path) {
    const bool standard = path == "-";
    if (standard) path_ = "standard output";
    file_ =
        detail::descriptor{standard ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                    : ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644)};
    if (!file_ && errno == ENXIO)  // a pipe by name
        file_ = detail::descriptor{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    if (!file_) fail("cannot be opened for writing", errno);
    struct stat about {};
    if (::fstat(file_.get(), &about) != 0) fail("cannot be examined", errno);
    regular_ = S_ISREG(about.st_mode) && !standard;
    if (regular_) {
        // Two at once would mix their lines. A file system without such locks is no reason to refuse.
        if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
            throw lab::recording_error(path_ +
                                       ": another process is recording into it; end that one, or choose "
                                       "another file");
        go_on(boot);
    }
    append(lab::header_of(boot));
}

/// Finds out what is there already, and puts the end of the file behind its last whole line.
void recording_file::go_on(const std::string& boot) {
    std::ifstream in{path_, std::ios::binary};
    if (!in) fail("cannot be read", errno);
    std::string boot_there;
    std::uint64_t lines = 0;
    for (std::string line; std::getline(in, line);) {
        if (in.eof()) {  // without its end
            cut_ = true;
            break;
        }
        const lab::recorded_line l = lab::read_line(lab::recording_format::firn, line);
        if (lines++ == 0 && line.rfind("# firn recording ", 0) != 0) break;
        if (l.kind == lab::line_kind::fault && line.front() == '#')
            throw lab::recording_error(path_ + ':' + std::to_string(lines) + ": " + l.why);
        if (l.kind == lab::line_kind::boot) {
            boot_there = l.source;
            last_.reset();
        }
        if (l.kind == lab::line_kind::record) {
            ++records_before_;
            last_ = lab::recorded_sample{.steady_ns = l.steady_ns, .wall_ns = l.wall_ns};
        }
        size_ += static_cast<std::int64_t>(line.size()) + 1;
    }
    if (in.bad()) fail("cannot be read", errno);
    if (size_ == 0 && (lines != 0 || cut_))
        throw lab::recording_error(path_ +
                                   ": is no recording of firn's, and is left as it is; choose another file");
    // A boot that the system does not name may be any.
    if (boot_there != boot || boot.find_first_not_of('0') == std::string::npos) last_.reset();
    if (cut_ && ::ftruncate(file_.get(), size_) != 0) fail("cannot be cut to its whole lines", errno);
}

void recording_file::append(const std::string& line) {
    std::string_view left = line;
    while (open_ && !left.empty()) {
        const ssize_t n = ::write(file_.get(), left.data(), left.size());
        if (n >= 0) {
            left.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EPIPE) {
            open_ = false;
        } else if (errno != EINTR) {
            const int code = errno;
            if (regular_ && left.size() != line.size() && ::ftruncate(file_.get(), size_) != 0)
                fail("cannot be written, and its last line is broken", code);
            fail("cannot be written", code);
        }
    }
    size_ += static_cast<std::int64_t>(line.size());
}

void recording_file::close() {
    if (regular_ && ::fsync(file_.get()) != 0) fail("was not made durable", errno);
    open_ = false;
    file_ = detail::descriptor{};
}

void recording_file::fail(const std::string& what, int code) const {
    throw lab::recording_error(path_ + ": " + what + ": " + std::strerror(code));
}

}  // namespace firn::host
