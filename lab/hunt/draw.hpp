// lab::draw: a random world from a seed: its layout, its processes, its clock, its rates and its mishaps.
//
// Each world draws how likely each kind of action is, and many it draws as never: worlds that do everything
// at once are all alike, and rarely get far. Only what is possible is drawn, by playing along.
//
//     lab::script s = lab::draw(seed, lab::bug::none);
#pragma once

#include <cstdint>

#include "lab/hunt/play.hpp"
#include "lab/hunt/script.hpp"

namespace firn::lab {

/// A world of at most some hundred actions, ended where a promise is broken. `f` says what was found.
script draw(std::uint64_t seed, bug b, finding& f);

}  // namespace firn::lab
