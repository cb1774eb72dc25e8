// firn::service::context: what the engines of all connections share.
//
//     firn::service::context c(settings, spaces);
//     auto e = firn::service::make_resp_engine(c, {});
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

#include "service/core/spaces.hpp"
#include "service/settings.hpp"

namespace firn::service {

/// What the listeners count. All since the start, but for `open`.
struct connection_counters {
    std::atomic<std::uint64_t> accepted{0};
    std::atomic<std::uint64_t> open{0};
    std::atomic<std::uint64_t> over_bound{0};     ///< Refused: too many connections.
    std::atomic<std::uint64_t> no_descriptor{0};  ///< Refused: no descriptor left (EMFILE, ENFILE).
    std::atomic<std::uint64_t> idle{0};           ///< Closed: no request for too long.
    std::atomic<std::uint64_t> slow{0};           ///< Closed: a request or a reply took too long.
    std::atomic<std::uint64_t> protocol_errors{0};
};

struct protocol_counters {
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> errors{0};
};

class context {
  public:
    context(const settings& s, firn::service::spaces& all) : spaces(all), settings_(s), limits_(s.bounds) {}

    firn::service::spaces& spaces;
    connection_counters connections;
    protocol_counters resp;
    protocol_counters http;
    const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    std::atomic<bool> draining{false};

    /// Bounds may change while the server runs; each connection asks once per batch.
    limits bounds() const {
        const std::shared_lock reading(mutex_);
        return limits_;
    }
    void set_bounds(const limits& l) {
        const std::unique_lock alone(mutex_);
        limits_ = l;
        bounds_changed.fetch_add(1, std::memory_order_release);
    }
    std::atomic<std::uint64_t> bounds_changed{0};

    bool asks_for_token() const {
        const std::shared_lock reading(mutex_);
        return !settings_.token.empty();
    }
    /// Compares in a time that does not depend on where the two differ.
    bool is_token(std::string_view given) const {
        const std::shared_lock reading(mutex_);
        const std::string& token = settings_.token;
        unsigned difference = given.size() == token.size() ? 0U : 1U;
        for (std::size_t i = 0; i < token.size(); ++i) {
            const char c = i < given.size() ? given[i] : '\0';
            difference |= static_cast<unsigned char>(c) ^ static_cast<unsigned char>(token[i]);
        }
        return difference == 0 && !token.empty();
    }
    void set_token(std::string token) {
        const std::unique_lock alone(mutex_);
        settings_.token = std::move(token);
    }

    /// Every reason, and every warning, of the moment.
    std::vector<reason> reasons() const {
        std::vector<reason> all = spaces.reasons();
        if (draining.load(std::memory_order_relaxed))
            all.push_back({"draining", "", "the server is about to stop; use another"});
        return all;
    }

    /// Now, for waits; tests put their own here.
    std::function<std::chrono::steady_clock::time_point()> now = [] {
        return std::chrono::steady_clock::now();
    };

  private:
    settings settings_;
    mutable std::shared_mutex mutex_;
    limits limits_;
};

}  // namespace firn::service
