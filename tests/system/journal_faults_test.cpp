// The journal on a disk that fails, is full, cannot be written, or does not answer. System calls that fail
// are told to (tests/support/faults.hpp); full and read-only file systems are real where mounting is allowed.
#include "tests/support/faults.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <thread>

#include "lab/live/child.hpp"
#include "tests/system/journal_support.hpp"

namespace firn {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

class JournalFaults : public testing::Test {
  protected:
    ~JournalFaults() override {
        faults::hold_fdatasync = false;
        faults::set({});
    }

    journal open(std::chrono::microseconds window = 20ms) {
        journal::options o = options_with(wall);
        o.window = window;
        return journal::open(directory, o);
    }
    /// Past the end of every reservation.
    void pass_the_ceiling() { wall->set(tick{wall->now().count + 100'000}); }

    scratch room;
    std::filesystem::path directory = room / "orders";
    std::shared_ptr<manual_clock> wall = std::make_shared<manual_clock>(some_tick);
};

TEST_F(JournalFaults, FileSystemsThatKeepPagesOnSeveralHostsAreRefused) {
    struct kind {
        std::uint32_t magic;
        const char* name;
    };
    for (const kind k : {kind{0x6969, "NFS"}, kind{0xFF534D42, "CIFS"}, kind{0xFE534D42, "SMB2"},
                         kind{0x65735546, "FUSE"}, kind{0x01021997, "9p"}, kind{0x00C36400, "Ceph"},
                         kind{0x01161970, "GFS2"}, kind{0x7461636F, "OCFS2"}}) {
        const faults::scope fault({.filesystem = k.magic});
        EXPECT_ERROR(open(), errc::journal_unfit_filesystem,
                     AllOf(HasSubstr(k.name), HasSubstr("local file system"), HasSubstr(directory.string())));
        EXPECT_FALSE(std::filesystem::exists(directory / "ceiling"));
        EXPECT_THAT(inspect_journal(directory).faults, testing::Contains(HasSubstr(k.name)));
    }
    for (const std::uint32_t fit : {0xEF53U /* ext4 */, 0x58465342U /* xfs */, 0x9123683EU /* btrfs */})
        EXPECT_NO_THROW({
            const faults::scope fault({.filesystem = fit});
            open();
        });
}

TEST_F(JournalFaults, AFileSystemWithoutLocksIsAnErrorAndNotAWait) {
    const faults::scope fault({.lock_errno = EINVAL});
    EXPECT_ERROR(open(), errc::journal_io, AllOf(HasSubstr("cannot lock"), HasSubstr("Invalid argument")));
}

TEST_F(JournalFaults, ASyncThatFailsAtTheOpeningIsAnError) {
    {
        const faults::scope fault({.fdatasync_errno = EIO});
        EXPECT_ERROR(open(), errc::journal_io, HasSubstr("Input/output error"));
    }
    EXPECT_NO_THROW(open().next());
    {
        const faults::scope fault({.fdatasync_errno = EIO});
        EXPECT_ERROR(open(), errc::journal_io, HasSubstr("Input/output error"));
    }
}

TEST_F(JournalFaults, ASyncThatFailsIsNeverRetriedIntoSuccess) {
    journal j = open();
    const id before = j.next();
    const slot ceiling = j.status().ceiling;
    {
        const faults::scope fault({.fdatasync_errno = EIO});
        const until_refused spent(j);  // what was reserved is still handed out
        EXPECT_GT(spent.last, before);
        EXPECT_LT(slot_of(spent.last), ceiling);
        EXPECT_ERROR(j.next(), errc::journal_io,
                     AllOf(HasSubstr("Input/output error"), HasSubstr("mend the disk and restart")));
    }
    // The disk is well again, and is not asked.
    const std::uint64_t syncs = faults::called().fdatasync;
    EXPECT_ERROR(j.next(), errc::journal_io, HasSubstr("not believed again"));
    const outcome<id> refused = j.try_next();
    EXPECT_EQ(refused.error(), errc::journal_io);
    EXPECT_EQ(refused.amount(), EIO);
    EXPECT_TRUE(j.status().lost);
    EXPECT_EQ(j.status().trouble_errno, EIO);
    EXPECT_EQ(j.status().ceiling, ceiling);
    EXPECT_EQ(faults::called().fdatasync, syncs);
}

TEST_F(JournalFaults, TheNextOneDoesNotRepeatWhatWasHandedOutBeforeAFailedSync) {
    id last{};
    {
        journal j = open();
        const faults::scope fault({.fdatasync_errno = EIO});
        last = until_refused(j).last;
        EXPECT_ERROR(j.next(), errc::journal_io, HasSubstr("error"));
    }
    EXPECT_GT(open().next(), last);
    EXPECT_GT(
        layouts::standard.encode(bare_user(directory, wall, second_boot).open().next().tick_of(12), 7, 0),
        layouts::standard.encode(layouts::standard.decode(last).tick, 7, 0));
}

TEST_F(JournalFaults, AFullDiskRefusesAndGoesOnByItself) {
    journal j = open();
    j.next();
    pass_the_ceiling();
    {
        const faults::scope fault({.pwrite_errno = ENOSPC});
        EXPECT_ERROR(j.next(), errc::journal_io,
                     AllOf(HasSubstr("No space left on device"), HasSubstr("goes on by itself")));
        EXPECT_EQ(j.try_next().error(), errc::ceiling_reached);
        EXPECT_FALSE(j.status().lost);
        EXPECT_EQ(j.status().trouble_errno, ENOSPC);
    }
    EXPECT_EQ(j.next().value, layouts::standard.encode(wall->now(), 7, 0).value);
    EXPECT_EQ(j.status().trouble, errc::ok);
}

TEST_F(JournalFaults, AWriteInPiecesIsAWrite) {
    const faults::scope fault({.pwrite_most = 100});
    journal j = open();
    pass_the_ceiling();
    EXPECT_NO_THROW(j.next());
    EXPECT_TRUE(inspect_journal(directory).faults.empty());
}

TEST_F(JournalFaults, NoRoomForTheCursorIsAnErrorAndNoSigbus) {
    const faults::scope fault({.fallocate_errno = ENOSPC});
    EXPECT_ERROR(open(), errc::journal_io, AllOf(HasSubstr("cursor"), HasSubstr("No space left")));
}

// cases.md, 4 and 28: a disk that does not answer keeps nobody past the limit, and whoever only looks not at
// all. The call below would not return at all if it waited for the disk.
TEST_F(JournalFaults, ADiskThatDoesNotAnswerHoldsUpNobody) {
    journal j = open();
    const id before = j.next();
    faults::hold_fdatasync = true;
    pass_the_ceiling();
    EXPECT_ERROR(j.next(5ms), errc::deadline, HasSubstr("not reserved durably yet"));
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(j.try_next().error(), errc::ceiling_reached);
    const journal_status s = j.status();
    EXPECT_LE(s.ticks_left, 0);
    EXPECT_GE(s.last, slot_of(before));
    EXPECT_FALSE(s.lost);
    EXPECT_NO_THROW(inspect_journal(directory));

    std::thread patient([&] { EXPECT_GT(j.next(1h), before); });
    faults::hold_fdatasync = false;
    patient.join();
}

TEST_F(JournalFaults, HoldingTheCeilingBackHoldsBackTheIdsAndNothingElse) {
    journal j = open(100ms);
    j.next();
    faults::hold_fdatasync = true;
    // What is reserved is handed out while the extension hangs.
    wall->set(tick{wall->now().count + 90});
    EXPECT_NO_THROW(j.next());
    const until_refused spent(j);
    EXPECT_GT(spent.count, 1000U);
    EXPECT_EQ(spent.code, errc::ceiling_reached);
    EXPECT_LT(slot_of(spent.last), j.status().ceiling);
    faults::hold_fdatasync = false;
    EXPECT_GT(j.next(1h), spent.last);
}

TEST_F(JournalFaults, ATakenLockIsWaitedForWithinTheLimit) {
    journal j = open();
    bare_user other(directory, wall, detail::system_boot());
    ASSERT_TRUE(other.io().try_lock());
    pass_the_ceiling();
    EXPECT_ERROR(j.next(5ms), errc::deadline, HasSubstr("ceiling"));
    EXPECT_EQ(j.status().trouble, errc::ok);
    other.io().unlock();
    EXPECT_NO_THROW(j.next(1h));
}

TEST_F(JournalFaults, AFileSizeLimitIsAnError) {
    live::child limited([&] {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit none{.rlim_cur = 0, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &none);
        const auto seen = error_of([&] { open(); });
        return seen && seen->code() == errc::journal_io && seen->amount() == EFBIG ? 0 : 1;
    });
    EXPECT_EQ(limited.wait(), 0);
    EXPECT_NO_THROW(open().next());
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(JournalFaults, NoThreadIsAnErrorThatLeavesNoUser) {
    FIRN_SKIP_WHEN_EMULATED("a limit of memory");
    live::child limited([&] {
        pthread_attr_t large;  // threads get stacks larger than the memory that is left
        ::pthread_attr_init(&large);
        ::pthread_attr_setstacksize(&large, std::size_t{2} << 30);
        ::pthread_setattr_default_np(&large);
        const rlimit less{.rlim_cur = std::size_t{1} << 30, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_AS, &less);
        const auto seen = error_of([&] { open(); });
        if (!seen) return 1;
        if (seen->code() != errc::out_of_resources) return 2;
        return inspect_journal(directory).in_use ? 3 : 0;
    });
    EXPECT_EQ(limited.wait(), 0);
    EXPECT_NO_THROW(open().next());
}
#endif

TEST_F(JournalFaults, NoDescriptorsLeftShowsInTheStatusAndPasses) {
    live::child limited([&] {
        journal j = open();
        j.next();
        rlimit before{};
        ::getrlimit(RLIMIT_NOFILE, &before);
        const rlimit none{.rlim_cur = 3, .rlim_max = before.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &none);
        pass_the_ceiling();
        const auto seen = error_of([&] { j.next(); });
        if (!seen || seen->code() != errc::journal_io || seen->amount() != EMFILE) return 1;
        if (j.status().trouble_errno != EMFILE || j.status().lost) return 2;
        ::setrlimit(RLIMIT_NOFILE, &before);
        j.next();
        return j.status().trouble == errc::ok ? 0 : 3;
    });
    EXPECT_EQ(limited.wait(), 0);
}

// ---- real file systems, in a mount namespace of a child's own

/// Runs `run` in a child where `options` are mounted on `at`. 77: mounting is not allowed here.
template <class Run>
int with_tmpfs(const std::filesystem::path& at, const char* options, Run&& run) {
    std::filesystem::create_directories(at);
    live::child c([&] {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
            ::mount("none", at.c_str(), "tmpfs", 0, options) != 0)
            return 77;
        return static_cast<int>(run());
    });
    return c.wait();
}

TEST_F(JournalFaults, OnAFullFileSystemItSaysSo) {
    for (const char* size :
         {"size=4k", "size=8k"}) {  // too small for the records; for the cursor beside them
        const int status = with_tmpfs(directory, size, [&] {
            const auto seen = error_of([&] { open(); });
            if (!seen || seen->code() != errc::journal_io || seen->amount() != ENOSPC) return 1;
            return std::string(seen->what()).find("No space left on device") == std::string::npos ? 2 : 0;
        });
        if (status == 77) GTEST_SKIP() << "not allowed to mount";
        EXPECT_EQ(status, 0) << size;
    }
    EXPECT_EQ(with_tmpfs(directory, "size=16k",
                         [&] {
                             journal j = open();
                             j.next();
                             // Full from here on: everything that the journal will write is there already.
                             std::ofstream(directory / "filler") << std::string(100'000, 'x');
                             for (int i = 0; i < 10; ++i) {
                                 pass_the_ceiling();
                                 j.next();
                             }
                             return 0;
                         }),
              0);
}

TEST_F(JournalFaults, OnAReadOnlyFileSystemItSaysSo) {
    const int status = with_tmpfs(directory, "size=64k", [&] {
        const auto remount = [&](unsigned long flags) {
            return ::mount("none", directory.c_str(), nullptr, MS_REMOUNT | flags, nullptr) == 0;
        };
        if (!remount(MS_RDONLY)) return 77;
        auto seen = error_of([&] { open(); });
        if (!seen || seen->code() != errc::journal_io || seen->amount() != EROFS) return 1;
        directory /= "missing";
        seen = error_of([&] { open(); });
        if (!seen || seen->code() != errc::journal_io || seen->amount() != EROFS) return 2;
        directory = directory.parent_path();
        if (!remount(0)) return 77;
        { open().next(); }
        if (!remount(MS_RDONLY)) return 77;
        if (inspect_journal(directory).newest < 0) return 3;  // looking needs no writing
        return error_of([&] { open(); }) ? 0 : 4;
    });
    if (status == 77) GTEST_SKIP() << "not allowed to mount";
    EXPECT_EQ(status, 0);
}

TEST_F(JournalFaults, ADirectoryThatCannotBeWrittenSaysSo) {
    std::filesystem::create_directories(directory);
    using std::filesystem::perms;
    std::filesystem::permissions(room.path(), perms::owner_all | perms::others_read | perms::others_exec);
    std::filesystem::permissions(directory, perms::owner_read | perms::owner_exec | perms::others_exec);
    live::child somebody([&] {
        if (::geteuid() == 0 && ::seteuid(65534) != 0) return 77;  // root may write everywhere
        const auto seen = error_of([&] { open(); });
        return seen && seen->code() == errc::journal_io && seen->amount() == EACCES ? 0 : 1;
    });
    const int status = somebody.wait();
    std::filesystem::permissions(directory, perms::owner_all);
    if (status == 77) GTEST_SKIP() << "cannot be another user here";
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace firn
