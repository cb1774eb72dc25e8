// `firn lab sweep`: one scenario over ranges of its parameters, on all cores.
#include <atomic>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands/lab.hpp"
#include "cli/commands/scenario_source.hpp"
#include "cli/commands/sweep_axes.hpp"
#include "cli/parameter_options.hpp"
#include "cli/progress_bar.hpp"
#include "cli/table.hpp"
#include "lab/parallel.hpp"
#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"

namespace firn::cli {

namespace {

using scenario_sweep = lab::sweep<lab::scenario>;

struct sweep_arguments {
    explicit sweep_arguments(CLI::App* command)
        : over(command), parameters(command, lab::scenario_parameters()), source(command) {}

    sweep_axes over;
    parameter_options<lab::scenario> parameters;
    scenario_source source;
    bool json = false;
    bool csv = false;
};

scenario_sweep rows_of(const sweep_arguments& given) {
    const std::optional<lab::scenario_case> from = given.source.load();
    lab::scenario base = from ? std::get<lab::scenario>(from->what) : lab::scenario{};
    given.parameters.assign_to(base);
    return with_arguments_checked([&] {
        std::vector<lab::axis> axes = given.over.axes();
        if (axes.empty())
            throw lab::argument_error("over", "takes what to range over (example: --over rewind=1..60)");
        scenario_sweep rows{lab::scenario_parameters(), base, std::move(axes)};
        // All of them before the first one runs: a long sweep must not end in a complaint.
        for (std::size_t i = 0; i < rows.rows(); ++i) lab::check(rows.at(i));
        return rows;
    });
}

std::vector<lab::verdict> run_all(const scenario_sweep& rows) {
    std::vector<lab::verdict> verdicts(rows.rows());
    std::atomic<std::uint64_t> done{0};
    const progress_bar bar{[&] { return progress_state{"running", done.load(), rows.rows()}; }};
    lab::for_each_index(
        rows.rows(), lab::all_cores(), [&](std::size_t i) { verdicts[i] = lab::run(rows.at(i)); }, &done);
    return verdicts;
}

std::vector<std::string> heading_of(const scenario_sweep& rows) {
    std::vector<std::string> heading;
    for (const lab::axis& a : rows.axes()) heading.push_back(a.name);
    for (const char* name :
         {"offered", "issued", "refused", "duplicates", "restarts", "stalled_ms", "borrowed", "ahead_ms"})
        heading.emplace_back(name);
    return heading;
}

std::vector<std::string> cells_of(const scenario_sweep& rows, std::size_t index, const lab::verdict& v) {
    std::vector<std::string> cells = rows.values_at(index);
    for (const std::uint64_t n : {v.offered, v.issued, v.refused, v.duplicates, v.restarts})
        cells.push_back(std::to_string(n));
    cells.push_back(lab::ms_text(v.stalled_ns));
    cells.push_back(std::to_string(v.borrowed));
    cells.push_back(std::to_string(v.ahead_ms));
    return cells;
}

void print_json(const scenario_sweep& rows, const std::vector<lab::verdict>& verdicts) {
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
        const std::vector<std::string> values = rows.values_at(i);
        std::cout << '{';
        for (std::size_t a = 0; a < values.size(); ++a)
            std::cout << '"' << rows.axes()[a].name << "\":" << json_value(values[a]) << ',';
        std::cout << lab::json_members(verdicts[i]) << "}\n";
    }
}

void print_csv(const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < cells.size(); ++i) std::cout << (i == 0 ? "" : ",") << cells[i];
    std::cout << '\n';
}

void run_sweep(const sweep_arguments& given) {
    const scenario_sweep rows = rows_of(given);
    const std::vector<lab::verdict> verdicts = run_all(rows);
    if (given.json) {
        print_json(rows, verdicts);
    } else if (given.csv) {
        print_csv(heading_of(rows));
        for (std::size_t i = 0; i < verdicts.size(); ++i) print_csv(cells_of(rows, i, verdicts[i]));
    } else {
        table t{heading_of(rows)};
        for (std::size_t i = 0; i < verdicts.size(); ++i) t.add(cells_of(rows, i, verdicts[i]));
        t.print(std::cout, style_of(stdout));
    }
}

}  // namespace

void add_lab_sweep(CLI::App& lab) {
    auto* command = lab.add_subcommand("sweep", "Run a scenario over ranges of its parameters, on all cores");
    auto given = std::make_shared<sweep_arguments>(command);
    auto* json = command->add_flag("--json", given->json, "Print one JSON object a row");
    command->add_flag("--csv", given->csv, "Print CSV with a heading")->excludes(json);
    command->footer(
        "Rows stand in the order of the ranges, the last one moving first, whatever core ran them.\n"
        "Examples:\n"
        "  firn lab sweep --over rewind=0..60 --policy blind\n"
        "  firn lab sweep --over rate=80..120:10 --over layout=41/11/11,41/10/12,41/9/13 --csv\n"
        "  firn lab sweep --scenario 4-b-resume --case clamp --over deploy-at=100..150 --json");
    command->callback([given] { run_sweep(*given); });
}

}  // namespace firn::cli
