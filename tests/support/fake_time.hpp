// A host's two clocks for tests: they read what they are told.
//
//     auto host = std::make_shared<firn::fake_time>();
//     host->pass(std::chrono::seconds{1});                   // both clocks
//     host->step(std::chrono::milliseconds{-50});            // the wall only
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "firn/counter_clock.hpp"

namespace firn {

class fake_time final : public time_source {
  public:
    /// The wall begins at `wall_ms` of Unix time; the steady clock at an hour.
    explicit fake_time(std::int64_t wall_ms = 1'700'000'000'000) : wall_(wall_ms * 1'000'000) {}

    std::int64_t wall_ns() noexcept override { return wall_.load(); }
    std::int64_t steady_ns() noexcept override {
        // A thread that loses the CPU once between two readings of the clocks.
        if (const std::int64_t lost = lost_.exchange(0); lost != 0) {
            const std::int64_t read = steady_.load();
            pass(std::chrono::nanoseconds{lost});
            return read;
        }
        return steady_.load();
    }

    void pass(std::chrono::nanoseconds time) noexcept {
        wall_ += time.count();
        steady_ += time.count();
    }
    void step(std::chrono::nanoseconds by) noexcept { wall_ += by.count(); }
    /// Lets `time` pass right after the next reading of the steady clock.
    void lose_cpu(std::chrono::nanoseconds time) noexcept { lost_ = time.count(); }

  private:
    std::atomic<std::int64_t> wall_;
    std::atomic<std::int64_t> steady_{3'600'000'000'000};
    std::atomic<std::int64_t> lost_{0};
};

}  // namespace firn
