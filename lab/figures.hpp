// Figures: what was measured, by name, to be laid beside what was expected.
//
// An expected figure is text; the measured one is shown with as many digits as it has, and then must be the
// same: "0.432" is met by 0.432099. "<1" is a bound.
//
//     lab::figures all = lab::figures_of(verdict, scenario);
//     lab::check_figure(all, {"duplicates", "400"}).ok
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lab/field.hpp"
#include "lab/fleet.hpp"
#include "lab/scenario.hpp"
#include "lab/verdict.hpp"

namespace firn::lab {

struct fixed_figure {
    std::int64_t value;
    unsigned places;
};
using figure = std::variant<fixed_figure, double, std::string>;
using figures = std::vector<std::pair<std::string, figure>>;

/// The figure with `shown` digits after its point; a text as it is.
std::string text_of(const figure& f, unsigned shown);

struct expectation {
    std::string name;
    std::string value;
};

struct checked_figure {
    std::string name;
    std::string expected;
    std::string measured;
    bool ok;
    bool number = false;  ///< Not a word or an id.
};

/// A name that was not measured is "none", and not ok unless that was expected.
checked_figure check_figure(const figures& measured, const expectation& e);

figures figures_of(const verdict& v, const scenario& s);
figures figures_of(const fleet_verdict& v, const fleet_options& o);
figures figures_of(const field_verdict& v);

}  // namespace firn::lab
