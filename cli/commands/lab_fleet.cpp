// `firn lab fleet`: how much of the order of issue the ids of a fleet keep.
#include <array>
#include <atomic>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands/lab.hpp"
#include "cli/commands/sweep_axes.hpp"
#include "cli/parameter_options.hpp"
#include "cli/progress_bar.hpp"
#include "cli/table.hpp"
#include "lab/exact.hpp"
#include "lab/fleet.hpp"
#include "lab/parallel.hpp"

namespace firn::cli {

namespace {

using fleet_sweep = lab::sweep<lab::fleet_options>;

struct fleet_arguments {
    explicit fleet_arguments(CLI::App* command)
        : over(command), parameters(command, lab::fleet_parameters()) {}

    sweep_axes over;
    parameter_options<lab::fleet_options> parameters;
    bool json = false;
};

struct fleet_row {
    lab::fleet_options options;
    lab::fleet_verdict verdict{};
};

std::vector<fleet_row> rows_of(const fleet_arguments& given) {
    lab::fleet_options base;
    given.parameters.assign_to(base);
    return with_arguments_checked([&] {
        std::vector<lab::axis> axes = given.over.axes();
        if (axes.empty() && !given.parameters.given("machines") && !given.parameters.given("window"))
            axes = {lab::parse_axis("machines=1,2,8,64"), lab::parse_axis("window=20,200")};
        const fleet_sweep all{lab::fleet_parameters(), base, std::move(axes)};
        std::vector<fleet_row> rows;
        for (std::size_t i = 0; i < all.rows(); ++i) {
            rows.push_back({.options = all.at(i)});
            lab::check(rows.back().options);
        }
        return rows;
    });
}

/// Every fleet of every row is a piece of work of its own.
void run_all(std::vector<fleet_row>& rows) {
    struct piece {
        std::size_t row;
        std::uint64_t fleet;
    };
    std::vector<piece> pieces;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::uint64_t f = 0; f < rows[i].options.fleets; ++f) pieces.push_back({i, f});
    std::vector<lab::fleet_verdict> verdicts(pieces.size());
    std::atomic<std::uint64_t> done{0};
    const progress_bar bar{[&] { return progress_state{"fleets", done.load(), pieces.size()}; }};
    lab::for_each_index(
        pieces.size(), lab::all_cores(),
        [&](std::size_t i) {
            verdicts[i] = lab::run_one_fleet(rows[pieces[i].row].options, pieces[i].fleet);
        },
        &done);
    for (std::size_t i = 0; i < pieces.size(); ++i) rows[pieces[i].row].verdict += verdicts[i];
}

std::string rate_text(const lab::request_rate& r) {
    return lab::fixed_text(r.requests * (1'000'000'000 / r.per_ms), 9);
}

void print_json(const fleet_row& row) {
    const lab::fleet_options& o = row.options;
    const lab::fleet_verdict& v = row.verdict;
    const nlohmann::ordered_json line = {
        {"machines", o.machines},
        {"window_ms", o.window_ms},
        {"rate", nlohmann::ordered_json::parse(rate_text(o.rate))},
        {"fleets", o.fleets},
        {"seed", o.seed},
        {"ids", v.ids},
        {"pairs", v.pairs},
        {"inversions", v.inversions},
        {"inverted_fraction", v.fraction()},
        {"predicted_fraction", lab::predicted_fraction(o.machines, o.window_ms)},
        {"widest_ms", static_cast<double>(v.widest_ns) / 1e6},
        {"machine_inversions", v.machine_inversions},
        {"duplicates", v.duplicates},
    };
    std::cout << line.dump() << '\n';
}

std::string percent(double fraction) {
    std::array<char, 32> text;
    std::snprintf(text.data(), text.size(), "%.4f", fraction * 100);
    return text.data();
}

void run_fleets(const fleet_arguments& given) {
    std::vector<fleet_row> rows = rows_of(given);
    run_all(rows);
    if (given.json) {
        for (const fleet_row& row : rows) print_json(row);
        return;
    }
    table t{{"machines", "window, ms", "ids", "inverted pairs", "%", "predicted %", "widest, ms",
             "within a machine", "duplicates"}};
    for (const auto& [o, v] : rows)
        t.add({std::to_string(o.machines), std::to_string(o.window_ms), std::to_string(v.ids),
               std::to_string(v.inversions), percent(v.fraction()),
               percent(lab::predicted_fraction(o.machines, o.window_ms)), lab::ms_text(v.widest_ns),
               std::to_string(v.machine_inversions), std::to_string(v.duplicates)});
    t.print(std::cout, style_of(stdout));
    std::cout << "\nPredicted: 1/2 (1 - 1/machines) / window of all pairs. Widest: the largest true time "
                 "between the "
                 "two of an inverted pair.\n";
}

}  // namespace

void add_lab_fleet(CLI::App& lab) {
    auto* command = lab.add_subcommand(
        "fleet",
        "Count the pairs of ids in the wrong order in fleets with perfect clocks and random arrivals");
    auto given = std::make_shared<fleet_arguments>(command);
    command->add_flag("--json", given->json, "Print one JSON object a row");
    command->footer(
        "Without a number of machines and a window: a table of several.\n"
        "Examples:\n"
        "  firn lab fleet\n"
        "  firn lab fleet --machines 8 --window 200 --fleets 100\n"
        "  firn lab fleet --over machines=2,8,64 --over window=10,100,1000 --json");
    command->callback([given] { run_fleets(*given); });
}

}  // namespace firn::cli
