// lab::run: a scenario in, a verdict out.
//
//     lab::verdict v = lab::run(lab::scenario{});            // the headline trace, clamp and spin
//
// play() and judge() run any other process (see server.hpp) down the same trace.
#pragma once

#include <cstdint>

#include "lab/arrivals.hpp"
#include "lab/inversions.hpp"
#include "lab/journal_process.hpp"
#include "lab/observers.hpp"
#include "lab/server.hpp"
#include "lab/simulate.hpp"

namespace firn::lab {

/// Runs `process` through the scenario; `observer` hears of it.
template <class Process, class Observer>
void play(const scenario& s, Process& process, Observer& observer) {
    const wall w{s.clock_events()};
    if (s.arrivals == arrival_kind::even)
        simulate(s, w, even_arrivals{s}, process, observer);
    else
        simulate(s, w, random_arrivals{s}, process, observer);
}

/// Calls `use` with a function that makes the process which the scenario's start rule stands for: the
/// production sequencer, or the production journal.
template <class Use>
decltype(auto) with_product(const scenario& s, Use use) {
    if (keeps_journal(s.start)) return use([&s] { return journal_process{s}; });
    return use([&s] { return sequencer_process{s}; });
}

struct run_options {
    records* rows = nullptr;  ///< Where to stream a row for each request.
};

/// Runs what `make()` returns through the scenario and counts. `make` is called again when there was a
/// duplicate: the run is deterministic, so a second one finds when its id was issued first, and no time of
/// issue need be kept.
template <class Make>
verdict judge(const scenario& s, Make make, const run_options& options = {}) {
    judge_observer counts;
    std::optional<std::uint64_t> skipped;
    {
        auto process = make();
        if (options.rows != nullptr) {
            recording_observer rows{*options.rows};
            both_observer all{counts, rows};
            play(s, process, all);
        } else {
            play(s, process, counts);
        }
        if constexpr (requires { process.skipped_slots(); }) skipped = process.skipped_slots();
    }
    verdict v = counts.take();
    v.skipped = skipped;
    if (v.first_duplicate) {
        auto process = make();
        first_issue_observer first{v.first_duplicate->id};
        play(s, process, first);
        v.first_duplicate->first_ns = first.found_ns().value();
    }
    if (s.count_inversions) {
        auto process = make();
        collecting_observer ids;
        play(s, process, ids);
        std::vector<std::uint64_t> values;
        values.reserve(ids.issues.size());
        for (const auto& each : ids.issues) values.push_back(each.id);
        v.inversions = count_inversions(std::move(values));
    }
    return v;
}

/// Runs the production sequencer, or the production journal where the start rule has one. Deterministic: the
/// same scenario gives the same verdict and records anywhere. Throws firn::error (a layout that makes no
/// sense, a machine out of range), std::invalid_argument (a wall that runs backwards), std::runtime_error
/// (records that cannot be written). Cost: some 10 to 20 ns an id; memory for the runs of consecutive ids
/// only (id_set.hpp).
verdict run(const scenario& s, const run_options& options = {});

}  // namespace firn::lab
