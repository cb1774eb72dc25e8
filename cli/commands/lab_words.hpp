// What `firn lab hunt` and `firn lab explore` share: bugs as an argument, scenarios as output.
//
//     command->add_option("--bug", given->bug, …)->check(bug_name());
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/hunt/play.hpp"
#include "lab/hunt/script.hpp"

namespace firn::cli {

/// Takes the name of a deliberate bug, or "list".
CLI::Validator bug_name();
void print_bugs(bool json);

/// "1,234,567".
std::string grouped(std::uint64_t n);
/// With two decimals.
std::string seconds_text(double seconds);

/// The scenario in sentences, and the command that replays it.
void print_scenario(const lab::script& s);
nlohmann::ordered_json json_of(const lab::script& s, const lab::finding& f);

}  // namespace firn::cli
