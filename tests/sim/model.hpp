// A second lab, slow and obvious, that shares nothing with the first but the words of a scenario: time as
// exact fractions of a millisecond, the study's two variables instead of a slot, a map of all ids.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace model {

__extension__ typedef __int128 wide;

/// An exact fraction. No overflow checks: the trials keep their numbers small.
class fraction {
  public:
    fraction(wide numerator = 0, wide denominator = 1);
    friend fraction operator+(const fraction& a, const fraction& b);
    friend fraction operator-(const fraction& a, const fraction& b);
    friend fraction operator*(const fraction& a, const fraction& b);
    friend fraction operator/(const fraction& a, const fraction& b);
    friend bool operator<(const fraction& a, const fraction& b);
    friend bool operator<=(const fraction& a, const fraction& b) { return !(b < a); }
    friend bool operator==(const fraction& a, const fraction& b);

    std::int64_t floor() const;
    std::int64_t ceil() const;

  private:
    wide n_;
    wide d_;
};

struct change {
    fraction at;    // ms
    fraction by;    // ms
    fraction over;  // ms; 0: at once
};

struct trial {
    std::string policy;      // blind, refuse, clamp
    std::string overflow;    // spin, borrow
    std::string variant;     // strict, inclusive, free-running
    std::string start_rule;  // amnesia, resume, skip
    fraction rate;           // requests per ms
    fraction duration;       // ms, as all below
    std::vector<change> changes;
    std::int64_t probe = 0;
    std::vector<fraction> deploys;
    std::vector<fraction> kills;
    int timestamp_bits = 41;
    int machine_bits = 10;
    int sequence_bits = 12;
    std::int64_t machine = 7;
    std::int64_t ahead_max = -1;  // -1: unbounded
    /// Slews are read on the nanosecond grid that true time has: arrivals and ends of waits are rounded to
    /// it.
    bool grid = false;
};

struct row {
    std::int64_t true_ns;  // floor
    std::int64_t wall_ms;
    bool issued;
    std::int64_t id;

    friend bool operator==(const row&, const row&) = default;
};

struct restart {
    std::int64_t true_ns;
    std::int64_t wall_ms;

    friend bool operator==(const restart&, const restart&) = default;
};

struct result {
    std::vector<row> rows;
    std::vector<restart> restarts;
    std::int64_t duplicates = 0;
    std::int64_t stalled_ns = 0;  // each wait rounded up
    std::int64_t borrowed = 0;
    std::int64_t ahead = 0;
    std::int64_t first_id = -1;  // of the first collision
    std::int64_t first_ns = -1;
    std::int64_t again_ns = -1;
};

result run(const trial& t);

}  // namespace model
