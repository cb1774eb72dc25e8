// firn::audit::radix_sort: sorts 64-bit keys in pieces that fit into the cache, and shows each piece as soon
// as it is sorted.
//
// Not a general sort: it needs as much scratch memory as there are keys, and both arrays are left in
// disorder.
//
//     radix_sort(keys, scratch, 64, [&](std::span<const std::uint64_t> sorted) { … });   // ascending pieces
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace firn::audit {
namespace detail {

/// Sorts by the lowest `bits` bits, least significant digit first. Returns where the sorted keys are: in
/// `keys` or in `scratch`.
template <unsigned Digit>
std::uint64_t* sort_by_digits(std::uint64_t* keys, std::uint64_t* scratch, std::size_t count, unsigned bits) {
    constexpr std::size_t radix = std::size_t{1} << Digit;
    constexpr std::uint64_t mask = radix - 1;
    std::array<std::array<std::uint32_t, radix>, (64 + Digit - 1) / Digit> counts;
    const unsigned digits = (bits + Digit - 1) / Digit;
    for (unsigned d = 0; d < digits; ++d) counts[d].fill(0);
    for (std::size_t i = 0; i < count; ++i)
        for (unsigned d = 0; d < digits; ++d) ++counts[d][(keys[i] >> (d * Digit)) & mask];
    for (unsigned d = 0; d < digits; ++d) {
        const unsigned shift = d * Digit;
        auto& starts = counts[d];
        if (starts[(keys[0] >> shift) & mask] == count) continue;  // All alike in this digit.
        std::uint32_t sum = 0;
        for (auto& entry : starts) sum += std::exchange(entry, sum);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t key = keys[i];
            scratch[starts[(key >> shift) & mask]++] = key;
        }
        std::swap(keys, scratch);
    }
    return keys;
}

}  // namespace detail

/// Shows `keys`, which are alike above their lowest `bits` bits, in ascending order as one or more sorted
/// pieces. `scratch` has the size of `keys`, which is less than 2^32.
/// Threads: those with their own arrays. Cost: about 20 ns a key; no allocation; up to 100 KiB of stack.
template <class Show>
void radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> scratch, unsigned bits, Show&& show) {
    constexpr std::size_t in_cache = std::size_t{1} << 15;
    constexpr std::size_t small = std::size_t{1} << 12;
    constexpr unsigned step_max = 8;
    if (keys.empty()) return;
    if (keys.size() <= in_cache || bits <= step_max) {
        const std::uint64_t* sorted =
            keys.size() <= small ? detail::sort_by_digits<8>(keys.data(), scratch.data(), keys.size(), bits)
                                 : detail::sort_by_digits<11>(keys.data(), scratch.data(), keys.size(), bits);
        show(std::span<const std::uint64_t>{sorted, keys.size()});
        return;
    }
    // As many parts as make them fit; many more would be too small to be worth a table of digits each.
    const auto step = std::min(static_cast<unsigned>(std::bit_width(keys.size() / (in_cache / 4))), step_max);
    const unsigned shift = bits - step;
    const std::size_t parts = std::size_t{1} << step;
    const std::uint64_t mask = parts - 1;
    std::array<std::size_t, (std::size_t{1} << step_max) + 1> starts{};
    for (const auto key : keys) ++starts[((key >> shift) & mask) + 1];
    for (std::size_t i = 1; i <= parts; ++i) starts[i] += starts[i - 1];
    auto ends = starts;
    for (const auto key : keys) scratch[ends[(key >> shift) & mask]++] = key;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t count = starts[i + 1] - starts[i];
        radix_sort(scratch.subspan(starts[i], count), keys.subspan(starts[i], count), shift, show);
    }
}

}  // namespace firn::audit
