#include "lab/explore/normal_form.hpp"

#include <algorithm>

#include "lab/journal/mix.hpp"

namespace firn::lab {

namespace {

using detail::record_state;

template <class F>
void for_each_record(host& h, F f) {
    for (place& p : h.places) {
        f(p.durable);
        f(p.visible);
        for (std::size_t i = 0; i < p.count; ++i) f(p.pending[i]);
    }
}

void renumber_records(host& h) noexcept {
    std::uint64_t least = ~std::uint64_t{0};
    for_each_record(h, [&](const kept& k) {
        if (k.state == record_state::intact) least = std::min(least, k.number);
    });
    if (least == ~std::uint64_t{0}) return;
    const std::uint64_t base = least - 1;
    for_each_record(h, [&](kept& k) {
        if (k.state == record_state::intact) k.number -= base;
    });
    // A lower number than that of every record there is will never be that of a record again.
    std::uint64_t& durable = h.page.durable_number;
    durable = durable > base ? durable - base : 0;
}

std::uint64_t bits(std::initializer_list<bool> flags) noexcept {
    std::uint64_t word = 0;
    for (const bool f : flags) word = word << 1 | (f ? 1 : 0);
    return word;
}

void add(mixer& m, const kept& k) noexcept {
    if (k.state != record_state::intact) {
        m.add(k.state);
        return;
    }
    m.add(k.number << 32 | static_cast<std::uint64_t>(k.cursor + 1) << 16 |
          static_cast<std::uint64_t>(k.ceiling));
}

std::uint64_t fingerprint_of(const world& w, unsigned index) noexcept {
    const process& p = w.state().processes[index];
    mixer m;
    m.add(static_cast<std::uint64_t>(p.doing) << 16 |
          bits({p.user, p.forked, p.lost, p.wrote && w.of().bug == bug::read_back_unsynced, p.was_stamped,
                p.between, w.state().host.lock == static_cast<std::int8_t>(index), p.block.fork_epoch != 0}));
    m.add(p.told);
    if (p.between) m.add(p.read_now).add(p.read_cursor).add(p.read_ceiling);
    if (p.block.fork_epoch != 0)
        m.add(p.block.size).add(p.block.claimed_at).add(p.block.next).add(p.block.last);
    return m.value();
}

}  // namespace

void normalise(world& w) noexcept {
    world_state& s = w.state();
    host& h = s.host;
    const bool one_boot = w.of().bug == bug::trusted_across_boots;  // there every boot is boot 1
    h.page.boot = h.page.boot == (one_boot ? 1 : h.boot) ? 1 : 0;
    h.boot = 1;
    for_each_record(h, [](kept& k) {
        k.boot = 0;  // written for people: the protocol does not read it
        k.clean = false;
    });
    bool under_lock = false;
    for (process& p : s.processes) {
        under_lock = under_lock || p.told != 0;
        if (p.block.fork_epoch != p.fork_epoch) p.block = {};
        if (p.block.fork_epoch != 0) p.block.fork_epoch = 1;
        p.fork_epoch = 1;
    }
    s.last_epoch = 1;
    // What a protocol has read it remembers by number; but before it has the lock it has read nothing.
    if (!under_lock) renumber_records(h);
}

std::uint64_t fingerprint(const world& w) noexcept {
    const world_state& s = w.state();
    const host& h = s.host;
    mixer m;
    m.add(h.page.cursor).add(h.page.ceiling).add(h.page.durable_number);
    m.add(bits({h.page.boot == 1, h.exists, h.name_durable, h.records_error, h.page_error, h.page_stale,
                h.page_trouble, h.lock != host::nobody}) |
          std::uint64_t{s.faults} << 8 | std::uint64_t{h.places[0].count} << 16 |
          std::uint64_t{h.places[1].count} << 24);
    for (const place& p : h.places) {
        add(m, p.durable);
        add(m, p.visible);
        for (std::size_t i = 0; i < p.count; ++i) add(m, p.pending[i]);
    }
    m.add(s.highest);
    // Where the order of slots is not that of their use, the whole set counts.
    if (w.of().order != order::strict || w.of().bug != bug::none) m.add(s.given);
    std::uint64_t all = 0;  // a sum, so that the order of the processes makes no difference
    for (unsigned i = 0; i < w.of().processes; ++i) all += fingerprint_of(w, i);
    m.add(all);
    return m.value();
}

}  // namespace firn::lab
