// lab::story: what happened in a scenario, in sentences, one for each action.
//
//     for (const std::string& line : lab::story_of(script)) std::cout << line << '\n';
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/hunt/play.hpp"
#include "lab/hunt/script.hpp"

namespace firn::lab {

/// The last line says what promise was broken, if any. Lines begin with the number of the action.
std::vector<std::string> story_of(const script& s);

/// "a slot was given twice", …
std::string_view describe(flaw f) noexcept;
/// "repeated", …
std::string_view name_of(flaw f) noexcept;

}  // namespace firn::lab
