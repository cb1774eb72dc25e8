// lab::shrink: the smallest scenario that still breaks the same promise.
//
//     lab::script small = lab::shrink(script, flaw);
#pragma once

#include "lab/hunt/play.hpp"
#include "lab/hunt/script.hpp"

namespace firn::lab {

/// Leaves out what is not needed, actions and settings, until nothing more can go. Requires that `s` breaks
/// `wanted`; the result does too.
script shrink(script s, flaw wanted);

}  // namespace firn::lab
