// The subcommands of `firn lab`, one file for each.
#pragma once

#include <CLI/CLI.hpp>

namespace firn::cli {

void add_lab_explore(CLI::App& lab);
void add_lab_fleet(CLI::App& lab);
void add_lab_hunt(CLI::App& lab);
void add_lab_replay(CLI::App& lab);
void add_lab_run(CLI::App& lab);
void add_lab_sweep(CLI::App& lab);

}  // namespace firn::cli
