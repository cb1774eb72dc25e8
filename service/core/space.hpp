// firn::service::space: one named stream of ids: a journal, its clock, and what was seen of them.
//
// Never blocks: whoever asks for ids is told how long to wait, and waits in its own way. When not to use it:
// in a program of one stream; firn/journal.hpp is all that needs.
//
//     firn::service::space orders(settings.named("orders"), "state/orders", clock);
//     auto t = orders.take(ids);                      // t.count of them, and why no more
//     if (t.code != firn::errc::ok) retry_after(orders.pause(t));
//     for (const auto& r : orders.reasons(margin)) std::cout << r.code << ": " << r.text << '\n';
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "firn/counter_clock.hpp"
#include "firn/journal.hpp"
#include "service/settings.hpp"

namespace firn::service {

/// Why something is not ready, or (a warning) soon may not be.
struct reason {
    std::string code;   ///< One word for machines: "ahead_limit".
    std::string space;  ///< Empty: the whole server.
    std::string text;   ///< What was seen, the bound, the way out.
    bool warning = false;
};

/// What a call got.
struct taken {
    std::size_t count = 0;
    errc code = errc::ok;  ///< Why there were no more; ok when all were given.
    std::int64_t amount = 0;
};

/// Ids first, first + step, ... `count` of them.
struct id_range {
    id first;
    std::size_t count = 0;
    std::uint64_t step = 0;
    errc code = errc::ok;
    std::int64_t amount = 0;
};

class space {
  public:
    /// Opens the journal. Throws firn::error as journal::open does. `host_clock` counts the layout's ticks.
    space(space_settings s, std::filesystem::path directory, std::shared_ptr<counter_clock> host_clock);
    ~space();
    space(const space&) = delete;
    space& operator=(const space&) = delete;

    const std::string& name() const noexcept { return settings_.name; }
    const layout& layout_of() const noexcept { return settings_.ids.layout; }
    std::uint64_t machine() const noexcept { return settings_.ids.machine; }
    const space_settings& how() const noexcept { return settings_; }

    /// Fills `out` from its front, as far as that goes without waiting. Threads: any.
    taken take(std::span<id> out) noexcept;
    /// From 1 to `want` ids that one step apart: never past the end of a tick, so it may be fewer.
    id_range take_range(std::size_t want) noexcept;

    /// Whether waiting may help, and how long until it is worth asking again; 0: it will not help.
    std::chrono::nanoseconds pause(const taken& t) noexcept;
    /// Counts a command that got no id (or not all), and remembers whether it had to give up on the
    /// reservation.
    void count_refusal(errc code) noexcept;
    void count_wait(std::chrono::nanoseconds waited) noexcept;
    /// What to tell the client, in one line.
    std::string explain(errc code, std::int64_t amount) const;

    /// All that stands in the way of ids now, and what soon may. Threads: any. Never blocks.
    std::vector<reason> reasons(std::chrono::microseconds life_margin);
    bool ready(std::chrono::microseconds life_margin);

    /// Asks a journal in trouble again, on behalf of nobody, so that it recovers without traffic; opens it
    /// anew when its trouble is for good but the disk may be well again. From the maintenance thread.
    void mend() noexcept;

    struct figures {
        std::uint64_t issued = 0;
        std::vector<std::pair<errc, std::uint64_t>> refused;
        std::uint64_t waits = 0;
        std::uint64_t waited_ns = 0;
        std::uint64_t reopened = 0;
        std::int64_t ahead_us = 0;
        std::int64_t ceiling_us = 0;  ///< From the cursor or the wall, whichever is later.
        journal_status journal;
        clock_counters clock;
        instant now;
    };
    figures look();

  private:
    static constexpr std::size_t codes = 70;

    journal& ids() noexcept { return *current_.load(std::memory_order_acquire); }
    bool stalled() const noexcept { return stalled_.load(std::memory_order_relaxed); }

    space_settings settings_;
    std::filesystem::path directory_;
    std::shared_ptr<counter_clock> clock_;
    std::atomic<journal*> current_{nullptr};

    std::mutex journals_mutex_;
    std::vector<std::unique_ptr<journal>> journals_;  // the last is the one in use; others are lost ones
    std::chrono::steady_clock::time_point reopened_at_{};

    alignas(64) std::atomic<std::uint64_t> issued_{0};
    std::atomic<bool> stalled_{false};
    alignas(64) std::array<std::atomic<std::uint64_t>, codes> refused_{};
    std::atomic<std::uint64_t> waits_{0};
    std::atomic<std::uint64_t> waited_ns_{0};
    std::atomic<std::uint64_t> reopened_{0};
};

}  // namespace firn::service
