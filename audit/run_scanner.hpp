// firn::audit::run_scanner: reads sorted keys and tells which repeat and how full each machine's fullest tick
// was.
//
//     run_scanner scan{space, layout, machines, 20};
//     scan.feed(sorted);                        // ascending, also from one call to the next
//     scan.finish();
//     scan.distinct();  scan.duplicates();
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/key_space.hpp"
#include "audit/machine_table.hpp"
#include "audit/repeats.hpp"

namespace firn::audit {

/// The tick in which a machine issued the most distinct ids. Only ticks with 2 and more are looked at.
struct fullest_tick {
    std::uint64_t ids = 0;
    std::int64_t tick = 0;

    /// Of equals the earlier one: which thread came first must not show.
    void take(const fullest_tick& other) noexcept {
        if (other.ids > ids || (other.ids == ids && other.tick < tick)) *this = other;
    }
};

class run_scanner {
  public:
    run_scanner(const layout& l, const machine_table& machines, std::size_t show)
        : layout_(l), space_(l), machines_(machines), repeats_(show), fullest_(machines.histories().size()) {}

    void feed(std::span<const std::uint64_t> sorted);
    /// The same as feed() of `count` equal keys.
    void feed_repeated(std::uint64_t key, std::uint64_t count);
    /// The end of what was fed. Other keys, greater or smaller, of other groups, may follow.
    void finish();

    /// Adds what another scanner found in other groups.
    void merge(const run_scanner& other);

    std::uint64_t distinct() const noexcept { return distinct_; }
    std::uint64_t duplicates() const noexcept { return duplicates_; }
    std::uint64_t repeated() const noexcept { return repeated_; }
    repeat_list& repeats() noexcept { return repeats_; }
    /// By machine_table::index_of.
    const std::vector<fullest_tick>& fullest() const noexcept { return fullest_; }

  private:
    void start(std::uint64_t key) noexcept;
    void end_run();
    void end_group();

    layout layout_;
    key_space space_;
    const machine_table& machines_;
    repeat_list repeats_;
    std::vector<fullest_tick> fullest_;
    std::uint64_t distinct_ = 0;
    std::uint64_t duplicates_ = 0;
    std::uint64_t repeated_ = 0;
    std::uint64_t key_ = 0;
    std::uint64_t count_ = 0;  // Of key_ in the run; 0 before the first.
    std::uint64_t in_group_ = 0;
};

}  // namespace firn::audit
