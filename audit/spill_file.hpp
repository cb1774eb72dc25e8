// firn::audit::spill_file: a temporary file without a name, for what does not fit into memory.
//
// It never has a name, or loses it at once where the file system cannot do that: however the process ends,
// nothing is left.
//
//     spill_file spill{"/var/tmp"};                       // nothing is created yet
//     std::uint64_t at = spill.append(bytes);             // creates it the first time
//     spill.read(at, buffer);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>

#include "audit/unique_fd.hpp"

namespace firn::audit {

class spill_file {
  public:
    explicit spill_file(std::filesystem::path directory) : directory_(std::move(directory)) {}

    /// Writes all of `bytes` and returns the offset at which they stand. Appends of one thread that are not
    /// concurrent with others' are contiguous.
    /// Errors: failure, with the directory, how much was written and the way out. Threads: any.
    /// Cost: one system call; the first time, four.
    std::uint64_t append(std::span<const std::byte> bytes);

    /// Fills all of `bytes` from `offset`. Threads: any, for what an append() has returned.
    void read(std::uint64_t offset, std::span<std::byte> bytes) const;

    std::uint64_t size() const noexcept { return end_.load(std::memory_order_relaxed); }
    /// The descriptor, or a negative number as long as nothing was appended.
    int fd() const noexcept { return fd_.get(); }

  private:
    /// Unless there is the file already. Errors: as append().
    void make();

    std::filesystem::path directory_;
    std::mutex making_;  ///< Whoever has held it after a success may read fd_, which then stays as it is.
    unique_fd fd_;
    std::atomic<std::uint64_t> end_{0};
};

/// Where temporary files go unless told otherwise: $TMPDIR, else /var/tmp, which unlike /tmp is on a disk
/// everywhere.
std::filesystem::path default_spill_directory();

}  // namespace firn::audit
