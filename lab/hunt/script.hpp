// lab::script: a simulated world and what happens in it, as plain data and as one line of text.
//
//     auto s = lab::script_of("layout=2/2 window=1 start:0 step:0*9 issue:0 kill:0");
//     lab::to_text(*s)                                       // the same again
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "lab/journal/action.hpp"
#include "lab/journal/setup.hpp"

namespace firn::lab {

struct script {
    lab::setup setup;
    std::vector<action> actions;
};

std::string to_text(const script& s);

/// Throws std::invalid_argument: which word is none, and what words look like.
script script_of(std::string_view text);

}  // namespace firn::lab
