// The commands of `firn`, one function for each, defined in cli/commands/<name>.cpp and called by main.
//
// Each adds its options or its subcommand to the application and runs from CLI11's callback. To end with
// a status other than 0 a command throws CLI::RuntimeError(status), after it has said why on stderr;
// wrong arguments are CLI::ValidationError, which main prints in one line with status 2.
//
//     void firn::cli::add_next(CLI::App& app) {
//         auto* command = app.add_subcommand("next", "Print ids");
//         command->callback([] { ... });
//     }
#pragma once

#include <CLI/CLI.hpp>

namespace firn::cli {

void add_audit(CLI::App& app);
void add_decode(CLI::App& app);
void add_demo(CLI::App& app);
void add_doctor(CLI::App& app);
void add_encode(CLI::App& app);
void add_journal(CLI::App& app);
void add_lab(CLI::App& app);
void add_layouts(CLI::App& app);
void add_next(CLI::App& app);
void add_range(CLI::App& app);
void add_serve(CLI::App& app);
void add_version(CLI::App& app);
void add_watch(CLI::App& app);

}  // namespace firn::cli
