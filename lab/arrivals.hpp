// When requests are offered: streams of true times that do not decrease.
//
//     for (lab::even_arrivals next{s}; std::optional<std::int64_t> ns = next(); ) …
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/random.hpp"
#include "lab/scenario.hpp"

namespace firn::lab {

/// The i-th at floor(i / rate) ns, counted on without a division.
class even_arrivals {
  public:
    explicit even_arrivals(const scenario& s) : left_(s.offered()), requests_(s.rate.requests) {
        const int128 gap = int128{s.rate.per_ms} * ns_per_ms;
        gap_ns_ = static_cast<std::int64_t>(gap / requests_);
        gap_rest_ = static_cast<std::int64_t>(gap % requests_);
    }

    /// The next arrival; nothing after the last.
    std::optional<std::int64_t> operator()() noexcept {
        if (left_ == 0) return std::nullopt;
        --left_;
        const std::int64_t now = at_ns_;
        at_ns_ += gap_ns_;
        rest_ += gap_rest_;
        if (rest_ >= requests_) {
            rest_ -= requests_;
            ++at_ns_;
        }
        return now;
    }

  private:
    std::int64_t left_;
    std::int64_t requests_;
    std::int64_t gap_ns_ = 0;
    std::int64_t gap_rest_ = 0;  // in units of 1/requests_ ns, as rest_
    std::int64_t at_ns_ = 0;
    std::int64_t rest_ = 0;
};

/// Uniform over the duration, sorted; holds all of them in memory.
class random_arrivals {
  public:
    explicit random_arrivals(const scenario& s) : at_ns_(static_cast<std::size_t>(s.offered())) {
        random_stream numbers{s.seed};
        for (std::int64_t& at : at_ns_)
            at = static_cast<std::int64_t>(numbers.below(static_cast<std::uint64_t>(s.duration_ns)));
        std::sort(at_ns_.begin(), at_ns_.end());
    }

    std::optional<std::int64_t> operator()() noexcept {
        if (next_ == at_ns_.size()) return std::nullopt;
        return at_ns_[next_++];
    }

  private:
    std::vector<std::int64_t> at_ns_;
    std::size_t next_ = 0;
};

}  // namespace firn::lab
