#include "audit/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

#include "audit/error.hpp"

namespace firn::audit {
namespace {

unique_fd make_nameless(const std::filesystem::path& directory) {
    unique_fd fd{::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)};
    // EISDIR is what a kernel says that does not know the flag, EOPNOTSUPP a file system.
    if (fd || (errno != EOPNOTSUPP && errno != EISDIR)) return fd;
    std::string name = (directory / "firn-audit-").string() + std::string(6, 'X');
    fd = unique_fd{::mkostemp(name.data(), O_CLOEXEC)};
    if (fd) ::unlink(name.c_str());
    return fd;
}

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string(bytes >> 20) + " MiB";
}

}  // namespace

void spill_file::make() {
    // Not std::call_once: under ThreadSanitizer its waiters wait for ever once the call has thrown.
    const std::lock_guard alone{making_};
    if (fd_) return;
    fd_ = make_nameless(directory_);
    if (!fd_)
        throw failure(system_words("cannot make a temporary file in " + directory_.string(), errno) +
                      "; name another directory with --tmpdir, or let more stay in memory with --memory");
}

std::uint64_t spill_file::append(std::span<const std::byte> bytes) {
    make();
    const std::uint64_t start = end_.fetch_add(bytes.size(), std::memory_order_relaxed);
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto n =
            ::pwrite(fd_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(start + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            throw failure(system_words("cannot write to the temporary file in " + directory_.string() +
                                           ", which holds " + mebibytes(start + done),
                                       n < 0 ? errno : ENOSPC) +
                          "; name a directory with more room with --tmpdir, or let more stay in memory with "
                          "--memory");
        done += static_cast<std::size_t>(n);
    }
    return start;
}

void spill_file::read(std::uint64_t offset, std::span<std::byte> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto n =
            ::pread(fd_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0)
            throw failure(system_words("cannot read the temporary file in " + directory_.string() + " back",
                                       n < 0 ? errno : EIO));
        done += static_cast<std::size_t>(n);
    }
}

std::filesystem::path default_spill_directory() {
    if (const char* given = std::getenv("TMPDIR"); given != nullptr && *given != '\0') return given;
    return "/var/tmp";
}

}  // namespace firn::audit
