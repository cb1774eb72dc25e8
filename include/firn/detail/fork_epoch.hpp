// A number that differs in every process that fork made: what a thread keeps for itself (a block of slots) is
// void in the child. Not for users.
//
// Two mechanisms, because each has a hole: a page that the kernel wipes in the child (madvise(2),
// MADV_WIPEONFORK, Linux 4.14) also covers a bare clone(2), but an emulator may ignore the advice;
// pthread_atfork covers fork(2).
#pragma once

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace firn::detail {

class fork_epoch {
  public:
    /// Constant: there is one before any other object is made, whatever file makes it.
    constexpr fork_epoch() noexcept = default;
    fork_epoch(const fork_epoch&) = delete;
    fork_epoch& operator=(const fork_epoch&) = delete;

    /// Prepares for forks; only the first call does. Every issuer calls it, since one may be made by another
    /// object's initialiser before main; otherwise it is called before main, when there are no threads yet.
    void set_up() noexcept {
        if (prepared_.exchange(true, std::memory_order_acq_rel)) return;
        void* page = ::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page != MAP_FAILED) {
            if (::madvise(page, sizeof(std::atomic<std::uint64_t>), MADV_WIPEONFORK) == 0)
                word_ = new (page) std::atomic<std::uint64_t>{1};
            else
                ::munmap(page, sizeof(std::atomic<std::uint64_t>));
        }
        ::pthread_atfork(nullptr, &fork_epoch::has_forked, &fork_epoch::was_forked);
    }

    /// Never 0, and never a value that an ancestor of this process has had. Cost: two loads.
    std::uint64_t current() noexcept {
        const std::uint64_t seen = word_->load(std::memory_order_relaxed);
        return seen != 0 ? seen : renew();
    }

    /// What current() reads: 0 in a child that has not called it yet, so never equal to what an ancestor
    /// read.
    const std::atomic<std::uint64_t>* word() const noexcept { return word_; }
    /// How often this process has forked, as far as fork(2) tells. Cost: one load.
    std::uint64_t forks() const noexcept { return forks_.load(std::memory_order_relaxed); }

  private:
    static void has_forked() noexcept;
    static void was_forked() noexcept;

    std::uint64_t renew() noexcept {
        // `last_` is ordinary memory: the child has the parent's value, and takes the next. Threads of the
        // child that come here together agree on whichever is stored first.
        std::uint64_t expected = 0;
        const std::uint64_t fresh = last_.fetch_add(1, std::memory_order_relaxed) + 1;
        return word_->compare_exchange_strong(expected, fresh, std::memory_order_relaxed) ? fresh : expected;
    }

    std::atomic<bool> prepared_{false};
    std::atomic<std::uint64_t> ordinary_{1};  // when the system gives no page: fork(2) is still covered
    std::atomic<std::uint64_t>* word_ = &ordinary_;
    std::atomic<std::uint64_t> last_{1};
    std::atomic<std::uint64_t> forks_{0};
};

/// The process's one: no lazily made one, which would be behind a lock that a child may inherit locked.
inline constinit fork_epoch process_fork_epoch;
inline const bool fork_epoch_is_set_up = (process_fork_epoch.set_up(), true);

inline void fork_epoch::has_forked() noexcept {
    process_fork_epoch.forks_.fetch_add(1, std::memory_order_relaxed);
}
inline void fork_epoch::was_forked() noexcept {
    process_fork_epoch.word_->store(0, std::memory_order_relaxed);
}

}  // namespace firn::detail
