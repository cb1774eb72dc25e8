// The supervisor: says when a process is replaced. A probe that counts failures, deploys, kills.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "lab/scenario.hpp"

namespace firn::lab {

class supervisor {
  public:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    explicit supervisor(const scenario& s) : threshold_(s.probe), deploys_(s.deploys_ns), kills_(s.kills_ns) {
        std::sort(deploys_.begin(), deploys_.end());
        std::sort(kills_.begin(), kills_.end());
        find_next();
    }

    /// The first true time at which something is due that the probe has no part in.
    std::int64_t due_ns() const noexcept { return due_ns_; }
    std::int64_t next_kill_ns() const noexcept {
        return next_kill_ < kills_.size() ? kills_[next_kill_] : never;
    }

    /// Takes what is due by `now_ns`, and returns the true time of the restart: a kill happens at its own
    /// time, a deploy just before the request that starts at `now_ns`. Requires due_ns() <= now_ns.
    std::int64_t take(std::int64_t now_ns) noexcept {
        failures_ = 0;
        std::int64_t at = now_ns;
        if (next_kill_ns() <= now_ns)
            at = kills_[next_kill_++];
        else
            ++next_deploy_;
        find_next();
        return at;
    }

    void succeeded() noexcept { failures_ = 0; }

    /// Counts a failed request. Returns whether it is the one too many.
    bool failed() noexcept {
        if (threshold_ == 0 || ++failures_ < threshold_) return false;
        failures_ = 0;
        return true;
    }

  private:
    void find_next() noexcept {
        due_ns_ = std::min(next_deploy_ < deploys_.size() ? deploys_[next_deploy_] : never, next_kill_ns());
    }

    std::uint64_t threshold_;
    std::uint64_t failures_ = 0;
    std::vector<std::int64_t> deploys_;
    std::vector<std::int64_t> kills_;
    std::size_t next_deploy_ = 0;
    std::size_t next_kill_ = 0;
    std::int64_t due_ns_ = never;
};

}  // namespace firn::lab
