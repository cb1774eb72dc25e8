#include "lab/hunt/story.hpp"

#include <array>

#include "firn/error.hpp"

namespace firn::lab {

namespace {

using detail::progress;
using detail::record_state;

std::string number(std::int64_t n) {
    return std::to_string(n);
}

std::string text_of(const kept& k) {
    if (k.state != record_state::intact) return "none that is intact";
    return "record " + std::to_string(k.number) + " (cursor " + number(k.cursor) + ", ceiling " +
           number(k.ceiling) + ")";
}

std::string disk_of(const host& h) {
    if (!h.exists) return "the disk has no journal";
    return "the disk has " + text_of(h.places[0].durable) + " in place 0, " + text_of(h.places[1].durable) +
           " in place 1";
}

std::string slots_of(const happening& h, unsigned bits) {
    const slot first{h.first};
    std::string text = "slot " + number(h.first);
    if (h.count > 1) text = "slots " + number(h.first) + " to " + number(h.first + h.count - 1);
    return text + " (tick " + number(first.tick_of(bits).count) + ", sequence " +
           std::to_string(first.sequence_of(bits)) + ")";
}

/// What a step stored into the mapped page.
std::string page_changes(const page_words& before, const page_words& after, std::uint32_t boot) {
    std::string text;
    const auto add = [&](const std::string& what) {
        text += (text.empty() ? "sets the page's " : ", ") + what;
    };
    if (before.cursor != after.cursor) add("cursor to " + number(after.cursor));
    if (before.boot != after.boot) add(after.boot == boot ? "stamp to this boot" : "stamp to none");
    if (before.durable_number != after.durable_number)
        add("durable record to " + std::to_string(after.durable_number));
    if (before.ceiling != after.ceiling) add("ceiling to " + number(after.ceiling));
    return text;
}

class teller {
  public:
    teller(const world& before, const world& after, const action& a, const happening& h)
        : before_(before), after_(after), a_(a), h_(h) {}

    std::string sentence() const {
        const std::string who = "process " + std::to_string(a_.process) + " ";
        switch (a_.what) {
            case act::start:
                return who + "starts";
            case act::step:
                return who + step();
            case act::issue:
            case act::claim:
                return who + ids();
            case act::read:
                return who + "reads the clock (" + number(after_.state().wall) +
                       ") and the cursor, and is held up";
            case act::extend:
                return who + "begins to extend the reservation";
            case act::close:
                return who + "begins a clean stop";
            case act::kill:
                return who + "is killed";
            case act::fork:
                return who + "forks process " + std::to_string(a_.other);
            case act::power:
                return "the power goes and comes back: " + disk_of(after_.state().host) + "; mapped is " +
                       page();
            case act::evict:
                return "place " + std::to_string(a_.other) + " is dropped from memory; " +
                       disk_of(after_.state().host);
            case act::write_back:
                return "the kernel's write-back of records fails, and nobody is told yet; " +
                       disk_of(after_.state().host);
            case act::page_fails:
                return "the kernel's write-back of the mapped page fails, and nobody is told yet";
            case act::page_evict:
                return "the mapped page is dropped from memory; what is read instead is older: " + page();
            case act::wall:
                return std::string{a_.n < 0 ? "the clock steps back to " : "the clock goes on to "} +
                       number(after_.state().wall);
            case act::expire:
                return "the lock is taken from its holder";
        }
        return {};
    }

  private:
    std::string page() const {
        const page_words& p = after_.state().host.page;
        return "cursor " + number(p.cursor) + ", stamped by " +
               (p.boot == 0 ? std::string{"no boot"} : "boot " + std::to_string(p.boot));
    }

    std::string ids() const {
        if (h_.count != 0) return "is given " + slots_of(h_, after_.of().layout.sequence_bits);
        if (h_.code == errc::ok) return "finds that the cursor has moved, and reads it again";
        return "is refused: " + std::string{firn::name_of(h_.code)} + " (" + number(h_.amount) + ")";
    }

