// One machine's process with a journal: the product's protocol and id path, over a simulated host. The start
// rules D (journal: it is killed, and the page stays) and E (reserve: the host loses power, and it goes).
//
// Not for many processes or for what goes wrong in between: that is journal/world.hpp, which this drives one
// whole protocol at a time. Its disk takes no simulated time.
//
//     lab::scenario s;
//     s.start = lab::start_rule::journal;
//     lab::journal_process p{s};
//     auto r = p.try_next(tick{50});
//     p.restart(tick{20});                                   // goes on from the very slot
#pragma once

#include <cstdint>

#include "firn/claim.hpp"
#include "firn/packer.hpp"
#include "lab/journal/world.hpp"
#include "lab/scenario.hpp"
#include "src/journal/extension.hpp"

namespace firn::lab {

class journal_process {
  public:
    /// Opens a new journal when the wall reads 0. Requires keeps_journal(s.start) and what a journal takes: a
    /// policy that is not blind, a variant that is not free-running. Throws firn::error: a machine out of
    /// range. Here and below std::logic_error: the protocol failed or broke a promise (lab::flaw), which no
    /// figure of such a run would survive.
    explicit journal_process(const scenario& s);

    /// As next() would when the ceiling is in the way: it has it raised, and asks again. Behind it the
    /// journal looks ahead, as its background thread does, after each id.
    outcome<id> try_next(tick wall) {
        claim c = claim_slots(words_, wall, rules_, end_, 1);
        if (c.code == errc::ceiling_reached) [[unlikely]] {
            extend(wall);
            c = claim_slots(words_, wall, rules_, end_, 1);
        }
        if (c.code != errc::ok) [[unlikely]]
            return {c.code, c.amount};
        if (detail::extension_due(seen_at(wall), extended_at_, false, terms_)) [[unlikely]]
            extend(wall);
        return packer_.pack(c.first);
    }

    /// The tick of the cursor.
    std::int64_t position() const noexcept { return cursor().tick_of(rules_.sequence_bits).count; }

    /// D: the process is killed, and another opens the journal in the same boot. E: the power goes, nothing
    /// of the mapped page is left, and another opens it in the next boot.
    void restart(tick wall);

    /// How many slots the restarts have given up: reserved, and never to be handed out.
    std::uint64_t skipped_slots() const noexcept { return skipped_; }

  private:
    slot cursor() const noexcept { return slot{words_.cursor.load(std::memory_order_relaxed)}; }
    detail::outlook seen_at(tick wall) const noexcept {
        return {
            .cursor = cursor(), .ceiling = slot{words_.ceiling.load(std::memory_order_relaxed)}, .now = wall};
    }
    void extend(tick wall);
    void run(act what, tick wall);

    world world_;
    start_rule start_;
    packer packer_;
    policy rules_;
    detail::journal_terms terms_;
    slot end_;
    /// The mapped page's words, while no protocol runs.
    cursor_words words_;
    slot extended_at_ = no_slot;
    std::uint64_t skipped_ = 0;
};

}  // namespace firn::lab
