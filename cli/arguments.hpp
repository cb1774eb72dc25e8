// Arguments: how every command refuses one. One line that names the argument, says what it takes and shows
// an example; main prints it and ends with status 2.
//
//     command->add_option("--fleets", fleets)->check(whole_number(1, 1000, "--fleets 10"));
//     throw bad_argument("--case", "takes blind or clamp, not 'x'", "--case blind");
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace firn::cli {

/// The error of argument `name`: "NAME: COMPLAINT (example: EXAMPLE)".
CLI::ValidationError bad_argument(const std::string& name, const std::string& complaint,
                                  const std::string& example);

/// Takes a whole number in decimal from `least` to `most`: digits only.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most, const std::string& example);

/// Takes one of these words.
CLI::Validator one_of(const std::vector<std::string>& words, const std::string& example);

}  // namespace firn::cli
