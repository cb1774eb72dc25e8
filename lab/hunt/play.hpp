// lab::play_script: plays a script, and says what promise was broken first.
//
//     lab::finding f = lab::play_script(script);
//     if (f.broken()) …  f.flaw, f.at: the action that broke it
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "lab/hunt/ledger.hpp"
#include "lab/hunt/script.hpp"
#include "lab/journal/world.hpp"

namespace firn::lab {

/// What was found in a script; flaw::none: nothing.
struct finding {
    lab::flaw flaw = flaw::none;
    std::size_t at = 0;        ///< Index of the action.
    std::int64_t slot = 0;     ///< repeated: which,
    std::size_t first_at = 0;  ///< and the action that handed it out first.
    std::uint64_t ids = 0;

    bool broken() const noexcept { return flaw != flaw::none; }
};

/// Called after each action that was possible, with its index.
using witness =
    std::function<void(const world& before, const world& after, std::size_t at, const happening&)>;

finding play_script(const script& s, const witness& told = {});

}  // namespace firn::lab
