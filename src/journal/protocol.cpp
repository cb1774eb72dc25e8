#include "src/journal/protocol.hpp"

#include <algorithm>

namespace firn::detail {

namespace {

bool is_of(const journal_page& page, const boot_id& boot) noexcept {
    return boot != boot_id{} && page.boot_high.load(std::memory_order_relaxed) == boot.high &&
           page.boot_low.load(std::memory_order_relaxed) == boot.low;
}

}  // namespace

progress protocol::step(medium& m) {
    switch (phase_) {
        case phase::lock:
            if (!m.try_lock()) return progress::blocked;
            if (why_ == purpose::extend && !m.in_place()) return fail(m, errc::journal_replaced);
            return go(why_ == purpose::open    ? phase::enter
                      : why_ == purpose::close ? phase::leave
                                               : phase::read);
        case phase::enter:
            alone_ = m.enter();
            return go(phase::read);
        case phase::leave:
            alone_ = m.leave();
            return go(alone_ ? phase::read : phase::unlock);
        case phase::read:
            return examine(m);
        case phase::rewrite:
            if (!m.write(place_, found_.record)) return fail(m, errc::journal_io);
            return go(phase::resync);
        case phase::resync:
            if (!m.sync()) return fail_sync(m);
            return go(phase::plan);
        case phase::plan:
            return plan(m);
        case phase::lower:
            m.page().words.ceiling.store(next_.ceiling.value, std::memory_order_release);
            return go(phase::write);
        case phase::write:
            if (!m.write(1 - place_, next_)) return fail(m, errc::journal_io);
            return go(phase::sync);
        case phase::sync:
            if (!m.sync()) return fail_sync(m);
            if (why_ != purpose::open || !alone_) return go(phase::publish);
            return go(trusted_ ? phase::stamp : phase::adopt);
        case phase::adopt:
            m.page().words.cursor.store(next_.cursor.value, std::memory_order_relaxed);
            // What the page says of another boot is not to be believed in this one: a number that happens to
            // be that of a record to come would have it taken for durable.
            m.page().durable_number.store(next_.number, std::memory_order_relaxed);
            return go(phase::stamp);
        case phase::stamp: {
            // Release: whoever sees the stamp sees the cursor that was stored before it.
            const boot_id boot = m.boot();
            m.page().boot_high.store(boot.high, std::memory_order_release);
            m.page().boot_low.store(boot.low, std::memory_order_release);
            return go(phase::publish);
        }
        case phase::publish:
            return publish(m);
        case phase::unlock:
            m.unlock();
            return progress::done;
    }
    return progress::failed;
}

progress protocol::fail(medium& m, errc code) noexcept {
    fault_ = code;
    if (why_ == purpose::open) m.leave();
    m.unlock();
    return progress::failed;
}

progress protocol::fail_sync(medium& m) noexcept {
    sync_failed_ = true;
    return fail(m, errc::journal_io);
}

progress protocol::examine(medium& m) {
    const auto places = m.read();
    if (places[0].state == record_state::absent && places[1].state == record_state::absent) {
        if (why_ != purpose::open) return fail(m, errc::journal_replaced);
        const journal_record first{
            .number = 1, .boot = m.boot(), .layout = terms_.layout, .machine = terms_.machine};
        if (!m.create(first)) return fail(m, errc::journal_io);
        return progress::running;  // and read what is there now
    }
    for (const auto& place : places)
        if (place.state == record_state::newer) {
            found_ = place;
            return fail(m, errc::journal_newer);
        }
    const auto number_of = [](const record_read& r) {
        return r.state == record_state::intact ? r.record.number : 0;
    };
    place_ = number_of(places[1]) > number_of(places[0]) ? 1 : 0;
    found_ = places[place_];
    if (found_.state != record_state::intact) return fail(m, errc::journal_damaged);
    if (!same_identity(found_.record, terms_.layout, terms_.machine)) return fail(m, errc::journal_mismatch);

    if (!is_of(m.page(), m.boot())) return go(phase::rewrite);
    // The page outlives every process of this boot, so a record that it calls durable must be there. If it is
    // not, slots above what is left have been handed out.
    const std::uint64_t durable = m.page().durable_number.load(std::memory_order_acquire);
    if (durable > found_.record.number) return fail(m, errc::journal_damaged);
    return go(durable == found_.record.number ? phase::plan : phase::rewrite);
}

bool protocol::page_is_trusted(medium& m) {
    // While there are other users, the page is what they issue from: it is right, or all is lost already.
    if (!alone_) return true;
    journal_page& page = m.page();
    if (!is_of(page, m.boot())) return false;
    if (!m.page_is_sound()) {
        // The system says so once. Without its stamp the page is not believed by whoever comes next either,
        // should this process die before it has written a record that the page does not agree with.
        page.boot_low.store(0, std::memory_order_release);
        page.boot_high.store(0, std::memory_order_release);
        return false;
    }
    const std::int64_t cursor = page.words.cursor.load(std::memory_order_relaxed);
    return cursor >= found_.record.cursor.value && cursor < found_.record.ceiling.value;
}

slot protocol::reach(slot from, tick now) const noexcept {
    const unsigned bits = terms_.layout.sequence_bits;
    const std::int64_t end = terms_.layout.end_tick().count;
    const std::int64_t tick_now = std::clamp<std::int64_t>(std::max(now, from.tick_of(bits)).count, 0, end);
    return slot::at(tick{std::min(end, tick_now + 1 + std::min(terms_.window_ticks, end))}, 0, bits);
}

progress protocol::plan(medium& m) {
    const journal_record& newest = found_.record;
    journal_page& page = m.page();
    next_ = newest;
    next_.number = newest.number + 1;
    next_.boot = m.boot();
    next_.clean = false;

    if (why_ == purpose::close) {
        next_.cursor = slot{page.words.cursor.load(std::memory_order_relaxed)};
        next_.ceiling = slot{next_.cursor.value + 1};
        next_.clean = true;
        const bool within = next_.cursor >= newest.cursor && next_.cursor < newest.ceiling;
        return go(within ? phase::lower : phase::unlock);
    }
    // The others issue from a page of this boot. This is not it: somebody replaced the file under them.
    if (why_ == purpose::open && !alone_ && !is_of(page, m.boot())) return fail(m, errc::journal_replaced);
    trusted_ = why_ == purpose::extend || page_is_trusted(m);
    next_.cursor =
        trusted_ ? slot{page.words.cursor.load(std::memory_order_relaxed)} : slot{newest.ceiling.value - 1};
    next_.ceiling = std::max(newest.ceiling, reach(slot{next_.cursor.value + 1}, m.now()));
    if (why_ == purpose::extend && next_.ceiling == newest.ceiling) {
        next_ = newest;  // durable by now, and as far as it would reach: another process was first
        return go(phase::publish);
    }
    return go(phase::write);
}

progress protocol::publish(medium& m) noexcept {
    journal_page& page = m.page();
    // The number first: with the ceiling published and the number not, a later process would only sync once
    // more.
    page.durable_number.store(next_.number, std::memory_order_release);
    page.words.ceiling.store(next_.ceiling.value, std::memory_order_release);
    return go(phase::unlock);
}

}  // namespace firn::detail
