#include "src/journal/files.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "firn/detail/fork_epoch.hpp"
#include "firn/text.hpp"

namespace firn::detail {

namespace {

constexpr off_t lock_byte = 0;
constexpr off_t user_byte = 1;
constexpr std::size_t page_size = 4096;
static_assert(sizeof(journal_page) <= page_size);

[[noreturn]] void fail(const std::string& what, int code) {
    throw firn::error(errc::journal_io, what + ": " + std::strerror(code), code);
}

/// fcntl's open-file-description lock: it belongs to the descriptor, not to the process, so that two journals
/// of one process exclude each other too, and closing an unrelated descriptor of the file loses nothing.
bool set_lock(int fd, short type, off_t byte) noexcept {
    struct flock what {};
    what.l_type = type;
    what.l_whence = SEEK_SET;
    what.l_start = byte;
    what.l_len = 1;
    return ::fcntl(fd, F_OFD_SETLK, &what) == 0;
}

/// Whether set_lock() failed because somebody else has the lock, and not because there are none here.
bool is_taken(int code) noexcept {
    return code == EAGAIN || code == EACCES;
}

/// The lock descriptors of this process that are in use for a turn. A fork copies them, and the lock with
/// them: if the parent was killed in the middle of its turn, the child would have the lock for as long as it
/// lives, and keep everybody off, itself included. So the child closes its copies before it does anything
/// else.
class turns {
  public:
    /// Beyond so many turns at once the rest are not noted, which loses that protection and no more.
    static constexpr std::size_t most = 64;

    void begin(int fd) noexcept {
        for (auto& place : open_) {
            int none = nobody;
            if (place.compare_exchange_strong(none, fd, std::memory_order_acq_rel)) return;
        }
    }
    void end(int fd) noexcept {
        for (auto& place : open_) {
            int mine = fd;
            if (place.compare_exchange_strong(mine, nobody, std::memory_order_acq_rel)) return;
        }
    }
    void drop() noexcept {
        for (auto& place : open_)
            if (const int fd = place.exchange(nobody, std::memory_order_acq_rel); fd != nobody) ::close(fd);
    }

  private:
    static constexpr int nobody = 0;  // the standard input is no lock: open() would have to return it

