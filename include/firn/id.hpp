// firn::id: one unique id, a strong type around 64 bits.
//
// Not for arithmetic: an id is a name. What is inside it is told by a layout (layout.hpp);
// its text forms are in text.hpp and codecs/.
//
//     firn::id a{1593572310593806338};
//     if (a < b) …                      // an older id of the same layout is smaller
//     std::unordered_set<firn::id> seen; seen.insert(a);
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace firn {

struct id {
    std::uint64_t value = 0;

    friend constexpr bool operator==(id, id) noexcept = default;
    friend constexpr auto operator<=>(id, id) noexcept = default;
};

}  // namespace firn

template <>
struct std::hash<firn::id> {
    /// The multiplier (2^64 divided by the golden ratio) moves the low bits, which at low traffic are nearly
    /// all alike, into the high ones: a plain identity would pile up in a power-of-two table.
    std::size_t operator()(firn::id i) const noexcept {
        const std::uint64_t mixed = i.value * 0x9E3779B97F4A7C15ULL;
        return static_cast<std::size_t>(mixed ^ (mixed >> 32));
    }
};
