// firn::audit::run: reads lists of ids, finds every duplicate, and tells what the ids say.
//
// Exact: each id is compared, none is hashed away. Inputs may be larger than memory.
//
//     interruption stop;
//     report r = run({.paths = {"orders.txt"}, .layout = firn::layouts::twitter, .now = …}, stop);
//     if (r.duplicates != 0) …
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "audit/chunk_source.hpp"
#include "audit/interruption.hpp"
#include "audit/memory_plan.hpp"
#include "audit/parse.hpp"
#include "audit/report.hpp"
#include "firn/instant.hpp"
#include "firn/layouts.hpp"

namespace firn::audit {

/// How far a run is. Threads: any.
struct progress {
    enum class stage : std::uint8_t { reading, sorting, locating };

    std::atomic<stage> at{stage::reading};
    std::atomic<std::uint64_t> done{0};   ///< Bytes while reading and locating, ids while sorting.
    std::atomic<std::uint64_t> total{0};  ///< 0: unknown.
};

struct options {
    std::vector<std::string> paths{"-"};  ///< "-" is standard input.
    input_form form = input_form::lines;
    std::string column{};  ///< Of a CSV.
    on_bad policy = on_bad::stop;
    firn::layout layout = layouts::standard;
    instant now{};                                          ///< What counts as the future.
    std::uint64_t memory_bytes = std::uint64_t{256} << 20;  ///< At least memory_min.
    unsigned threads = 1;
    std::filesystem::path spill_directory = default_spill_directory();
    std::size_t show = 20;         ///< How many ids that repeat are listed.
    std::size_t show_places = 10;  ///< And how many places of each.
    progress* progress_to = nullptr;
    /// Instead of what memory_bytes and threads make: lets tests spill with a few ids.
    std::optional<memory_plan> plan{};
};

/// Errors: failure (input that cannot be read or is no list of ids; no room for temporary files),
/// interrupted. Nothing is left on any file system, however it ends. Threads: makes its own and ends them.
/// Cost: about 40 ns of processor time an id; memory as bounded, and about 200 bytes for each id that is
/// shown.
report run(const options& options, interruption& stop);

}  // namespace firn::audit