    std::string step() const {
        std::string text = effect_text();
        const std::string stores =
            page_changes(before_.state().host.page, after_.state().host.page,
                         after_.of().bug == bug::trusted_across_boots ? 1 : after_.state().host.boot);
        if (!stores.empty()) text += (text.empty() ? "" : ", ") + stores;
        if (text.empty()) text = "plans the next record";
        return text + end_text();
    }

    std::string effect_text() const {
        const host& h = after_.state().host;
        const place& where = h.places[h_.place];
        switch (h_.effect) {
            case effect::locked:
                return "takes the lock";
            case effect::blocked:
                return "waits for the lock";
            case effect::unlocked:
                return "gives the lock back";
            case effect::entered:
                return h_.alone ? "becomes a user, the only one" : "becomes a user beside others";
            case effect::left:
                return h_.alone ? "is the last user" : "is no user any more";
            case effect::read:
                return "reads the records: " + text_of(h.places[0].visible) + " in place 0, " +
                       text_of(h.places[1].visible) + " in place 1";
            case effect::created:
                if (a_.fault == mishap::interrupted)
                    return "creates the journal and dies before its name is durable";
                return h_.failed ? "fails to create the journal" : "creates the journal";
            case effect::wrote:
                if (h_.failed) return "fails to write";
                return "writes " + text_of(where.visible) + " into place " + std::to_string(h_.place);
            case effect::synced:
                return (h_.failed ? "is told that its sync failed; " : "syncs; ") + disk_of(h);
            case effect::none:
                if (h_.asked_page && after_.state().host.page.boot == 0)
                    return "is told that the page is unsound";
                if (h_.asked_clock)
                    return "plans the next record, with the clock at " + number(after_.state().wall);
                return {};
        }
        return {};
    }

    std::string end_text() const {
        if (h_.progress == progress::failed) return "; it fails: " + std::string{firn::name_of(h_.code)};
        if (h_.progress != progress::done) return {};
        const process& p = after_.state().processes[a_.process];
        if (p.doing != process::mode::up) return "; it has stopped";
        return "; it may issue slots from " + number(after_.cursor_of(a_.process) + 1) + " to below " +
               number(after_.ceiling_of(a_.process));
    }

    const world& before_;
    const world& after_;
    const action& a_;
    const happening& h_;
};

constexpr std::array<std::string_view, 7> flaw_names{"none",    "repeated",    "back",   "unreserved",
                                                     "lowered", "unexplained", "skipped"};

}  // namespace

std::string_view name_of(flaw f) noexcept {
    return flaw_names[static_cast<std::size_t>(f)];
}

std::string_view describe(flaw f) noexcept {
    switch (f) {
        case flaw::none:
            return "no promise was broken";
        case flaw::repeated:
            return "a slot was given twice";
        case flaw::back:
            return "a slot was given that is not above all before it";
        case flaw::unreserved:
            return "slots may be given that a power loss at this moment would forget";
        case flaw::lowered:
            return "the cursor or the ceiling was lowered while in use";
        case flaw::unexplained:
            return "a refusal or failure without a cause";
        case flaw::skipped:
            return "a new process did not go on from the cursor, although nothing was wrong with it";
    }
    return {};
}

std::vector<std::string> story_of(const script& s) {
    std::vector<std::string> lines;
    std::size_t index = 0;
    const auto line = [&](const std::string& text) {
        const std::string at = std::to_string(index + 1);
        lines.push_back(std::string(at.size() < 4 ? 4 - at.size() : 0, ' ') + at + "  " + text);
    };
    // Played action by action, so that the number of a line is that of its action.
    const finding f =
        play_script(s, [&](const world& before, const world& after, std::size_t at, const happening& h) {
            index = at;
            line(teller{before, after, s.actions[at], h}.sentence());
        });
    if (f.flaw == flaw::repeated)
        lines.push_back("=> slot " + std::to_string(f.slot) + " was given twice: at " +
                        std::to_string(f.first_at + 1) + " and at " + std::to_string(f.at + 1));
    else
        lines.push_back("=> " + std::string{describe(f.flaw)} +
                        (f.broken() ? ": at " + std::to_string(f.at + 1) : ""));
    return lines;
}

}  // namespace firn::lab
