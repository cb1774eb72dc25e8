#include "lab/journal_process.hpp"

#include <stdexcept>
#include <string>

namespace firn::lab {

namespace {

/// The machine number is the packer's: a journal only keeps it, and all simulated ones keep the same.
setup setup_of(const scenario& s) {
    setup host;
    host.layout = s.layout;
    host.rules = s.rules;
    host.window_ticks = s.window_ms * 1000 / s.layout.tick_us;
    host.processes = 1;
    return host;
}

}  // namespace

journal_process::journal_process(const scenario& s)
    : world_(setup_of(s)),
      start_(s.start),
      packer_(s.layout, s.machine),
      rules_(world_.of().policy_of_layout()),
      terms_(world_.of().terms()),
      end_(s.layout.end_slot()) {
    run(act::start, tick{0});
}

void journal_process::restart(tick wall) {
    const slot before = cursor();
    if (start_ == start_rule::journal) {
        world_.apply({.what = act::kill});
    } else {
        world_.apply({.what = act::power, .page = page_after::zero});
        // What is read of the page from here on is what the power has left.
        words_.cursor.store(world_.state().host.page.cursor, std::memory_order_relaxed);
        words_.ceiling.store(world_.state().host.page.ceiling, std::memory_order_relaxed);
    }
    run(act::start, wall);
    extended_at_ = no_slot;
    if (cursor() > before) skipped_ += static_cast<std::uint64_t>(cursor().value - before.value);
}

void journal_process::extend(tick wall) {
    const slot before = cursor();
    run(act::extend, wall);
    extended_at_ = before;
}

/// Starts a protocol and runs it to its end; the page's words go to the host and come back.
void journal_process::run(act what, tick wall) {
    host& h = world_.state().host;
    world_.state().wall = wall.count;
    h.page.cursor = words_.cursor.load(std::memory_order_relaxed);
    h.page.ceiling = words_.ceiling.load(std::memory_order_relaxed);
    world_.apply({.what = what});
    while (world_.turns()[0]) {
        const happening step = world_.apply({.what = act::step});
        if (step.progress == detail::progress::failed)
            throw std::logic_error{std::string{"the simulated journal failed: "} + name_of(step.code)};
        if (step.flaw != flaw::none)
            throw std::logic_error{"the simulated journal broke a promise: lab::flaw " +
                                   std::to_string(static_cast<int>(step.flaw))};
    }
    words_.cursor.store(h.page.cursor, std::memory_order_relaxed);
    words_.ceiling.store(h.page.ceiling, std::memory_order_relaxed);
}

}  // namespace firn::lab
