#include "lab/inversions.hpp"

#include <algorithm>
#include <cstddef>

namespace firn::lab {

std::uint64_t count_inversions(std::vector<std::uint64_t> ids) {
    // Bottom-up merge sort: whenever one of the upper run is taken, it passes all that is left of the lower.
    std::vector<std::uint64_t> merged(ids.size());
    std::uint64_t found = 0;
    for (std::size_t width = 1; width < ids.size(); width *= 2) {
        for (std::size_t begin = 0; begin < ids.size(); begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, ids.size());
            const std::size_t end = std::min(begin + 2 * width, ids.size());
            std::size_t low = begin;
            std::size_t high = middle;
            for (std::size_t to = begin; to < end; ++to) {
                const bool take_high = low == middle || (high < end && ids[high] < ids[low]);
                if (take_high) found += middle - low;
                merged[to] = take_high ? ids[high++] : ids[low++];
            }
        }
        ids.swap(merged);
    }
    return found;
}

std::int64_t widest_inversion_ns(const std::vector<collecting_observer::issue>& issues) {
    // The earliest one that is larger than a given id is where the running maximum first exceeds it.
    std::vector<std::uint64_t> highest;
    highest.reserve(issues.size());
    std::int64_t widest = 0;
    for (const auto& late : issues) {
        const auto early = std::upper_bound(highest.begin(), highest.end(), late.id);
        if (early != highest.end())
            widest = std::max(
                widest, late.true_ns - issues[static_cast<std::size_t>(early - highest.begin())].true_ns);
        highest.push_back(highest.empty() ? late.id : std::max(highest.back(), late.id));
    }
    return widest;
}

}  // namespace firn::lab
