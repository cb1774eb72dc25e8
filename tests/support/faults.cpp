#include "tests/support/faults.hpp"

#include <fcntl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>

namespace firn::faults {

namespace {

std::atomic<int> fdatasync_errno{0};
std::atomic<int> pwrite_errno{0};
std::atomic<int> pwrite_most{0};
std::atomic<int> fallocate_errno{0};
std::atomic<int> lock_errno{0};
std::atomic<std::uint32_t> filesystem{0};

counts the_counts;

bool fails(const std::atomic<int>& with) noexcept {
    const int code = with.load();
    if (code != 0) errno = code;
    return code != 0;
}

}  // namespace

std::atomic<bool> hold_fdatasync{false};

void set(const plan& p) noexcept {
    fdatasync_errno = p.fdatasync_errno;
    pwrite_errno = p.pwrite_errno;
    pwrite_most = p.pwrite_most;
    fallocate_errno = p.fallocate_errno;
    lock_errno = p.lock_errno;
    filesystem = p.filesystem;
}

counts& called() noexcept {
    return the_counts;
}

}  // namespace firn::faults

namespace faults = firn::faults;

extern "C" {

int fdatasync(int fd) {
    faults::called().fdatasync += 1;
    while (faults::hold_fdatasync.load()) ::usleep(200);
    if (faults::fails(faults::fdatasync_errno)) return -1;
    return static_cast<int>(::syscall(SYS_fdatasync, fd));
}

ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
    faults::called().pwrite += 1;
    if (faults::fails(faults::pwrite_errno)) return -1;
    if (const int most = faults::pwrite_most.load(); most > 0)
        size = std::min<size_t>(size, static_cast<size_t>(most));
    return ::syscall(SYS_pwrite64, fd, data, size, at);
}

int posix_fallocate(int fd, off_t at, off_t size) {
    if (const int code = faults::fallocate_errno.load(); code != 0) return code;
    return ::syscall(SYS_fallocate, fd, 0, at, size) == 0 ? 0 : errno;
}

int fstatfs(int fd, struct statfs* about) noexcept {
    const int result = static_cast<int>(::syscall(SYS_fstatfs, fd, about));
    if (const std::uint32_t kind = faults::filesystem.load(); result == 0 && kind != 0) about->f_type = kind;
    return result;
}

int fcntl(int fd, int what, ...) {
    va_list more;
    va_start(more, what);
    void* argument = va_arg(more, void*);
    va_end(more);
    if (what == F_OFD_SETLK && faults::fails(faults::lock_errno)) return -1;
    return static_cast<int>(::syscall(SYS_fcntl, fd, what, argument));
}

}  // extern "C"
