// Case 18: fork duplicated ids, or hung on an inherited lock. Children, grandchildren, and children that no
// handler of pthread_atfork knows of (a bare clone), while another thread generates.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "firn/counter_clock.hpp"
#include "firn/firn.hpp"
#include "tests/support/emulated.hpp"
#include "tests/threads/crew.hpp"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FIRN_UNDER_TSAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define FIRN_UNDER_TSAN 1
#endif

namespace firn {
namespace {

#if defined(FIRN_UNDER_TSAN)
constexpr bool under_tsan = true;
#else
constexpr bool under_tsan = false;
#endif

/// Room for ids that the children see too.
class shared_ids {
  public:
    explicit shared_ids(std::size_t n) : count_(n) {
        void* page =
            ::mmap(nullptr, n * sizeof(id), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) throw std::bad_alloc{};
        ids_ = static_cast<id*>(page);
    }
    shared_ids(const shared_ids&) = delete;
    shared_ids& operator=(const shared_ids&) = delete;
    ~shared_ids() { ::munmap(ids_, count_ * sizeof(id)); }

    std::span<id> part(std::size_t i, std::size_t size) { return {ids_ + i * size, size}; }

  private:
    id* ids_ = nullptr;
    std::size_t count_;
};

using way_to_fork = pid_t (*)();

pid_t by_fork() {
    return ::fork();
}
/// No memory shared, as fork, but past the C library and its handlers.
pid_t by_clone() {
    return static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

/// ThreadSanitizer does not know of such a child, and an emulator does not wipe the page that tells of it.
constexpr bool clone_is_not_covered = under_tsan || emulated;

/// Runs `work` in a child, which ends without a word to anything that it inherited.
template <class Work>
pid_t in_child(way_to_fork fork_by, Work work) {
    const pid_t child = fork_by();
    if (child == 0) {
        work();
        ::_exit(0);
    }
    return child;
}

/// Waits for the child's end. False when it did not end well within a minute (then it is ended).
bool ended_well(pid_t child) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    pollfd ending{.fd = handle, .events = POLLIN, .revents = 0};
    const bool ended = handle >= 0 && ::poll(&ending, 1, 60'000) == 1;
    if (!ended) ::kill(child, SIGKILL);
    if (handle >= 0) ::close(handle);
    int status = -1;
    ::waitpid(child, &status, 0);
    return ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void fill(generator& g, std::span<id> out) {
    for (id& i : out) i = g.next();
}

struct setting {
    const char* name;
    order ordering;
    bool by_counter;

    friend void PrintTo(const setting& s, std::ostream* out) { *out << s.name; }
};

class fork_of : public testing::TestWithParam<setting> {
  protected:
    static constexpr std::size_t each = 10'000;
    static constexpr std::size_t children = 4;

    generator_options options() const {
        return {.layout = layouts::standard,
                .machine = 7,
                .order = GetParam().ordering,
                .clock = GetParam().by_counter
                             ? std::shared_ptr<clock>{std::make_shared<counter_clock>(layouts::standard)}
                             : std::make_shared<system_clock>(layouts::standard),
                .unsafe_own_cursor = true};
    }
};

/// Generates in a thread of its own until it is told to stop.
class busy_thread {
  public:
    explicit busy_thread(generator& g)
        : thread_([this, &g] {
              while (!stop_.load(std::memory_order_relaxed)) {
                  ids_.push_back(g.next());
                  begun_.store(true, std::memory_order_release);
              }
          }) {
        while (!begun_.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    std::vector<id> stop() {
        stop_.store(true, std::memory_order_relaxed);
        thread_.join();
        return std::move(ids_);
    }

  private:
    std::vector<id> ids_;
    std::atomic<bool> stop_{false};
    std::atomic<bool> begun_{false};
    std::thread thread_;
};

TEST_P(fork_of, a_busy_process_gives_no_duplicate_and_no_hang) {
    for (const way_to_fork fork_by : {&by_fork, &by_clone}) {
        // A thread that the sanitizer's own run time has stopped in a lock of its own stays so in the child.
        if (fork_by == &by_clone && clone_is_not_covered) continue;
        generator g{options()};
        shared_ids room{children * each};
        busy_thread another{g};
        std::vector<id> own;
        std::vector<pid_t> pids;
        for (std::size_t c = 0; c < children; ++c) {
            // In the middle of a block: what is left of it is in the child's memory, and not the child's.
            for (int i = 0; i < 37; ++i) own.push_back(g.next());
            pids.push_back(in_child(fork_by, [&] { fill(g, room.part(c, each)); }));
            ASSERT_GT(pids.back(), 0);
            for (int i = 0; i < 500; ++i) own.push_back(g.next());
        }
        for (const pid_t p : pids) EXPECT_TRUE(ended_well(p)) << "a child hung or crashed";
        std::vector<std::vector<id>> got{std::move(own), another.stop()};
        for (std::size_t c = 0; c < children; ++c) {
            const auto part = room.part(c, each);
            got.emplace_back(part.begin(), part.end());
        }
        EXPECT_EQ(repeated(got), 0U);
        EXPECT_TRUE(each_in_order(got));
    }
}

TEST_P(fork_of, a_child_that_forks_gives_no_duplicate) {
    for (const way_to_fork fork_by : {&by_fork, &by_clone}) {
        if (fork_by == &by_clone && clone_is_not_covered) continue;
        constexpr std::size_t depth = 6;
        generator g{options()};
        shared_ids room{depth * each};
        std::vector<id> own;
        for (int i = 0; i < 37; ++i) own.push_back(g.next());
        // Each generation takes some, forks the next, takes the rest while that one runs, and waits for it.
        struct generation {
            generator& g;
            shared_ids& room;
            way_to_fork fork_by;
            void run(std::size_t level) const {
                const auto mine = room.part(level, each);
                fill(g, mine.first(37));
                pid_t next = -1;
                if (level + 1 < depth) next = in_child(fork_by, [&] { run(level + 1); });
                fill(g, mine.subspan(37));
                if (next > 0 && !ended_well(next)) ::_exit(1);
            }
        };
        const generation first{g, room, fork_by};
        const pid_t child = in_child(fork_by, [&] { first.run(0); });
        for (int i = 0; i < 5000; ++i) own.push_back(g.next());
        ASSERT_TRUE(ended_well(child));
        std::vector<std::vector<id>> got{std::move(own)};
        for (std::size_t level = 0; level < depth; ++level) {
            const auto part = room.part(level, each);
            got.emplace_back(part.begin(), part.end());
        }
        EXPECT_EQ(repeated(got), 0U);
    }
}

TEST_P(fork_of, siblings_forked_in_the_middle_of_one_block_share_nothing_of_it) {
    for (const way_to_fork fork_by : {&by_fork, &by_clone}) {
        if (fork_by == &by_clone && clone_is_not_covered) continue;
        generator g{options()};
        constexpr std::size_t siblings = 20;
        shared_ids room{siblings * 50};
        std::vector<pid_t> pids;
        for (int i = 0; i < 100; ++i) (void)g.next();
        // No call of ours in between: each child inherits the very same block.
        for (std::size_t c = 0; c < siblings; ++c)
            pids.push_back(in_child(fork_by, [&] { fill(g, room.part(c, 50)); }));
        std::vector<std::vector<id>> got{take(g, 100)};
        for (const pid_t p : pids) EXPECT_TRUE(ended_well(p));
        for (std::size_t c = 0; c < siblings; ++c) {
            const auto part = room.part(c, 50);
            got.emplace_back(part.begin(), part.end());
        }
        EXPECT_EQ(repeated(got), 0U);
    }
}

INSTANTIATE_TEST_SUITE_P(all, fork_of,
                         testing::Values(setting{"strict_wall", order::strict, false},
                                         setting{"strict_counter", order::strict, true},
                                         setting{"blocks_wall", order::thread_blocks, false},
                                         setting{"blocks_counter", order::thread_blocks, true}),
                         [](const auto& tested) { return std::string{tested.param.name}; });

TEST(fork_epoch, differs_from_every_ancestors) {
    // The block's test is made of this: a child's number is no ancestor's, whatever made the child.
    for (const way_to_fork fork_by : {&by_fork, &by_clone}) {
        if (fork_by == &by_clone && clone_is_not_covered) continue;
        shared_ids seen{4};
        const auto all = seen.part(0, 4);
        all[0].value = detail::process_fork_epoch.current();
        const pid_t child = in_child(fork_by, [&] {
            all[1].value = detail::process_fork_epoch.current();
            const pid_t grandchild = in_child(fork_by, [&] {
                all[2].value = detail::process_fork_epoch.current();
                all[3].value = detail::process_fork_epoch.current();
            });
            if (!ended_well(grandchild)) ::_exit(1);
        });
        ASSERT_TRUE(ended_well(child));
        EXPECT_NE(all[0].value, 0U);
        EXPECT_NE(all[1].value, all[0].value);
        EXPECT_NE(all[2].value, all[0].value);
        EXPECT_NE(all[2].value, all[1].value);
        EXPECT_EQ(all[3].value, all[2].value);
        EXPECT_EQ(detail::process_fork_epoch.current(), all[0].value) << "ours does not change";
    }
}

}  // namespace
}  // namespace firn
