// firn::audit::resolve: sorts each partition of a store and scans it, on all cores, within bounded memory.
//
// A partition that does not fit is split again by its next bits; one that is the same key again and again is
// counted.
//
//     resolve(store, {.bits = 64, .scratch_keys = 1 << 20, .threads = 2, .spill_directory = "/var/tmp"},
//             scanner, stop);
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "audit/interruption.hpp"
#include "audit/partition_store.hpp"
#include "audit/run_scanner.hpp"

namespace firn::audit {

struct resolve_options {
    unsigned bits = 64 - 8;               ///< The bits in which keys of one partition differ.
    std::size_t scratch_keys = 1U << 20;  ///< Memory, in keys, of all threads together.
    unsigned threads = 1;
    std::filesystem::path spill_directory{};
    /// Called after each partition with the keys that are done. Threads: any of them.
    std::function<void(std::uint64_t)> progress = [](std::uint64_t) {};
};

/// Adds what is found in `store`, which is empty then, to `found`. Groups of keys must not span partitions.
/// Errors: failure of a spill file; interrupted.
void resolve(partition_store& store, const resolve_options& options, run_scanner& found, interruption& stop);

}  // namespace firn::audit
