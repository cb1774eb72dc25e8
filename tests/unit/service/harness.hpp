// A service without sockets for tests: spaces in a scratch directory, a clock that tests set, one connection.
//
//     harness h;
//     h.open("orders");
//     EXPECT_EQ(h.say("PING\r\n"), "+PONG\r\n");
//     h.time->step(-60'000);                               // the wall, by milliseconds
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "service/context.hpp"
#include "service/engine.hpp"

namespace firn::service::test {

/// Wall and steady time as tests want them. Frozen unless advanced.
class manual_time final : public time_source {
  public:
    std::int64_t wall_ns() noexcept override { return wall_; }
    std::int64_t steady_ns() noexcept override { return steady_; }
    /// Time passes.
    void pass(std::int64_t ms) noexcept {
        wall_ += ms * 1'000'000;
        steady_ += ms * 1'000'000;
    }
    /// Somebody sets the clock.
    void step(std::int64_t ms) noexcept { wall_ += ms * 1'000'000; }

  private:
    std::atomic<std::int64_t> wall_{1'790'000'000'000'000'000};  // 2026-09-21
    std::atomic<std::int64_t> steady_{1'000'000'000'000};
};

class scratch_directory {
  public:
    scratch_directory() {
        std::string name =
            (std::filesystem::temp_directory_path() / ("firn-service-" + std::string(6, 'X'))).string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
        path_ = name;
    }
    ~scratch_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;
    const std::filesystem::path& path() const noexcept { return path_; }

  private:
    std::filesystem::path path_;
};

inline settings settings_in(const std::filesystem::path& state) {
    settings s;
    s.state = state;
    s.defaults.ids.machine = 7;
    return s;
}

class harness {
  public:
    explicit harness(bool http = false) : harness(http, [](settings&) {}) {}

    template <class Change>
    harness(bool http, Change change) {
        how.bounds.wait = std::chrono::seconds{5};  // real time: a loaded machine must not fail a test
        change(how);
        all = std::make_unique<spaces>(how, time);
        shared = std::make_unique<context>(how, *all);
        reconnect(http);
    }

    /// A clock of its own for waiting: every look at it is 10 ms later, so that limits are reached without
    /// anybody waiting.
    void hurry() {
        shared->now = [this] { return waiting += std::chrono::milliseconds{10}; };
    }

    void calm() {
        shared->now = [] { return std::chrono::steady_clock::now(); };
    }

    void reconnect(bool http) {
        peer who{.id = 1, .address = "test"};
        connection = http ? make_http_engine(*shared, who) : make_resp_engine(*shared, who);
        kept.clear();
    }

    space& open(const std::string& name) { return all->open(how.defaults.named(name)); }

    /// Sends bytes; returns the replies. Goes on while the engine asks to be called again, and waits for
    /// spaces that are being made.
    std::string say(std::string_view bytes) {
        kept.append(bytes);
        std::string replies;
        for (;;) {
            byte_buffer out;
            last = connection->run(kept, out);
            kept.erase(0, last.consumed);
            replies.append(out.view());
            if (last.what == verdict::hungry || last.what == verdict::close) return replies;
            if (last.what == verdict::wait) {
                ++waits;
                std::this_thread::yield();
                if (stop_at_wait) return replies;
            }
        }
    }

    scratch_directory directory;
    settings how = settings_in(directory.path() / "state");
    std::shared_ptr<manual_time> time = std::make_shared<manual_time>();
    std::unique_ptr<spaces> all;
    std::unique_ptr<context> shared;
    std::unique_ptr<engine> connection;
    std::string kept;
    progress last;
    int waits = 0;
    bool stop_at_wait = false;
    std::chrono::steady_clock::time_point waiting{};
};

}  // namespace firn::service::test
