// Sweeps: named parameters over ranges, every combination of them.
//
//     lab::axis a = lab::parse_axis("rewind=1..60");
//     lab::sweep<lab::scenario> s{lab::scenario_parameters(), base, {a,
//     lab::parse_axis("policy=blind,clamp")}}; lab::scenario row = s.at(7);                           //
//     rewind 4, clamp: the last axis moves first
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/parameters.hpp"

namespace firn::lab {

struct axis {
    std::string name;
    std::vector<std::string> values;
};

inline constexpr std::size_t most_sweep_rows = 1'000'000;

/// Reads "NAME=FROM..TO", "NAME=FROM..TO:STEP" (decimals with at most 6 places) or "NAME=VALUE,VALUE…".
/// Throws argument_error of --over.
axis parse_axis(const std::string& text);

template <class Target>
class sweep {
  public:
    /// Checks every single value. Throws argument_error: of --over for too many rows and for a name given
    /// twice, else of the parameter.
    sweep(std::span<const parameter<Target>> table, Target base, std::vector<axis> axes)
        : table_(table), base_(std::move(base)), axes_(std::move(axes)) {
        for (const axis& a : axes_) {
            if (rows_ > most_sweep_rows / a.values.size())
                throw argument_error("over", "makes more than " + std::to_string(most_sweep_rows) +
                                                 " rows (example: --over rewind=1..60)");
            rows_ *= a.values.size();
            for (const axis& other : axes_)
                if (&other != &a && other.name == a.name)
                    throw argument_error("over", "takes each parameter once, and there are two of " + a.name +
                                                     " (example: --over rewind=1..60 --over rate=8,80)");
            Target any = base_;
            for (const std::string& value : a.values) set(any, a.name, value);
        }
    }

    std::size_t rows() const noexcept { return rows_; }
    const std::vector<axis>& axes() const noexcept { return axes_; }

    /// The values of row `index`, one for each axis.
    std::vector<std::string> values_at(std::size_t index) const {
        std::vector<std::string> values(axes_.size());
        for (std::size_t i = axes_.size(); i-- > 0;) {
            values[i] = axes_[i].values[index % axes_[i].values.size()];
            index /= axes_[i].values.size();
        }
        return values;
    }

    Target at(std::size_t index) const {
        Target row = base_;
        const std::vector<std::string> values = values_at(index);
        for (std::size_t i = 0; i < axes_.size(); ++i) set(row, axes_[i].name, values[i]);
        return row;
    }

  private:
    void set(Target& target, const std::string& name, const std::string& value) const {
        assign(table_, target, name, std::span<const std::string>{&value, 1});
    }

    std::span<const parameter<Target>> table_;
    Target base_;
    std::vector<axis> axes_;
    std::size_t rows_ = 1;
};

}  // namespace firn::lab
