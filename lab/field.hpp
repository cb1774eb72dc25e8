// What is in the 64 bits: how long a layout lives, and what happens to a machine number that does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "firn/layout.hpp"
#include "lab/parameters.hpp"

namespace firn::lab {

struct field_options {
    firn::layout layout{};
    std::uint64_t machine = 1024;
};

struct field_verdict {
    double life_years = 0;         ///< Julian: 365.25 days.
    std::string ends;              ///< The date, in UTC, on which the timestamp field runs out.
    std::uint64_t masked_machine;  ///< What the machine number becomes when it is masked,
    bool masked_alias;             ///< and whether it then makes the very ids of that other machine.
    std::string product_says;      ///< What the product says to it: the code's name.
};

field_verdict look_at(const field_options& o);

std::span<const parameter<field_options>> field_parameters();

}  // namespace firn::lab
