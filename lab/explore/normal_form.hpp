// lab::normal_form: makes states alike that differ in nothing that anyone can ever see: the numbers of boots,
// of forks, and of records, of which only equality and order count.
//
//     lab::normalise(world);
//     lab::fingerprint(world)                                // equal for states that are alike
#pragma once

#include <cstdint>

#include "lab/journal/world.hpp"

namespace firn::lab {

void normalise(world& w) noexcept;

/// Of a normalised world. Two processes that have changed places make no difference.
std::uint64_t fingerprint(const world& w) noexcept;

}  // namespace firn::lab
