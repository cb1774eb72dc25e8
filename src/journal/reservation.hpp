// Keeps a journal's ceiling ahead of its use: opens it, extends it from a background thread, closes it.
//
// Not for users: journal.hpp. One per journal object. After a fork the child gets a thread and locks of its
// own with the first call that needs them: the parent's may be held by a thread that does not exist there.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "firn/journal.hpp"
#include "src/journal/extension.hpp"
#include "src/journal/files.hpp"
#include "src/journal/protocol.hpp"

namespace firn::detail {

class reservation {
  public:
    /// Opens the journal. Throws as journal::open says.
    reservation(const std::filesystem::path& directory, const journal_terms& terms, std::shared_ptr<clock> c);
    reservation(const reservation&) = delete;
    reservation& operator=(const reservation&) = delete;
    /// A clean stop.
    ~reservation();

    cursor_words& words() noexcept { return *words_; }

    /// Wakes the background thread. Cost: one system call at most. Threads: any.
    void kick() noexcept;
    /// Waits, at most `limit`, for the background thread to extend. Returns the time spent; throws when it
    /// could not, and why.
    std::chrono::nanoseconds extend(std::chrono::nanoseconds limit);

    /// ok, or why the ceiling cannot be raised for good.
    errc lost() const noexcept { return lost_.load(std::memory_order_acquire); }
    int trouble_errno() const noexcept { return trouble_errno_.load(std::memory_order_relaxed); }
    journal_status status() const noexcept;

  private:
    struct worker;

    worker& this_process();
    void start_thread(worker& w);
    static void wake(worker& w) noexcept;
    static void kick(worker& w) noexcept;
    void work(worker& w) noexcept;
    void look_ahead(worker& w) noexcept;
    /// Tries an extension and notes how it went. False: another process keeps the lock.
    bool try_extend(worker& w) noexcept;
    void note_trouble(errc code, int number, bool for_good) noexcept;
    void close(worker& w) noexcept;
    outlook look(slot cursor) const noexcept;
    [[noreturn]] void throw_trouble(errc code) const;

    std::filesystem::path directory_;
    journal_terms terms_;
    std::shared_ptr<clock> clock_;
    cursor_words* words_ = nullptr;
    std::atomic<worker*> worker_{nullptr};
    bool continued_ = false;

    std::atomic<errc> lost_{errc::ok};
    std::atomic<errc> trouble_{errc::ok};
    std::atomic<int> trouble_errno_{0};
    std::atomic<std::uint64_t> extensions_{0};
    std::atomic<std::int64_t> last_extension_ns_{0};
    std::atomic<std::int64_t> longest_extension_ns_{0};
};

}  // namespace firn::detail
