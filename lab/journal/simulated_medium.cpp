#include "lab/journal/simulated_medium.hpp"

namespace firn::lab {

simulated_medium::simulated_medium(const setup& s, world_state& w, unsigned process, const action& a)
    : setup_(s), world_(w), host_(w.host), action_(a), index_(process), trail_(w.processes[process].told) {
    const page_words& p = host_.page;
    page_.words.cursor.store(p.cursor, std::memory_order_relaxed);
    page_.words.ceiling.store(p.ceiling, std::memory_order_relaxed);
    page_.durable_number.store(p.durable_number, std::memory_order_relaxed);
    if (p.boot != 0) {
        page_.boot_high.store(boot_of(p.boot).high, std::memory_order_relaxed);
        page_.boot_low.store(boot_of(p.boot).low, std::memory_order_relaxed);
    }
}

void simulated_medium::finish() noexcept {
    const page_words now{.cursor = page_.words.cursor.load(std::memory_order_relaxed),
                         .ceiling = page_.words.ceiling.load(std::memory_order_relaxed),
                         .durable_number = page_.durable_number.load(std::memory_order_relaxed),
                         .boot = boot_number(page_.boot_high.load(std::memory_order_relaxed),
                                             page_.boot_low.load(std::memory_order_relaxed))};
    // A store makes the page dirty: it cannot be dropped from memory before it is written again.
    if (!(now == host_.page)) host_.page_stale = false;
    host_.page = now;
    if (seen_.effect != effect::blocked) me().told = trail_.value();
}

bool simulated_medium::fail() noexcept {
    made_to_fail_ = true;
    seen_.failed = true;
    return told(false);
}

bool simulated_medium::alone_without_me() const noexcept {
    for (unsigned i = 0; i < world_.processes.size(); ++i)
        if (i != index_ && world_.processes[i].user) return false;
    return true;
}

bool simulated_medium::try_lock() {
    if (host_.lock != host::nobody) {
        seen_.effect = effect::blocked;
        return false;
    }
    host_.lock = static_cast<std::int8_t>(index_);
    seen_.effect = effect::locked;
    me().wrote = false;
    return told(true);
}

void simulated_medium::unlock() noexcept {
    if (host_.lock == static_cast<std::int8_t>(index_)) host_.lock = host::nobody;
    seen_.effect = effect::unlocked;
}

bool simulated_medium::enter() {
    seen_.effect = effect::entered;
    seen_.alone = alone_without_me();
    me().user = true;
    me().was_stamped = host_.page.boot == host_.boot;
    return told(seen_.alone);
}

bool simulated_medium::leave() noexcept {
    seen_.effect = effect::left;
    me().user = false;
    seen_.alone = !me().forked && alone_without_me();
    return told(seen_.alone);
}

std::array<detail::record_read, 2> simulated_medium::read() {
    seen_.effect = effect::read;
    std::array<detail::record_read, 2> places{};
    trail_.add(host_.exists ? 1 : 2);
    if (!host_.exists) return places;
    // What the directory names is there to stay once it was read.
    host_.name_durable = true;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const kept& k = host_.places[i].visible;
        trail_.add(k.number).add(k.cursor).add(k.ceiling).add(k.state);
        places[i].state = k.state;
        if (k.state != detail::record_state::intact) continue;
        places[i].version = detail::format_version;
        places[i].record = record_of(k, setup_.layout, setup::machine);
    }
    return places;
}

bool simulated_medium::create(const detail::journal_record& first) {
    seen_.effect = effect::created;
    if (action_.fault == mishap::write_fails) return fail();
    host_.exists = true;
    host_.name_durable = action_.fault != mishap::interrupted;
    host_.places = {};
    host_.places[0].durable = host_.places[0].visible = kept_of(first);
    interrupted_ = action_.fault == mishap::interrupted;
    return told(true);
}

bool simulated_medium::write(std::size_t place, const detail::journal_record& r) {
    seen_.effect = effect::wrote;
    seen_.place = static_cast<std::uint8_t>(place);
    if (action_.fault == mishap::write_fails) return fail();
    host_.places[place].write(kept_of(r));
    me().wrote = true;
    return told(true);
}

bool simulated_medium::sync() {
    seen_.effect = effect::synced;
    if (action_.fault == mishap::sync_fails) {
        // The pages count as clean from now on, whatever the disk has: asked again, the system sees nothing
        // to do.
        for (std::size_t i = 0; i < host_.places.size(); ++i)
            host_.places[i].settle(action_.fates[i], action_.cut, setup_.layout, setup::machine);
        return fail();
    }
    for (place& p : host_.places) p.synced();
    if (host_.records_error) {
        host_.records_error = false;
        return fail();
    }
    return told(true);
}

detail::journal_page& simulated_medium::page() {
    if (!page_used_) {
        const page_words& p = host_.page;
        trail_.add(p.cursor).add(p.ceiling).add(p.durable_number).add(p.boot == host_.boot ? 1 : 2);
    }
    page_used_ = true;
    return page_;
}

bool simulated_medium::page_is_sound() {
    seen_.asked_page = true;
    bool sound = !host_.page_error;
    host_.page_error = false;
    if (action_.fault == mishap::page_fails) {
        host_.page_stale = true;
        host_.page_trouble = true;
        sound = false;
    }
    return told(sound);
}

tick simulated_medium::now() {
    seen_.asked_clock = true;
    trail_.add(world_.wall);
    return tick{world_.wall};
}

}  // namespace firn::lab
