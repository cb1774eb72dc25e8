#include "tests/sim/model.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace model {

namespace {

wide gcd(wide a, wide b) {
    return b == 0 ? (a < 0 ? -a : a) : gcd(b, a % b);
}

const fraction ns_per_ms{1'000'000};

}  // namespace

fraction::fraction(wide numerator, wide denominator) {
    const wide g = gcd(numerator, denominator);
    const wide sign = denominator < 0 ? -1 : 1;
    n_ = numerator / g * sign;
    d_ = denominator / g * sign;
}
fraction operator+(const fraction& a, const fraction& b) {
    return {a.n_ * b.d_ + b.n_ * a.d_, a.d_ * b.d_};
}
fraction operator-(const fraction& a, const fraction& b) {
    return {a.n_ * b.d_ - b.n_ * a.d_, a.d_ * b.d_};
}
fraction operator*(const fraction& a, const fraction& b) {
    return {a.n_ * b.n_, a.d_ * b.d_};
}
fraction operator/(const fraction& a, const fraction& b) {
    return {a.n_ * b.d_, a.d_ * b.n_};
}
bool operator<(const fraction& a, const fraction& b) {
    return a.n_ * b.d_ < b.n_ * a.d_;
}
bool operator==(const fraction& a, const fraction& b) {
    return a.n_ == b.n_ && a.d_ == b.d_;
}
std::int64_t fraction::floor() const {
    wide q = n_ / d_;
    if (n_ % d_ < 0) --q;
    return static_cast<std::int64_t>(q);
}
std::int64_t fraction::ceil() const {
    return -(fraction{-n_, d_}.floor());
}

namespace {

fraction smaller(const fraction& a, const fraction& b) {
    return a < b ? a : b;
}
fraction larger(const fraction& a, const fraction& b) {
    return a < b ? b : a;
}

class clock {
  public:
    clock(const std::vector<change>& changes, bool grid) : changes_(changes), grid_(grid) {}

    fraction exact(const fraction& t) const {
        fraction sum = t;
        for (const change& c : changes_) {
            if (t < c.at) continue;
            const bool at_once = c.over == fraction{0};
            sum = sum + (at_once ? c.by : c.by * smaller(t - c.at, c.over) / c.over);
        }
        return sum;
    }
    std::int64_t read(const fraction& t) const { return exact(t).floor(); }

    /// The first time from `from` on at which it reads `wanted` or more.
    fraction when(std::int64_t wanted, const fraction& from) const {
        std::vector<fraction> bends{from};
        for (const change& c : changes_) {
            bends.push_back(c.at);
            bends.push_back(c.at + c.over);
        }
        std::sort(bends.begin(), bends.end());
        std::optional<fraction> best;
        for (std::size_t i = 0; i < bends.size(); ++i) {
            const fraction a = bends[i];
            if (a < from) continue;
            fraction candidate = a;
            if (exact(a) < fraction{wanted}) {
                // Straight from here to the next bend: two points of it give the rest.
                const bool last = i + 1 == bends.size();
                if (!last && bends[i + 1] == a) continue;
                const fraction probe = last ? a + fraction{1} : (a + bends[i + 1]) / fraction{2};
                const fraction slope = (exact(probe) - exact(a)) / (probe - a);
                if (slope == fraction{0}) continue;
                candidate = a + (fraction{wanted} - exact(a)) / slope;
                if (grid_) candidate = fraction{(candidate * ns_per_ms).ceil()} / ns_per_ms;
                if (!last && bends[i + 1] <= candidate) continue;
            }
            if (!best || candidate < *best) best = candidate;
        }
        return best.value();
    }

  private:
    const std::vector<change>& changes_;
    bool grid_;
};

struct answer {
    enum { issue, refuse, wait } what = refuse;
    std::int64_t id = -1;
    std::int64_t ms = 0;  // of the id, or to wait for
    bool borrowed = false;
};

/// The generator as the study words it: the last millisecond used, and the sequence number spent in it.
class generator {
  public:
    explicit generator(const trial& t) : t_(t) {}

    void forget() {
        last_ = -1;
        seq_ = -1;
        used_ = 0;
    }
    void remember(std::int64_t ms) {
        last_ = ms;
        seq_ = 0;
        used_ = 1;
    }

