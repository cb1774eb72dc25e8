// The version of firn, in its only place: CMake, pkg-config and `firn --version` read it from here.
//
// Not for feature tests: ask for what is needed (a concept, a member), not for a number.
//
//     std::cout << firn::library_version << '\n';
#pragma once

#include <string_view>

namespace firn {

/// Semantic version of the headers that were compiled, "major.minor.patch".
inline constexpr std::string_view library_version = "0.1.0";

}  // namespace firn
