// How the rows are timed: in turns, by the thread's own processor time, and as medians of ratios.
//
// The machines are shared. A subject is timed in chunks of about a tenth of a millisecond, all subjects in
// each round, so that what disturbs one disturbs the other; processor time leaves out what other processes
// take.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "firn/clock.hpp"

namespace firn::bench {

/// Keeps the compiler from dropping what a benchmark computes.
template <class T>
inline void keep(const T& value) noexcept {
    asm volatile("" : : "r,m"(value) : "memory");
}

inline std::int64_t thread_cpu_ns() noexcept {
    return detail::clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : values[values.size() / 2];
}

/// The value below which `share` of the values lie.
template <class T>
T percentile(std::vector<T> values, double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + at, values.end());
    return values[static_cast<std::size_t>(at)];
}

/// Nanoseconds per call, timed over `calls` calls.
template <class Call>
double ns_per_call(Call&& call, int calls) {
    const std::int64_t begin = thread_cpu_ns();
    for (int i = 0; i < calls; ++i) call();
    return static_cast<double>(thread_cpu_ns() - begin) / calls;
}

/// Subjects timed in turns.
class contest {
  public:
    template <class Call>
    void add(int calls, Call call) {
        subjects_.push_back([call, calls]() mutable { return ns_per_call(call, calls); });
        samples_.emplace_back();
    }
    void run(int rounds) {
        for (int r = 0; r < rounds + 1; ++r)
            for (std::size_t s = 0; s < subjects_.size(); ++s) {
                const double ns = subjects_[s]();
                if (r > 0) samples_[s].push_back(ns);  // the first round warms up
            }
    }
    double ns(std::size_t subject) const { return median(samples_[subject]); }
    /// The median of the ratios of each round.
    double ratio(std::size_t a, std::size_t b) const {
        return ratio(a, [b](const auto& at) { return at(b); });
    }
    /// … to something computed from the same round's figures.
    template <class Base>
    double ratio(std::size_t a, Base base) const {
        std::vector<double> ratios;
        ratios.reserve(samples_[a].size());
        for (std::size_t r = 0; r < samples_[a].size(); ++r)  // NOLINT(modernize-loop-convert): base needs r
            ratios.push_back(samples_[a][r] / base([&](std::size_t s) { return samples_[s][r]; }));
        return median(ratios);
    }

  private:
    std::vector<std::function<double()>> subjects_;
    std::vector<std::vector<double>> samples_;
};

inline std::string in_ns(double ns) {
    std::string text = std::to_string(ns);
    return text.substr(0, text.find('.') + 3) + " ns";
}

}  // namespace firn::bench