    answer next(std::int64_t wall) {
        const std::int64_t per_ms = std::int64_t{1} << t_.sequence_bits;
        std::int64_t now = wall;
        const bool rewound = t_.variant == "inclusive" ? now <= last_ : now < last_;
        if (rewound && t_.policy == "refuse") return {};
        if (rewound && t_.policy == "clamp") now = last_;
        if (now < 0) return {};
        if (too_far_ahead(now, wall)) return {};

        const bool free = t_.variant == "free-running";
        if (now != last_) return issue(now, free ? (seq_ + 1) % per_ms : 0, 1, false);
        if (used_ < per_ms) return issue(now, (seq_ + 1) % per_ms, used_ + 1, false);
        if (t_.overflow == "spin") return {answer::wait, -1, last_ + 1, false};
        if (too_far_ahead(last_ + 1, wall)) return {};
        return issue(last_ + 1, free ? (seq_ + 1) % per_ms : 0, 1, true);
    }

  private:
    bool too_far_ahead(std::int64_t ms, std::int64_t wall) const {
        return t_.ahead_max >= 0 && ms - wall > t_.ahead_max;
    }
    answer issue(std::int64_t ms, std::int64_t seq, std::int64_t used, bool borrowed) {
        if (ms >> t_.timestamp_bits != 0) return {};  // the field has run out
        last_ = ms;
        seq_ = seq;
        used_ = used;
        const std::int64_t id =
            ((ms << t_.machine_bits) + t_.machine) * (std::int64_t{1} << t_.sequence_bits) + seq;
        return {answer::issue, id, ms, borrowed};
    }

    const trial& t_;
    std::int64_t last_ = -1;
    std::int64_t seq_ = -1;
    std::int64_t used_ = 0;
};

}  // namespace

result run(const trial& t) {
    result r;
    const clock wall{t.changes, t.grid};
    generator process{t};
    std::map<std::int64_t, std::int64_t> first_issued;  // id → true ns
    std::int64_t highest = -1;
    std::int64_t failures = 0;
    std::vector<fraction> deploys = t.deploys;
    std::vector<fraction> kills = t.kills;
    std::sort(deploys.begin(), deploys.end());
    std::sort(kills.begin(), kills.end());
    const auto in_ns = [](const fraction& ms) { return (ms * ns_per_ms).floor(); };
    const auto replace = [&](const fraction& when) {
        r.restarts.push_back({in_ns(when), wall.read(when)});
        failures = 0;
        if (t.start_rule == "amnesia") process.forget();
        if (t.start_rule == "resume") process.remember(highest);
        if (t.start_rule == "skip") process.remember(highest + 1);
    };

    fraction done{0};
    const std::int64_t offered = (t.rate * t.duration).floor();
    for (std::int64_t i = 0; i < offered; ++i) {
        fraction arrival = fraction{i} / t.rate;
        if (t.grid) arrival = fraction{in_ns(arrival)} / ns_per_ms;
        fraction now = larger(arrival, done);
        while (!kills.empty() && kills.front() <= now) {
            replace(kills.front());
            kills.erase(kills.begin());
        }
        while (!deploys.empty() && deploys.front() <= now) {
            replace(now);
            deploys.erase(deploys.begin());
        }

        const fraction start = now;
        answer a = process.next(wall.read(now));
        bool killed = false;
        if (a.what == answer::wait) {
            now = wall.when(a.ms, now);
            if (!kills.empty() && kills.front() < now) {
                killed = true;
                now = kills.front();
                kills.erase(kills.begin());
            } else {
                a = process.next(wall.read(now));
            }
            r.stalled_ns += ((now - start) * ns_per_ms).ceil();
        }
        done = now;

        const std::int64_t reading = wall.read(now);
        const bool issued = a.what == answer::issue;
        r.rows.push_back({in_ns(now), reading, issued, issued ? a.id : -1});
        if (killed) {
            replace(now);
        } else if (!issued) {
            if (++failures == t.probe) replace(now);
        } else {
            failures = 0;
            highest = std::max(highest, a.ms);
            r.borrowed += a.borrowed ? 1 : 0;
            r.ahead = std::max(r.ahead, a.ms - reading);
            const auto [where, fresh] = first_issued.emplace(a.id, in_ns(now));
            if (!fresh && ++r.duplicates == 1) {
                r.first_id = a.id;
                r.first_ns = where->second;
                r.again_ns = in_ns(now);
            }
        }
    }
    return r;
}

}  // namespace model
