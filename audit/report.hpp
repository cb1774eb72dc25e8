// firn::audit::report: what an audit found.
//
//     report r = run(options, stop);
//     r.ids; r.duplicates; r.repeats[0].places[0].line;
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firn/instant.hpp"
#include "firn/layout.hpp"

namespace firn::audit {

struct place_report {
    std::string file;
    std::uint64_t line = 0;  ///< From 1; of raw input the number of the record.
};

struct repeat_report {
    std::uint64_t id = 0;
    std::uint64_t count = 0;
    std::vector<place_report> places{};  ///< The first ones, in the order of the input.
};

/// The ids by their remainder modulo a number of shards.
struct shard_report {
    std::uint32_t shards = 0;
    std::uint32_t remainder = 0;  ///< The one that most ids have.
    std::uint64_t ids = 0;        ///< How many have it.
    double ratio = 0;             ///< Of that to the fair share.
    bool skewed = false;          ///< More than a fifth above it, and by more than chance.
};

struct machine_report {
    std::uint64_t machine = 0;
    std::uint64_t ids = 0;
    double share = 0;                 ///< Of the ids that the layout can read.
    std::uint64_t out_of_order = 0;   ///< Ids smaller than an earlier one of the same machine.
    std::uint64_t rewinds = 0;        ///< How often its tick was smaller than that of its id before.
    std::int64_t largest_rewind = 0;  ///< In ticks.
    std::uint64_t fullest = 0;        ///< The most distinct ids in one tick.
    std::optional<std::int64_t> fullest_tick{};  ///< The first such tick; none when no tick had two ids.
};

struct report {
    std::uint64_t ids = 0;
    std::uint64_t duplicates = 0;          ///< ids minus distinct ids.
    std::uint64_t repeated = 0;            ///< Distinct ids that stand there more than once.
    std::uint64_t skipped = 0;             ///< Records that are no ids.
    std::vector<repeat_report> repeats{};  ///< The smallest ids that repeat, ascending.
    /// The inputs gave other ids when they were read again to find the places.
    bool input_changed = false;

    std::uint64_t smallest = 0;  ///< 0 when there are no ids; so is `largest`.
    std::uint64_t largest = 0;
    std::vector<shard_report> shards{};  ///< 2, 4, … 1024.

    // From here on, read by the layout.
    firn::layout layout{};
    std::uint64_t outside = 0;  ///< Ids that it cannot have made: a reserved bit is set. Not in what follows.
    std::optional<tick> first{};  ///< None when it can read no id.
    std::optional<tick> last{};
    std::uint64_t future = 0;  ///< Ids whose tick is past now.
    instant now{};
    std::uint64_t out_of_order = 0;  ///< Of all machines together, as are the next two.
    std::uint64_t rewinds = 0;
    std::int64_t largest_rewind = 0;
    std::vector<machine_report> machines{};    ///< By number; only those with ids.
    std::uint64_t machines_untracked_ids = 0;  ///< Ids of machines beyond the number that is told apart.

    // What it took.
    std::uint64_t spilled_bytes = 0;
    unsigned threads = 0;
};

}  // namespace firn::audit
