// Named parameters: one table that is the command's options, the keys of a scenario file and what a sweep can
// range over. Each knows what it takes and an example, so that all of them reject a bad value in the same
// words.
//
//     lab::scenario s;
//     lab::assign(lab::scenario_parameters(), s, "policy", {"refuse"});
//     lab::assign(lab::scenario_parameters(), s, "probe", {"0.5"});     // throws argument_error
#pragma once

#include <functional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace firn::lab {

/// A value that a parameter does not take. what() is one line, as for the command line.
class argument_error : public std::invalid_argument {
  public:
    argument_error(const std::string& name, const std::string& complaint)
        : std::invalid_argument("--" + name + ": " + complaint), name_(name), complaint_(complaint) {}

    const std::string& name() const noexcept { return name_; }
    const std::string& complaint() const noexcept { return complaint_; }

  private:
    std::string name_;
    std::string complaint_;
};

template <class Target>
struct parameter {
    std::string name;     ///< "step-at"
    std::string unit;     ///< What stands for the value in help: "MS".
    std::string takes;    ///< "milliseconds from 0 to 10^11, with at most 6 decimals"
    std::string example;  ///< "100"
    std::string help;
    /// Takes one value; false when it is of another form.
    std::function<bool(Target&, const std::string&)> set;
    /// Only of a parameter that may be given several times: forgets the values it has.
    std::function<void(Target&)> clear{};

    bool repeats() const { return clear != nullptr; }
};

/// Gives parameter `name` these values, in place of those it had. Throws argument_error for a name that is
/// not in the table, for a value that it does not take, and for several values where it takes one.
template <class Target>
void assign(std::span<const parameter<Target>> table, Target& target, std::string_view name,
            std::span<const std::string> values) {
    for (const parameter<Target>& p : table) {
        if (p.name != name) continue;
        if (p.repeats())
            p.clear(target);
        else if (values.size() != 1)
            throw argument_error(p.name, "takes one value (example: --" + p.name + " " + p.example + ")");
        for (const std::string& value : values)
            if (!p.set(target, value))
                throw argument_error(p.name, "takes " + p.takes + ", not '" + value + "' (example: --" +
                                                 p.name + " " + p.example + ")");
        return;
    }
    std::string known;
    for (const parameter<Target>& p : table) known += (known.empty() ? "" : ", ") + p.name;
    throw argument_error(std::string{name}, "there is no such parameter; there are " + known);
}

}  // namespace firn::lab
