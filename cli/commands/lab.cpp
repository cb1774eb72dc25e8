#include "cli/commands/lab.hpp"

#include "cli/commands.hpp"

namespace firn::cli {

void add_lab(CLI::App& app) {
    auto* lab = app.add_subcommand("lab", "Simulate clocks, restarts and policies, exactly");
    lab->require_subcommand(1);
    add_lab_explore(*lab);
    add_lab_hunt(*lab);
    add_lab_replay(*lab);
    add_lab_run(*lab);
    add_lab_sweep(*lab);
    add_lab_fleet(*lab);
}

}  // namespace firn::cli
