// --scenario and --case: where `firn lab run` and `firn lab sweep` begin, before their other options.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "lab/scenario_file.hpp"

namespace firn::cli {

class scenario_source {
  public:
    explicit scenario_source(CLI::App* command);

    /// The case of the file that was named, a run; nothing when none was. Throws CLI::ValidationError.
    std::optional<lab::scenario_case> load() const;

  private:
    std::string file_;
    std::string case_;
};

}  // namespace firn::cli
