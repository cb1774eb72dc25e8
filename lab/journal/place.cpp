#include "lab/journal/place.hpp"

#include <algorithm>
#include <cstddef>

namespace firn::lab {

detail::journal_record record_of(const kept& k, const layout& l, std::uint64_t machine) noexcept {
    return {.number = k.number,
            .boot = boot_of(k.boot),
            .layout = l,
            .machine = machine,
            .cursor = slot{k.cursor},
            .ceiling = slot{k.ceiling},
            .clean = k.clean};
}

kept kept_of(const detail::journal_record& r) noexcept {
    return {.state = detail::record_state::intact,
            .clean = r.clean,
            .boot = boot_number(r.boot.high, r.boot.low),
            .number = r.number,
            .cursor = r.cursor.value,
            .ceiling = r.ceiling.value};
}

namespace {

/// The newest write torn after `cut` bytes, through the production's own bytes.
kept tear(const kept& before, const kept& after, unsigned cut, const layout& l,
          std::uint64_t machine) noexcept {
    using detail::record_state;
    if (cut == 0) return kept{};
    detail::record_bytes bytes{};
    if (before.state == record_state::intact) bytes = detail::encode(record_of(before, l, machine));
    const detail::record_bytes fresh = detail::encode(record_of(after, l, machine));
    const auto whole = static_cast<std::ptrdiff_t>(std::min<std::size_t>(cut, fresh.size()));
    std::copy(fresh.begin(), fresh.begin() + whole, bytes.begin());
    const detail::record_read read = detail::decode(bytes);
    return read.state == record_state::intact ? kept_of(read.record) : kept{};
}

}  // namespace

void place::write(const kept& k) noexcept {
    visible = k;
    const auto end = pending.begin() + count;
    const auto same = std::find(pending.begin(), end, k);
    if (same != end) {
        std::rotate(same, same + 1, end);  // the newest is the last
    } else if (count < pending.size()) {
        pending[count++] = k;
    } else {
        std::rotate(pending.begin() + 1, pending.begin() + 2, pending.end());
        pending.back() = k;
    }
}

void place::synced() noexcept {
    if (count != 0) durable = visible;
    count = 0;
    pending = {};
}

bool place::undecided() const noexcept {
    return std::any_of(pending.begin(), pending.begin() + count,
                       [&](const kept& k) { return !(k == durable); });
}

void place::settle(fate f, unsigned cut, const layout& l, std::uint64_t machine) noexcept {
    if (undecided()) {
        const kept& newest = pending[count - 1U];
        if (f == fate::first) durable = pending[0];
        if (f == fate::newest) durable = newest;
        if (f == fate::torn && !(newest == durable)) durable = tear(durable, newest, cut, l, machine);
    }
    count = 0;
    pending = {};
}

}  // namespace firn::lab