    std::array<std::atomic<int>, most> open_{};
};

constinit turns process_turns;
[[maybe_unused]] const int turns_are_dropped =
    ::pthread_atfork(nullptr, nullptr, [] { process_turns.drop(); });

std::filesystem::path absolute_path(const std::filesystem::path& path) {
    // The process may change its working directory, as daemons do; the journal stays where it is.
    std::error_code code;
    auto whole = std::filesystem::absolute(path, code);
    if (code) fail("no directory for the journal: '" + path.string() + "'", code.value());
    return whole;
}

descriptor open_at(int directory, const char* name, int flags) noexcept {
    return descriptor{::openat(directory, name, flags | O_CLOEXEC | O_NOFOLLOW, 0644)};
}

bool same_file(int fd, int directory, const char* name) noexcept {
    struct stat open_one {};
    struct stat named {};
    return ::fstat(fd, &open_one) == 0 && ::fstatat(directory, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           open_one.st_ino == named.st_ino && open_one.st_dev == named.st_dev;
}

/// Makes what is missing of `path`, and each new name durable: a journal that vanishes with the power has
/// forgotten.
void make_directories(const std::filesystem::path& path) {
    std::error_code code;
    if (std::filesystem::is_directory(path, code)) return;
    const std::filesystem::path parent = path.parent_path();
    if (parent != path) make_directories(parent);
    if (::mkdir(path.c_str(), 0755) != 0 && errno != EEXIST)
        fail("cannot make the journal's directory " + path.string(), errno);
    const descriptor above{::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!above || ::fsync(above.get()) != 0)
        fail("cannot make the journal's directory durable in " + parent.string(), errno);
}

/// Makes the name of a directory durable, and the names of those above it on the same file system: whoever
/// made them may have died before it came to that. False: errno says why.
bool sync_names(int directory) noexcept {
    struct stat here {};
    if (::fstat(directory, &here) != 0) return false;
    descriptor at;
    for (int fd = directory;;) {
        descriptor above{::openat(fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
        struct stat there {};
        // One that we may not read is none that we have made.
        if (!above) return errno == EACCES;
        if (::fstat(above.get(), &there) != 0) return false;
        if (there.st_dev != here.st_dev || there.st_ino == here.st_ino) return true;
        // EINVAL: a file system that has no such thing.
        if (::fsync(above.get()) != 0 && errno != EINVAL) return false;
        here = there;
        at = std::move(above);
        fd = at.get();
    }
}

bool write_all(int fd, const void* data, std::size_t size, off_t at) noexcept {
    const auto* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t n = ::pwrite(fd, bytes, size, at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        bytes += n;
        at += n;
        size -= static_cast<std::size_t>(n);
    }
    return true;
}

}  // namespace

descriptor& descriptor::operator=(descriptor&& other) noexcept {
    if (this != &other) {
        if (fd_ >= 0) ::close(fd_);
        fd_ = other.release();
    }
    return *this;
}

descriptor::~descriptor() {
    if (fd_ >= 0) ::close(fd_);
}

int descriptor::release() noexcept {
    return std::exchange(fd_, -1);
}

boot_id system_boot() noexcept {
    const descriptor file{::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)};
    std::array<char, 64> text{};
    const ssize_t size = file ? ::read(file.get(), text.data(), text.size()) : -1;
    boot_id boot;
    int digits = 0;
    for (ssize_t i = 0; i < size; ++i) {
        const char c = text[static_cast<std::size_t>(i)];
        std::uint64_t digit = 0;
        if (c >= '0' && c <= '9')
            digit = static_cast<std::uint64_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<std::uint64_t>(c - 'a') + 10;
        else
            continue;
        boot.high = boot.high << 4 | boot.low >> 60;
        boot.low = boot.low << 4 | digit;
        ++digits;
    }
    return digits == 32 ? boot : boot_id{};
}

std::string text_of(const boot_id& boot) {
    return to_hex(id{boot.high}) + to_hex(id{boot.low});
}

void check_filesystem(int directory, const std::filesystem::path& path) {
    struct kind {
        std::uint64_t magic;
        const char* name;
    };
    // statfs(2) and linux/magic.h. These keep pages on more than one host, or hand mappings to a user-space
    // server.
    constexpr std::array<kind, 15> unfit{{{0x6969, "NFS"},
                                          {0x517B, "SMB"},
                                          {0xFE534D42, "SMB2"},
                                          {0xFF534D42, "CIFS"},
                                          {0x65735546, "FUSE"},
                                          {0x01021997, "9p"},
                                          {0x00C36400, "Ceph"},
                                          {0x5346414F, "AFS"},
                                          {0x73757245, "Coda"},
                                          {0x0BD00BD0, "Lustre"},
                                          {0x786F4256, "VirtualBox shared folder"},
                                          {0x47504653, "GPFS"},
                                          {0x01161970, "GFS2"},
                                          {0x7461636F, "OCFS2"},
                                          {0x19830326, "BeeGFS"}}};
    struct statfs about {};
    if (::fstatfs(directory, &about) != 0) fail("cannot examine the file system of " + path.string(), errno);
    const auto magic = static_cast<std::uint64_t>(about.f_type) & 0xFFFFFFFFU;
    for (const kind& k : unfit)
        if (magic == k.magic)
            throw firn::error(
                errc::journal_unfit_filesystem,
                path.string() + " is on " + k.name +
                    ", which does not promise that a mapping is the same for every process; put the "
                    "journal on a local file system (ext4, xfs, …)");
}

bool is_in_memory(int directory) noexcept {
    struct statfs about {};
    if (::fstatfs(directory, &about) != 0) return false;
    constexpr std::uint64_t tmpfs = 0x01021994;  // statfs(2)
    constexpr std::uint64_t ramfs = 0x858458F6;
    const auto magic = static_cast<std::uint64_t>(about.f_type) & 0xFFFFFFFFU;
    return magic == tmpfs || magic == ramfs;
}

files::files(const std::filesystem::path& directory, clock& c, std::optional<boot_id> boot)
    : path_(absolute_path(directory)), clock_(c), boot_(boot.value_or(system_boot())) {
    make_directories(path_);
    directory_ = descriptor{::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!directory_) fail("cannot open the journal's directory " + path_.string(), errno);
    check_filesystem(directory_.get(), path_);
}

files::files(const files& parent, in_child /*unused*/)
    : path_(parent.path_),
      clock_(parent.clock_),
      boot_(parent.boot_),
      directory_(::fcntl(parent.directory_.get(), F_DUPFD_CLOEXEC, 0)),
      ceiling_(::fcntl(parent.ceiling_.get(), F_DUPFD_CLOEXEC, 0)),
      cursor_(::fcntl(parent.cursor_.get(), F_DUPFD_CLOEXEC, 0)),
      page_(parent.page_),
      owns_page_(false) {
    if (!directory_ || !ceiling_ || !cursor_)
        fail("the child of a fork cannot share the journal in " + path_.string() +
                 " (one that closes what it inherits has to open the journal itself)",
             errno);
    enter();
    if (!in_place())
        throw firn::error(errc::journal_replaced,
                          "the journal in " + path_.string() + " was replaced before a fork");
}

files::~files() {
    unlock();
    if (page_ != nullptr && owns_page_) ::munmap(page_, page_size);
}

bool files::failed() noexcept {
    error_ = errno;
    return false;
}

bool files::try_lock() {
    // Opened for each turn: a descriptor that stays open is inherited by every fork, and the lock with it.
    // A user makes no lock file: one that is missing was deleted under it.
    lock_ = open_at(directory_.get(), "lock", user_ ? O_RDWR : O_RDWR | O_CREAT);
    if (!lock_ && errno == ENOENT && user_)
        throw firn::error(errc::journal_replaced, path_of("lock") + " was deleted");
    if (!lock_) fail("cannot open " + path_of("lock"), errno);
    process_turns.begin(lock_.get());
    if (set_lock(lock_.get(), F_WRLCK, lock_byte)) return true;
    const int code = errno;
    unlock();
    if (is_taken(code)) return false;
    fail("cannot lock " + path_of("lock"), code);
}

void files::unlock() noexcept {
    if (!lock_) return;
    set_lock(lock_.get(), F_UNLCK, lock_byte);
    process_turns.end(lock_.get());
    lock_ = descriptor{};
}

bool files::enter() {
    user_ = open_at(directory_.get(), "lock", O_RDWR);
    if (!user_) fail("cannot open " + path_of("lock"), errno);
    fork_epoch_ = process_fork_epoch.current();
    forks_ = process_fork_epoch.forks();
    // Users hold it shared, and whoever tests it exclusively does so under the protocol's lock, which we
    // have; or else we are the child of one, whose lock we have inherited, so that no test succeeds.
    const bool alone = set_lock(user_.get(), F_WRLCK, user_byte);
    if (!set_lock(user_.get(), F_RDLCK, user_byte)) fail("cannot lock " + path_of("lock"), errno);
    return alone;
}

bool files::leave() noexcept {
    // A child may have closed its descriptors and still issue from its mapping, so a process that has ever
    // forked proves nothing. Nor does one that was forked: its parent may be at work.
    const bool forked = fork_epoch_ != process_fork_epoch.current() || forks_ != process_fork_epoch.forks();
    const bool replaced = !same_file(user_.get(), directory_.get(), "lock");
    user_ = descriptor{};
    if (forked || replaced) return false;
    // A fresh descriptor: it shares no lock with what a bare clone(2) may have inherited.
    const descriptor probe = open_at(directory_.get(), "lock", O_RDWR);
    return probe && set_lock(probe.get(), F_WRLCK, user_byte);
}

bool files::in_place() {
    struct stat directory_now {};
    struct stat directory_then {};
    return ::stat(path_.c_str(), &directory_now) == 0 && ::fstat(directory_.get(), &directory_then) == 0 &&
           directory_now.st_ino == directory_then.st_ino && directory_now.st_dev == directory_then.st_dev &&
           same_file(ceiling_.get(), directory_.get(), "ceiling") &&
           same_file(cursor_.get(), directory_.get(), "cursor") &&
           same_file(user_.get(), directory_.get(), "lock");
}

std::array<record_read, 2> files::read() {
    std::array<record_read, 2> places{};
    if (!ceiling_) {
        ceiling_ = open_at(directory_.get(), "ceiling", O_RDWR);
        if (!ceiling_ && errno != ENOENT) fail("cannot open " + path_of("ceiling"), errno);
        if (!ceiling_) {
            // `ceiling` is made first: a cursor without it is what is left of a journal, not the begin of
            // one.
            if (::faccessat(directory_.get(), "cursor", F_OK, AT_SYMLINK_NOFOLLOW) == 0)
                places[0].state = places[1].state = record_state::damaged;
            return places;
        }
        // Whoever made it may have died before its name was durable (see create()).
        if (::fsync(directory_.get()) != 0) fail("cannot sync " + path_.string(), errno);
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        record_bytes bytes{};
        const ssize_t n =
            ::pread(ceiling_.get(), bytes.data(), bytes.size(), static_cast<off_t>(i * record_stride));
        if (n < 0) fail("cannot read " + path_of("ceiling"), errno);
        places[i] = decode(bytes);
    }
    open_files();
    return places;
}

void files::open_files() {
    if (page_ != nullptr) return;
    cursor_ = open_at(directory_.get(), "cursor", O_RDWR | O_CREAT);
    if (!cursor_) fail("cannot open " + path_of("cursor"), errno);
    // Allocated before it is mapped: a store to a hole on a full disk would be a SIGBUS.
    if (const int code = ::posix_fallocate(cursor_.get(), 0, page_size); code != 0)
        fail("cannot allocate " + path_of("cursor"), code);
    void* at = ::mmap(nullptr, page_size, PROT_READ | PROT_WRITE, MAP_SHARED, cursor_.get(), 0);
    if (at == MAP_FAILED) fail("cannot map " + path_of("cursor"), errno);
    ::mlock(at,
            page_size);  // so that reclaim cannot put an older copy in its place; only a help, so it may fail
    page_ = std::launder(static_cast<journal_page*>(at));
}

bool files::create(const journal_record& first) {
    std::array<std::byte, 2 * record_stride> content{};
    const record_bytes bytes = encode(first);
    std::memcpy(content.data(), bytes.data(), bytes.size());
    const descriptor fresh = open_at(directory_.get(), "ceiling.new", O_RDWR | O_CREAT | O_TRUNC);
    if (!fresh || !write_all(fresh.get(), content.data(), content.size(), 0) ||
        ::fdatasync(fresh.get()) != 0 || !sync_names(directory_.get()) ||
        ::renameat(directory_.get(), "ceiling.new", directory_.get(), "ceiling") != 0 ||
        ::fsync(directory_.get()) != 0)
        return failed();
    return true;
}

bool files::write(std::size_t place, const journal_record& r) {
    const record_bytes bytes = encode(r);
    return write_all(ceiling_.get(), bytes.data(), bytes.size(), static_cast<off_t>(place * record_stride)) ||
           failed();
}

bool files::sync() {
    return ::fdatasync(ceiling_.get()) == 0 || failed();
}

bool files::page_is_sound() {
    return ::fdatasync(cursor_.get()) == 0;
}

}  // namespace firn::detail
