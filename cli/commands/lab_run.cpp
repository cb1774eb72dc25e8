#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "cli/commands/lab.hpp"
#include "cli/commands/scenario_source.hpp"
#include "cli/parameter_options.hpp"
#include "firn/text.hpp"
#include "lab/exact.hpp"
#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"

namespace firn::cli {

namespace {

struct run_arguments {
    explicit run_arguments(CLI::App* command)
        : parameters(command, lab::scenario_parameters()), source(command) {}

    parameter_options<lab::scenario> parameters;
    scenario_source source;
    std::string rows;
    bool inversions = false;
    bool json = false;
};

void print(const lab::verdict& v) {
    const auto line = [](const char* name, const std::string& value) {
        std::cout << name << std::string(12 - std::string_view{name}.size(), ' ') << value << '\n';
    };
    line("offered", std::to_string(v.offered));
    line("issued", std::to_string(v.issued));
    line("refused", std::to_string(v.refused));
    std::string again;
    if (const auto& c = v.first_duplicate)
        again = "   the first: " + to_decimal(c->id) + ", at true " + lab::ms_text(c->first_ns) +
                " ms and at " + lab::ms_text(c->again_ns) + " ms";
    line("duplicates", std::to_string(v.duplicates) + again);
    std::string first;
    if (!v.restart_log.empty())
        first = "   the first: at true " + lab::ms_text(v.restart_log[0].true_ns) + " ms, the wall at " +
                std::to_string(v.restart_log[0].wall_ms);
    line("restarts", std::to_string(v.restarts) + first);
    line("stalled", lab::ms_text(v.stalled_ns) + " ms");
    line("borrowed", std::to_string(v.borrowed));
    line("ahead", std::to_string(v.ahead_ms) + " ms");
    if (v.skipped) line("skipped", std::to_string(*v.skipped) + " slots");
    if (v.inversions) line("inversions", std::to_string(*v.inversions));
}

/// Says on stderr what is not as the scenario file expects.
bool meets(const lab::figures& measured, const std::vector<lab::expectation>& expected) {
    bool ok = true;
    for (const lab::expectation& e : expected) {
        const lab::checked_figure f = lab::check_figure(measured, e);
        if (!f.ok)
            std::cerr << "firn: " << f.name << " is " << f.measured << ", expected " << f.expected << '\n';
        ok = ok && f.ok;
    }
    return ok;
}

void run(const run_arguments& given) {
    const std::optional<lab::scenario_case> from = given.source.load();
    lab::scenario s = from ? std::get<lab::scenario>(from->what) : lab::scenario{};
    given.parameters.assign_to(s);
    s.count_inversions = given.inversions;
    with_arguments_checked([&] { lab::check(s); });

    std::optional<lab::records> rows;
    if (!given.rows.empty()) rows.emplace(given.rows);
    const lab::verdict v = lab::run(s, {.rows = rows ? &*rows : nullptr});
    if (rows) rows->close();

    if (given.json)
        std::cout << lab::to_json(v) << '\n';
    else
        print(v);
    // What a file expects is of the run that it describes; any other option makes another run of it.
    if (from && !given.parameters.any_given() && !meets(lab::figures_of(v, s), from->expected))
        throw CLI::RuntimeError(1);
}

}  // namespace

void add_lab_run(CLI::App& lab) {
    auto* command = lab.add_subcommand("run", "Run one scenario; what is not given is the headline trace");
    auto given = std::make_shared<run_arguments>(command);
    command
        ->add_option("--records", given->rows,
                     "Write true_ns,wall_ms,id,outcome, one row a request (-: standard output)")
        ->type_name("FILE");
    command->add_flag("--inversions", given->inversions,
                      "Count the pairs of ids issued in the wrong order too");
    command->add_flag("--json", given->json, "Print one JSON object");
    command->footer(
        "Examples:\n"
        "  firn lab run --policy blind\n"
        "  firn lab run --policy refuse --probe 10 --json\n"
        "  firn lab run --policy clamp --deploy-at 120 --start-rule resume --records rows.csv\n"
        "  firn lab run --probe 10 --policy refuse --start-rule journal\n"
        "  firn lab run --scenario 4-b-resume --case clamp");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
