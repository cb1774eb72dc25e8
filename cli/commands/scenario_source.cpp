#include "cli/commands/scenario_source.hpp"

#include <stdexcept>
#include <variant>

#include "cli/arguments.hpp"

namespace firn::cli {

scenario_source::scenario_source(CLI::App* command) {
    command
        ->add_option("--scenario", file_,
                     "Begin with a scenario file, or one of the study's by name (other options override it)")
        ->type_name("FILE");
    command->add_option("--case", case_, "Which case of it, when it has several")->type_name("NAME");
}

std::optional<lab::scenario_case> scenario_source::load() const {
    constexpr const char* example = "--scenario 4-b-resume --case clamp";
    if (file_.empty()) {
        if (!case_.empty()) throw bad_argument("--case", "takes a --scenario beside it", example);
        return std::nullopt;
    }
    lab::scenario_file file;
    try {
        file = lab::load_scenario(file_);
    } catch (const std::runtime_error& e) {
        throw bad_argument("--scenario", e.what(), example);
    }
    if (!std::holds_alternative<lab::scenario>(file.cases.front().what))
        throw bad_argument("--scenario", file_ + " is no run (firn demo shows it)", example);
    std::string names;
    for (const lab::scenario_case& c : file.cases) {
        if (c.name == case_ || (case_.empty() && file.cases.size() == 1)) return c;
        names += (names.empty() ? "'" : ", '") + c.name + "'";
    }
    throw bad_argument("--case", "takes one of " + names + (case_.empty() ? "" : ", not '" + case_ + "'"),
                       "--case '" + file.cases.front().name + "'");
}

}  // namespace firn::cli
