// firn::cli::progress_bar: a line on a terminal's stderr that says how far something is.
//
// On anything but a terminal it does nothing. Not for output that scripts read.
//
//     progress_bar bar{[&] { return progress_state{"reading", done, total}; }};
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace firn::cli {

struct progress_state {
    std::string what;
    std::uint64_t done = 0;
    std::uint64_t total = 0;  ///< 0: unknown.
    std::string note{};       ///< Shown after the bar; without a total, in place of `done` in MiB.
};

class progress_bar {
  public:
    /// Asks `state` a few times a second, from a thread of its own, until it is destroyed.
    explicit progress_bar(std::function<progress_state()> state);
    /// Clears the line.
    ~progress_bar();
    progress_bar(const progress_bar&) = delete;
    progress_bar& operator=(const progress_bar&) = delete;

  private:
    void draw();

    std::function<progress_state()> state_;
    std::mutex mutex_;
    std::condition_variable ended_changed_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace firn::cli
