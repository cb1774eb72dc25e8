// What listens to a run (simulate.hpp): one observer for each thing that someone wants to know of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/id_set.hpp"
#include "lab/records.hpp"
#include "lab/simulate.hpp"
#include "lab/verdict.hpp"

namespace firn::lab {

/// Hears everything and does nothing; the others say what they are interested in.
struct silent_observer {
    static constexpr bool done() noexcept { return false; }
    void issued(const grant&) noexcept {}
    void refused(std::int64_t, std::int64_t) noexcept {}
    void stalled(std::int64_t) noexcept {}
    void restarted(std::int64_t, std::int64_t) noexcept {}
};

/// Counts. Of the first collision it knows what and when, but not when that id was issued first.
class judge_observer : public silent_observer {
  public:
    void issued(const grant& g) {
        ++found_.issued;
        if (!seen_.add(g.id.value)) [[unlikely]]
            repeated(g);
        if (g.tick > g.wall_ms) {
            found_.ahead_ms = std::max(found_.ahead_ms, g.tick - g.wall_ms);
            // Past the wall and past where the cursor was: only an overflow leads there.
            if (g.tick > g.previous) ++found_.borrowed;
        }
    }
    void refused(std::int64_t, std::int64_t) noexcept { ++found_.refused; }
    void stalled(std::int64_t ns) noexcept { found_.stalled_ns += ns; }
    void restarted(std::int64_t true_ns, std::int64_t wall_ms) {
        ++found_.restarts;
        found_.restart_log.push_back({true_ns, wall_ms});
    }

    verdict take() {
        found_.offered = found_.issued + found_.refused;
        return std::move(found_);
    }

  private:
    void repeated(const grant& g) {
        if (++found_.duplicates == 1) found_.first_duplicate = collision{g.id, 0, g.true_ns};
    }

    verdict found_;
    id_set seen_;
};

/// When was `wanted` issued first? Ends the run there.
class first_issue_observer : public silent_observer {
  public:
    explicit first_issue_observer(firn::id wanted) : wanted_(wanted) {}
    bool done() const noexcept { return found_ns_.has_value(); }
    void issued(const grant& g) noexcept {
        if (g.id == wanted_) found_ns_ = g.true_ns;
    }
    std::optional<std::int64_t> found_ns() const noexcept { return found_ns_; }

  private:
    firn::id wanted_;
    std::optional<std::int64_t> found_ns_;
};

/// Every id with its true time, in order of issue.
struct collecting_observer : silent_observer {
    struct issue {
        std::int64_t true_ns;
        std::uint64_t id;
    };
    std::vector<issue> issues;

    void issued(const grant& g) { issues.push_back({g.true_ns, g.id.value}); }
};

/// Streams to a CSV file.
class recording_observer : public silent_observer {
  public:
    explicit recording_observer(records& rows) : rows_(rows) {}
    void issued(const grant& g) { rows_.issued(g.true_ns, g.wall_ms, g.id); }
    void refused(std::int64_t true_ns, std::int64_t wall_ms) { rows_.refused(true_ns, wall_ms); }

  private:
    records& rows_;
};

/// Tells two observers, the first one first.
template <class First, class Second>
class both_observer {
  public:
    both_observer(First& first, Second& second) : first_(first), second_(second) {}
    bool done() const noexcept { return first_.done() && second_.done(); }
    void issued(const grant& g) {
        first_.issued(g);
        second_.issued(g);
    }
    void refused(std::int64_t true_ns, std::int64_t wall_ms) {
        first_.refused(true_ns, wall_ms);
        second_.refused(true_ns, wall_ms);
    }
    void stalled(std::int64_t ns) {
        first_.stalled(ns);
        second_.stalled(ns);
    }
    void restarted(std::int64_t true_ns, std::int64_t wall_ms) {
        first_.restarted(true_ns, wall_ms);
        second_.restarted(true_ns, wall_ms);
    }

  private:
    First& first_;
    Second& second_;
};

}  // namespace firn::lab
