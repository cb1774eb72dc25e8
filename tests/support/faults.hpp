// System calls that fail when they are told to. Linked into a test, these take the place of the C library's
// functions of the same names for the whole program; all else goes to the system as ever.
//
//     firn::faults::set({.fdatasync_errno = EIO});
//     …
//     firn::faults::set({});                                 // or: firn::faults::scope
#pragma once

#include <atomic>
#include <cstdint>

namespace firn::faults {

struct plan {
    int fdatasync_errno = 0;       ///< fdatasync fails with it.
    int pwrite_errno = 0;          ///< pwrite fails with it.
    int pwrite_most = 0;           ///< pwrite writes at most so many bytes a call; 0: as asked.
    int fallocate_errno = 0;       ///< posix_fallocate fails with it.
    int lock_errno = 0;            ///< fcntl(F_OFD_SETLK) fails with it.
    std::uint32_t filesystem = 0;  ///< fstatfs tells this kind (statfs(2)).
};

/// Applies from now on, in this process. Threads: any.
void set(const plan& p) noexcept;

/// How often each was called, whether it failed or not.
struct counts {
    std::atomic<std::uint64_t> fdatasync{0};
    std::atomic<std::uint64_t> pwrite{0};
};
counts& called() noexcept;

/// While it is set, fdatasync does not return.
extern std::atomic<bool> hold_fdatasync;

struct scope {
    explicit scope(const plan& p) noexcept { set(p); }
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    ~scope() { set({}); }
};

}  // namespace firn::faults
