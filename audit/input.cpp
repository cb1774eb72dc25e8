#include "audit/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "audit/error.hpp"

namespace firn::audit {

input::input(std::string path, const input_options& options)
    : path_(std::move(path)),
      name_(path_ == "-" ? "stdin" : path_),
      copy_pipes_(options.copy_pipes),
      copy_(std::make_unique<spill_file>(options.spill_directory)) {}

std::optional<std::uint64_t> input::size() const {
    struct stat status {};
    const int result = is_stdin() ? ::fstat(0, &status) : ::stat(path_.c_str(), &status);
    if (result != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return static_cast<std::uint64_t>(status.st_size);
}

void input::open() {
    if (opened_before_ && !seekable_) {
        if (!copy_pipes_) throw failure(name_ + ": a pipe cannot be read twice");
        from_copy_ = true;
        copy_position_ = 0;
        return;
    }
    if (!is_stdin()) file_ = unique_fd{::open(path_.c_str(), O_RDONLY | O_CLOEXEC)};
    struct stat status {};
    if (fd() < 0 || ::fstat(fd(), &status) != 0) throw failure(system_words("cannot open " + name_, errno));
    if (S_ISDIR(status.st_mode))
        throw failure("cannot read " + name_ + ": it is a directory; name its files");
    seekable_ = S_ISREG(status.st_mode) || S_ISBLK(status.st_mode);
    if (seekable_ && is_stdin()) {
        if (!opened_before_) stdin_start_ = ::lseek(0, 0, SEEK_CUR);
        ::lseek(0, stdin_start_, SEEK_SET);
    }
    if (seekable_) ::posix_fadvise(fd(), 0, 0, POSIX_FADV_SEQUENTIAL);  // A hint: its failure is no matter.
    opened_before_ = true;
}

std::size_t input::read(std::span<char> buffer, const interruption& stop) {
    if (from_copy_) return read_copy(buffer);
    for (;;) {
        if (seekable_)
            stop.check();
        else
            stop.wait_readable(fd());
        const auto n = ::read(fd(), buffer.data(), buffer.size());
        if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (n < 0) throw failure(system_words("cannot read " + name_, errno));
        const auto got = buffer.first(static_cast<std::size_t>(n));
        if (!seekable_ && copy_pipes_ && !got.empty()) copy_->append(std::as_bytes(got));
        return got.size();
    }
}

std::size_t input::read_copy(std::span<char> buffer) {
    const auto left = copy_->size() - copy_position_;
    const auto part = buffer.first(std::min<std::uint64_t>(left, buffer.size()));
    if (!part.empty()) copy_->read(copy_position_, std::as_writable_bytes(part));
    copy_position_ += part.size();
    return part.size();
}

}  // namespace firn::audit
