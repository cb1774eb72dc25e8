#include "lab/hunt/ledger.hpp"

#include <algorithm>

namespace firn::lab {

std::optional<ledger::repetition> ledger::add(std::int64_t first, std::uint32_t count, std::uint32_t when) {
    slots_ += count;
    const std::int64_t last = first + count - 1;
    if (runs_.empty() || runs_.back().last < first) {
        runs_.push_back({first, last, when});
        return std::nullopt;
    }
    // The first run that does not lie wholly below.
    const auto at = std::lower_bound(runs_.begin(), runs_.end(), first,
                                     [](const run& r, std::int64_t s) { return r.last < s; });
    if (at == runs_.end() || at->first > last) {
        runs_.insert(at, {first, last, when});
        return std::nullopt;
    }
    return repetition{std::max(first, at->first), at->when};
}

void ledger::clear() noexcept {
    runs_.clear();
    slots_ = 0;
}

}  // namespace firn::lab
