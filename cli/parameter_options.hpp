// The lab's named parameters (lab/parameters.hpp) as options of a command.
//
//     auto options = std::make_shared<parameter_options<lab::scenario>>(command, lab::scenario_parameters());
//     command->callback([=] { lab::scenario s; options->assign_to(s); … });
#pragma once

#include <CLI/CLI.hpp>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/parameters.hpp"

namespace firn::cli {

/// Calls `f`, and turns what the lab says of an argument into what the command line says.
template <class F>
decltype(auto) with_arguments_checked(F&& f) {
    try {
        return std::forward<F>(f)();
    } catch (const lab::argument_error& e) {
        throw CLI::ValidationError("--" + e.name(), e.complaint());
    }
}

template <class Target>
class parameter_options {
  public:
    parameter_options(CLI::App* command, std::span<const lab::parameter<Target>> table) : table_(table) {
        for (const auto& p : table) {
            given_.emplace_back();
            CLI::Option* option = command->add_option("--" + p.name, given_.back(), p.help);
            option->type_name(p.unit)->allow_extra_args(false);
            if (!p.repeats()) option->multi_option_policy(CLI::MultiOptionPolicy::Throw)->expected(1);
        }
    }

    /// Gives `target` the values that were given, and leaves the rest of it. Throws CLI::ValidationError.
    void assign_to(Target& target) const {
        with_arguments_checked([&] {
            for (std::size_t i = 0; i < table_.size(); ++i)
                if (!given_[i].empty())
                    lab::assign(table_, target, table_[i].name, std::span<const std::string>{given_[i]});
        });
    }

    bool given(std::string_view name) const {
        for (std::size_t i = 0; i < table_.size(); ++i)
            if (table_[i].name == name) return !given_[i].empty();
        return false;
    }
    bool any_given() const {
        for (const auto& values : given_)
            if (!values.empty()) return true;
        return false;
    }

  private:
    std::span<const lab::parameter<Target>> table_;
    std::deque<std::vector<std::string>> given_;  // options keep references to its elements
};

}  // namespace firn::cli
