// firn::service::spaces: the id spaces of a server by name, and the thread that makes and mends them.
//
// Opening a journal takes syncs and may wait for another process's lock, so it never happens on a thread that
// serves clients: they are told "not yet", and ask again.
//
//     firn::service::spaces all(settings);
//     all.open(settings.spaces[0]);                           // at the start: in this thread, throws
//     auto w = all.want("users");                             // later: w.found, or w.pending, or w.refusal
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "service/core/space.hpp"

namespace firn::service {

class spaces {
  public:
    /// Makes the state directory when it is missing. Throws firn::error (journal_io). `time` stands in for
    /// the host's clocks in tests.
    explicit spaces(const settings& s, std::shared_ptr<time_source> time = nullptr);
    ~spaces();

    /// Opens, in the calling thread. Throws firn::error; a space that is open already is returned when it was
    /// made alike, and is bad_policy otherwise.
    space& open(const space_settings& s);
    /// Opens the spaces that earlier runs left in the state directory. Returns their names. Those that cannot
    /// be opened are told in `faults`.
    std::vector<std::string> open_found(std::vector<std::string>& faults);

    struct wanted {
        space* found = nullptr;
        bool pending = false;   ///< It is being made: ask again in a moment.
        std::string refusal{};  ///< Why there is none.
        bool unknown = false;   ///< There is none of that name, and it may not be made.
    };
    /// The space of that name; begins to make it when that is allowed. Never blocks for long. Threads: any.
    wanted want(std::string_view name);
    space* find(std::string_view name) const;
    /// In order of their names. They live as long as the registry.
    std::vector<space*> all() const;

    /// Why the server as a whole is not ready, and warnings.
    std::vector<reason> reasons() const;

    const space_settings& defaults() const noexcept { return defaults_; }
    const std::filesystem::path& state() const noexcept { return state_; }
    /// Machine number of the journals that the state directory holds, when they agree on one.
    static std::uint64_t recorded_machine(const std::filesystem::path& state);

  private:
    std::shared_ptr<counter_clock> clock_for(const layout& l);
    space_settings as_recorded(const std::string& name) const;
    void work();
    void make(const std::string& name);

    const std::filesystem::path state_;
    const space_settings defaults_;
    const bool create_;
    const std::size_t max_;
    const std::chrono::microseconds life_margin_;
    std::shared_ptr<time_source> time_;

    mutable std::shared_mutex mutex_;
    std::map<std::string, std::unique_ptr<space>, std::less<>> open_;

    std::mutex opening_;  // one journal is opened at a time
    std::map<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<counter_clock>> clocks_;

    std::mutex queue_mutex_;
    std::condition_variable queue_changed_;
    std::deque<std::string> queue_;
    struct failure {
        std::string why;
        std::chrono::steady_clock::time_point until;
    };
    std::map<std::string, failure, std::less<>> failures_;
    bool stop_ = false;
    std::thread worker_;
};

}  // namespace firn::service
