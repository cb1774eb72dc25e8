#include "lab/journal/world.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "lab/journal/answer.hpp"
#include "lab/journal/broken_mediums.hpp"

namespace firn::lab {

static_assert(std::is_trivially_copyable_v<world_state> && std::is_trivially_copyable_v<detail::protocol>,
              "a world is copied at every step of the explorer");

namespace {

constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::int64_t world::cursor_of(unsigned p) const noexcept {
    return setup_.memory == memory::journal ? state_.host.page.cursor : state_.processes[p].own_cursor;
}

std::int64_t world::ceiling_of(unsigned) const noexcept {
    return setup_.memory == memory::journal ? state_.host.page.ceiling : unlimited;
}

bool world::in_use() const noexcept {
    return std::any_of(state_.processes.begin(), state_.processes.end(),
                       [](const process& p) { return p.may_issue(); });
}

std::int64_t world::guaranteed_ceiling() const noexcept {
    const host& h = state_.host;
    if (!h.exists || !h.name_durable) return -1;
    std::array<std::array<kept, 5>, 2> possible{};
    std::array<std::size_t, 2> count{};
    for (std::size_t i = 0; i < 2; ++i) {
        const place& p = h.places[i];
        possible[i][count[i]++] = p.durable;
        if (!p.undecided()) continue;
        for (std::size_t k = 0; k < p.count; ++k) possible[i][count[i]++] = p.pending[k];
        possible[i][count[i]++] = kept{};  // torn
    }
    std::int64_t least = unlimited;
    for (std::size_t a = 0; a < count[0]; ++a)
        for (std::size_t b = 0; b < count[1]; ++b) {
            const kept& first = possible[0][a];
            const kept& second = possible[1][b];
            const bool intact_first = first.state == detail::record_state::intact;
            const bool intact_second = second.state == detail::record_state::intact;
            if (!intact_first && !intact_second) return -1;
            const bool later = intact_second && (!intact_first || second.number > first.number);
            least = std::min(least, later ? second.ceiling : first.ceiling);
        }
    return least;
}

happening world::apply(const action& a) {
    if (a.process >= setup_.processes) return {};
    if (setup_.bug != bug::none) return act_on(a);
    if (a.what == act::wall) return act_on(a);
    const page_words before = state_.host.page;
    const bool used = in_use();
    happening h = act_on(a);
    if (!h.applied || h.flaw != flaw::none || setup_.memory != memory::journal || !used || !in_use())
        return h;
    const page_words& now = state_.host.page;
    if (now.cursor < before.cursor || now.ceiling < before.ceiling)
        h.flaw = flaw::lowered;
    else if (now.ceiling > guaranteed_ceiling())
        h.flaw = flaw::unreserved;
    return h;
}

happening world::act_on(const action& a) {
    process& p = state_.processes[a.process];
    host& h = state_.host;
    happening done;
    switch (a.what) {
        case act::start:
            return start(p, a.process);
        case act::step:
            return turns_[a.process] ? step(p, a.process, a) : happening{};
        case act::issue:
            if (!p.may_issue() || p.between || a.n < 1) return {};
            return issue(p, static_cast<std::uint32_t>(a.n));
        case act::read:
            if (!p.may_issue() || p.between || setup_.memory != memory::journal) return {};
            return read(p);
        case act::claim:
            if (!p.may_issue() || !p.between) return {};
            return claim(p);
        case act::extend:
            if (p.doing != process::mode::up || p.lost || setup_.memory != memory::journal) return {};
            p.doing = process::mode::extending;
            turns_[a.process].emplace(detail::purpose::extend, terms_);
            p.told = 0;
            break;
        case act::close:
            if (p.doing != process::mode::up || p.between || setup_.memory != memory::journal) return {};
            return close(p, a.process);
        case act::kill:
            if (p.doing == process::mode::down) return {};
            kill(p, a.process);
            break;
        case act::fork:
            return fork(p, a);
        case act::power:
            return power(a);
        case act::evict: {
            place& where = h.places[a.other];
            if (where.count != 0 || where.visible == where.durable) return {};
            where.visible = where.durable;
            ++state_.faults;
            break;
        }
        case act::write_back: {
            if (!h.places[0].undecided() && !h.places[1].undecided()) return {};
            for (std::size_t i = 0; i < 2; ++i)
                h.places[i].settle(a.fates[i], a.cut, setup_.layout, setup::machine);
            h.records_error = true;
            ++state_.faults;
            break;
        }
        case act::page_fails:
            if (h.page.boot != h.boot || h.page_stale) return {};
            h.page_error = h.page_stale = h.page_trouble = true;
            ++state_.faults;
            break;
        case act::page_evict:
            // A page that somebody has mapped is locked in memory.
            if (!h.page_stale || a.n < 1) return {};
            for (const process& any : state_.processes)
                if (any.doing != process::mode::down) return {};
            h.page.cursor = std::max<std::int64_t>(-1, h.page.cursor - a.n);
            ++state_.faults;
            break;
        case act::wall:
            if (a.n == 0) return {};
            state_.wall += a.n;
            break;
        case act::expire:
            if (setup_.bug != bug::late_write || h.lock == host::nobody) return {};
            h.lock = host::nobody;
            break;
    }
    done.applied = true;
    return done;
}

happening world::start(process& p, unsigned index) {
    if (p.doing != process::mode::down) return {};
    happening h;
    h.applied = true;
    const std::uint32_t epoch = p.fork_epoch;
    p = process{};
    p.fork_epoch = epoch;
    if (setup_.memory == memory::journal) {
        p.doing = process::mode::opening;
        turns_[index].emplace(detail::purpose::open, terms_);
        return h;
    }
    p.doing = process::mode::up;
    const unsigned bits = setup_.layout.sequence_bits;
    if (setup_.memory == memory::process_resume)
        p.own_cursor = slot::at(slot{state_.highest}.tick_of(bits), 0, bits).value;
    return h;
}

void world::kill(process& p, unsigned index) noexcept {
    const std::uint32_t epoch = p.fork_epoch;
    p = process{};
    p.fork_epoch = epoch;
    turns_[index].reset();
    if (state_.host.lock == static_cast<std::int8_t>(index)) state_.host.lock = host::nobody;
}

happening world::step(process& p, unsigned index, const action& a) {
    happening h;
    bool excused = false;
    bool interrupted = false;
    with_medium(setup_, state_, index, a, [&](simulated_medium& m) {
        const detail::progress progress = turns_[index]->step(m);
        m.finish();
        h = m.seen();
        h.progress = progress;
        excused = m.made_to_fail();
        interrupted = m.interrupted();
    });
    h.applied = true;
    if (a.fault != mishap::none) ++state_.faults;
    if (interrupted) {
        kill(p, index);
        return h;
    }
    if (h.progress == detail::progress::done || h.progress == detail::progress::failed) {
        if (h.progress == detail::progress::failed && !excused && setup_.bug == bug::none)
            h.flaw = flaw::unexplained;
        finish_step(p, index, h);
    }
    return h;
}

/// A protocol has come to its end.
void world::finish_step(process& p, unsigned index, happening& h) {
    const detail::protocol& turn = *turns_[index];
    h.code = turn.fault();
    const bool failed = h.progress == detail::progress::failed;
    if (p.doing == process::mode::extending) {
        // As reservation.cpp has it: a failed sync is for good, a failed write may be tried again.
        if (failed && (turn.sync_failed() || turn.fault() != errc::journal_io)) p.lost = true;
        p.doing = process::mode::up;
    } else if (p.doing == process::mode::opening && !failed) {
        p.doing = process::mode::up;
        if (setup_.bug == bug::none && !turn.trusted() && p.was_stamped && !state_.host.page_trouble)
            h.flaw = flaw::skipped;
    } else {
        kill(p, index);
        return;
    }
    turns_[index].reset();
    p.told = 0;
    p.was_stamped = false;
}

happening world::close(process& p, unsigned index) {
    happening h;
    h.applied = true;
    if (p.lost) {
        kill(p, index);  // its descriptors go with it; what is on the disk is left to the next one
        return h;
    }
    p.doing = process::mode::closing;
    p.block = {};
    turns_[index].emplace(detail::purpose::close, terms_);
    p.told = 0;
    return h;
}

happening world::fork(process& p, const action& a) {
    if (!p.may_issue() || a.other >= setup_.processes || a.other == a.process) return {};
    process& child = state_.processes[a.other];
    if (child.doing != process::mode::down) return {};
    p.forked = true;
    child = p;
    child.doing = process::mode::up;  // the thread that extends is not there
    child.between = false;
    child.told = 0;
    child.fork_epoch = ++state_.last_epoch;
    if (setup_.bug == bug::block_across_fork) child.block.fork_epoch = child.fork_epoch;
    happening h;
    h.applied = true;
    return h;
}

happening world::power(const action& a) {
    host& h = state_.host;
    for (unsigned i = 0; i < setup_.processes; ++i) kill(state_.processes[i], i);
    for (std::size_t i = 0; i < 2; ++i) {
        h.places[i].settle(a.fates[i], a.cut, setup_.layout, setup::machine);
        h.places[i].visible = h.places[i].durable;
    }
    if (h.exists && !h.name_durable && a.name_lost) {
        h.exists = false;
        h.places = {};
    }
    h.name_durable = h.exists;
    h.records_error = h.page_error = h.page_stale = h.page_trouble = false;
    h.lock = host::nobody;
    ++h.boot;
    switch (a.page) {
        case page_after::kept:
            break;
        case page_after::back:
            h.page.cursor = std::max<std::int64_t>(-1, h.page.cursor - a.n);
            break;
        case page_after::zero:
            h.page = {.cursor = 0, .ceiling = 0, .durable_number = 0, .boot = 0};
            break;
        case page_after::garbage: {
            const std::uint64_t newest = std::max(h.places[0].durable.number, h.places[1].durable.number);
            h.page = {.cursor = 0,
                      .ceiling = unlimited,
                      .durable_number = newest + static_cast<std::uint64_t>(a.n),
                      .boot = 0};
            break;
        }
    }
    happening done;
    done.applied = true;
    return done;
}

firn::claim world::claim_from(process& p, std::int64_t now, std::uint32_t want) {
    cursor_words words;
    std::int64_t& cursor = setup_.memory == memory::journal ? state_.host.page.cursor : p.own_cursor;
    std::int64_t ceiling = setup_.memory == memory::journal ? state_.host.page.ceiling : unlimited;
    words.cursor.store(cursor, std::memory_order_relaxed);
    words.ceiling.store(ceiling, std::memory_order_relaxed);
    firn::claim c = claim_slots(words, tick{now}, rules_, setup_.layout.end_slot(), want);
    if (c.code == errc::ceiling_reached && setup_.bug == bug::ceiling_after_use && !p.lost) {
        ceiling = std::min(setup_.layout.end_slot().value,
                           ceiling + (setup_.window_ticks << setup_.layout.sequence_bits));
        state_.host.page.ceiling = ceiling;
        words.ceiling.store(ceiling, std::memory_order_relaxed);
        c = claim_slots(words, tick{now}, rules_, setup_.layout.end_slot(), want);
    }
    const std::int64_t after = words.cursor.load(std::memory_order_relaxed);
    if (after != cursor) state_.host.page_stale = false;
    cursor = after;
    return c;
}

/// Slots are handed out, or refused.
void world::give(happening& h, const firn::claim& c, std::int64_t) {
    if (c.code == errc::ok) return give_slots(h, c.first.value, c.count);
    h.code = c.code;
    h.amount = c.amount;
}

void world::give_slots(happening& h, std::int64_t first, std::uint32_t count) {
    h.first = first;
    h.count = count;
    const std::int64_t last = first + count - 1;
    for (std::int64_t s = first; s <= last && s < 64; ++s) {
        const std::uint64_t bit = std::uint64_t{1} << s;
        if ((state_.given & bit) != 0) h.flaw = flaw::repeated;
        state_.given |= bit;
    }
    const bool ordered = setup_.order == order::strict;
    if (setup_.bug == bug::none && h.flaw == flaw::none) {
        if (ordered && first <= state_.highest) h.flaw = flaw::back;
        if (setup_.memory == memory::journal && last >= guaranteed_ceiling()) h.flaw = flaw::unreserved;
    }
    state_.highest = std::max(state_.highest, last);
}

happening world::issue(process& p, std::uint32_t want) {
    if (want == 1 && setup_.largest_block != 0) return issue_of_block(p);
    const unsigned index = static_cast<unsigned>(&p - state_.processes.data());
    const question asked{.cursor = cursor_of(index),
                         .ceiling = ceiling_of(index),
                         .now = state_.wall,
                         .end_tick = setup_.layout.end_tick().count};
    happening h;
    h.applied = true;
    p.block = {};
    const firn::claim c = claim_from(p, state_.wall, want);
    give(h, c, state_.wall);
    if (setup_.bug == bug::none && h.flaw == flaw::none) {
        const answer e = expected_answer(asked, rules_);
        // Where a fresh tick begins somewhere else than at 0, the model does not know the slot.
        const bool known =
            rules_.start == sequence_start::zero || (e.code != errc::ok && e.code != errc::ceiling_reached);
        const bool same =
            e.code == c.code && (c.code == errc::ok ? e.first == c.first.value : e.amount == c.amount);
        if (known && !same) h.flaw = flaw::unexplained;
    }
    // A full tick is waited out, and is no failure.
    const bool failed = c.code != errc::ok && c.code != errc::tick_full;
    if (failed && setup_.probe != 0 && ++p.failures >= setup_.probe) {
        kill(p, index);
        start(p, index);
    }
    if (c.code == errc::ok) p.failures = 0;
    return h;
}

happening world::issue_of_block(process& p) {
    happening h;
    h.applied = true;
    held_block& b = p.block;
    const bool mine = b.fork_epoch == p.fork_epoch && b.claimed_at == state_.wall &&
                      (setup_.order == order::thread_blocks || state_.host.page.cursor == b.last);
    if (mine && b.next <= b.last) {
        give_slots(h, b.next++, 1);
        return h;
    }
    const std::uint32_t size = mine ? std::min(b.size * 2, setup_.largest_block) : 1;
    const firn::claim c = claim_from(p, state_.wall, size);
    if (c.code != errc::ok) {
        give(h, c, state_.wall);
        return h;
    }
    b = {.fork_epoch = p.fork_epoch,
         .size = size,
         .claimed_at = state_.wall,
         .next = c.first.value + 1,
         .last = c.first.value + c.count - 1};
    give_slots(h, c.first.value, 1);
    return h;
}

happening world::read(process& p) {
    p.between = true;
    p.read_now = state_.wall;
    p.read_cursor = state_.host.page.cursor;
    p.read_ceiling = state_.host.page.ceiling;
    happening h;
    h.applied = true;
    return h;
}

/// The second half of claim_slots: it is run on what was read, and takes effect if the cursor is still that.
happening world::claim(process& p) {
    happening h;
    h.applied = true;
    cursor_words words;
    words.cursor.store(p.read_cursor, std::memory_order_relaxed);
    words.ceiling.store(p.read_ceiling, std::memory_order_relaxed);
    const firn::claim c = claim_slots(words, tick{p.read_now}, rules_, setup_.layout.end_slot(), 1);
    if (c.code == errc::ok && p.read_cursor != state_.host.page.cursor) {
        // Another was first: it reads cursor and ceiling again, but not the clock.
        p.read_cursor = state_.host.page.cursor;
        p.read_ceiling = state_.host.page.ceiling;
        return h;
    }
    p.between = false;
    p.block = {};
    if (c.code == errc::ok) {
        state_.host.page.cursor = words.cursor.load(std::memory_order_relaxed);
        state_.host.page_stale = false;
    }
    give(h, c, p.read_now);
    return h;
}

}  // namespace firn::lab
