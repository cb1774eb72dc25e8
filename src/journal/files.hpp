// The journal's medium on the operating system: three files in one directory. docs/formats.md has the bytes.
//
//   ceiling  two records, a page apart. Written and fdatasync'ed under the lock.
//   cursor   one page, mapped shared by every user. Never synced on the id path; a file of its own, so that a
//   sync of
//            `ceiling` never write-protects the page that ids are issued from.
//   lock     empty; its bytes 0 and 1 carry open-file-description locks (fcntl(2), F_OFD_SETLK): byte 0 is
//   the
//            protocol's lock, byte 1 is held shared by every user.
//
// Not for users. Threads: one at a time.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "firn/clock.hpp"
#include "src/journal/medium.hpp"

namespace firn::detail {

/// A file descriptor that is closed at the end.
class descriptor {
  public:
    descriptor() = default;
    explicit descriptor(int fd) noexcept : fd_(fd) {}
    descriptor(descriptor&& other) noexcept : fd_(other.release()) {}
    descriptor& operator=(descriptor&& other) noexcept;
    ~descriptor();

    int get() const noexcept { return fd_; }
    explicit operator bool() const noexcept { return fd_ >= 0; }
    int release() noexcept;

  private:
    int fd_ = -1;
};

/// This boot's name; zero when the system does not tell.
boot_id system_boot() noexcept;
/// Its 32 hex digits. Cost: allocates.
std::string text_of(const boot_id& boot);

/// Throws journal_unfit_filesystem, naming the file system and the remedy, unless `directory` may hold a
/// journal.
void check_filesystem(int directory, const std::filesystem::path& path);
/// Whether its file system lives in memory, and a journal in it no longer than this boot.
bool is_in_memory(int directory) noexcept;

class files final : public medium {
  public:
    /// Makes the directory when it is missing. Throws journal_io or journal_unfit_filesystem.
    /// `boot` stands in for the system's in tests.
    files(const std::filesystem::path& directory, clock& c, std::optional<boot_id> boot = std::nullopt);
    struct in_child {};
    /// In a forked child: takes part in the journal that `parent` has open, with locks of its own and the
    /// mapping that was inherited, which must last. Throws journal_io, or journal_replaced when the path no
    /// longer names it.
    files(const files& parent, in_child);
    ~files() override;

    bool try_lock() override;
    void unlock() noexcept override;
    bool enter() override;
    bool leave() noexcept override;
    bool in_place() override;
    std::array<record_read, 2> read() override;
    bool create(const journal_record& first) override;
    bool write(std::size_t place, const journal_record& r) override;
    bool sync() override;
    int error() const noexcept override { return error_; }
    journal_page& page() override { return *page_; }
    bool page_is_sound() override;
    boot_id boot() override { return boot_; }
    tick now() override { return clock_.now(); }

    /// A file of the journal, for messages.
    std::string path_of(const char* name) const { return (path_ / name).string(); }

  private:
    void open_files();
    bool failed() noexcept;

    std::filesystem::path path_;
    clock& clock_;
    boot_id boot_;
    descriptor directory_;
    descriptor lock_;
    descriptor user_;
    descriptor ceiling_;
    descriptor cursor_;
    journal_page* page_ = nullptr;
    bool owns_page_ = true;
    std::uint64_t fork_epoch_ = 0;
    std::uint64_t forks_ = 0;
    int error_ = 0;
};

}  // namespace firn::detail
