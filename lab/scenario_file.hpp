// Scenario files: runs and what they must come to, as TOML in lab/scenarios.
//
//     section = 4                     # of the study; left out for others
//     title = "B resume"
//     kind = "run"                    # or "fleet", "field"; run unless given
//     [base]                          # parameters of every case, as the options of `firn lab run`;
//     deploy-at = 120                 # what is left out is the headline trace, clamp and spin
//     [[case]]
//     name = "clamp"
//     note = "why"                    # for people; may be left out
//     policy = "clamp"                # parameters of this case
//     expect = { duplicates = 167 }   # figures (figures.hpp); text keeps trailing noughts: "31.520"
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/field.hpp"
#include "lab/figures.hpp"
#include "lab/fleet.hpp"
#include "lab/scenario.hpp"

namespace firn::lab {

struct scenario_case {
    std::string name;
    std::string note;
    std::variant<scenario, fleet_options, field_options> what;
    std::vector<expectation> expected;
};

struct scenario_file {
    std::string name;  ///< Without folder and extension.
    int section = 0;   ///< 0: not of the study.
    std::string title;
    std::vector<scenario_case> cases;
};

/// Reads the text of a scenario file. Throws std::runtime_error, one line: file, line, what is wrong.
scenario_file parse_scenario(std::string_view text, const std::string& name);

/// Reads the file at `path`; where there is none, the one of the study with this name ("4-b-resume").
scenario_file load_scenario(const std::string& path);

/// Those of lab/scenarios, which are part of the program, in reading order. Parsed once.
std::span<const scenario_file> builtin_scenarios();

/// Runs the case.
figures measure(const scenario_case& c);

/// The command that runs this case alone.
std::string replay_command(const scenario_file& file, const scenario_case& c);

struct embedded_file {
    const char* name;
    const char* text;
};
/// Made by CMake from the files. Not for users: builtin_scenarios.
std::span<const embedded_file> embedded_scenarios();

}  // namespace firn::lab
