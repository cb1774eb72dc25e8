// --over: what a sweep ranges over, and how its rows are shown.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "lab/exact.hpp"
#include "lab/sweep.hpp"

namespace firn::cli {

class sweep_axes {
  public:
    explicit sweep_axes(CLI::App* command) {
        command
            ->add_option("--over", texts_,
                         "Range over a parameter: NAME=FROM..TO, NAME=FROM..TO:STEP or NAME=VALUE,VALUE "
                         "(repeatable: every combination)")
            ->type_name("RANGE")
            ->allow_extra_args(false);
    }

    /// Throws lab::argument_error.
    std::vector<lab::axis> axes() const {
        std::vector<lab::axis> axes;
        for (const std::string& text : texts_) axes.push_back(lab::parse_axis(text));
        return axes;
    }

  private:
    std::vector<std::string> texts_;
};

/// A parameter's value as JSON: a number where it is one.
inline std::string json_value(const std::string& value) {
    const bool canonical = value == "0" || (!value.starts_with('0') && !value.starts_with("-0")) ||
                           value.starts_with("0.") || value.starts_with("-0.");
    if (canonical && lab::parse_fixed(value, 9)) return value;
    std::string quoted = "\"";
    for (const char c : value) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted + '"';
}

}  // namespace firn::cli
