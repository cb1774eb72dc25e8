// lab::world: processes that open, extend, use and close one journal on one simulated host; one action at a
// time, with everything in between that can go wrong.
//
// The journal's protocol (src/journal/protocol.hpp) and the id path (firn::claim_slots) are the product's
// own, over a simulated medium. A world is plain data: to try two futures, copy its state.
//
//     lab::world w{lab::setup{}};
//     w.apply({.what = lab::act::start});
//     lab::happening h = w.apply({.what = lab::act::step});
//     if (h.flaw != lab::flaw::none) …                       // a promise was broken
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "firn/claim.hpp"
#include "lab/journal/action.hpp"
#include "lab/journal/host.hpp"
#include "lab/journal/setup.hpp"
#include "src/journal/protocol.hpp"

namespace firn::lab {

/// A thread's own block, as firn::issuer keeps one.
struct held_block {
    std::uint32_t fork_epoch = 0;  ///< 0: no block.
    std::uint32_t size = 0;
    std::int64_t claimed_at = 0;
    std::int64_t next = 0;
    std::int64_t last = 0;
};

struct process {
    enum class mode : std::uint8_t { down, opening, up, extending, closing };

    mode doing = mode::down;
    bool user = false;         ///< Holds the user lock.
    bool forked = false;       ///< Has forked, or was forked.
    bool lost = false;         ///< A sync failed: no extension and no clean stop any more.
    bool wrote = false;        ///< In this turn under the lock.
    bool was_stamped = false;  ///< When it came in, the page was of this boot.
    bool between = false;      ///< Between reading clock and cursor, and its compare-and-set:
    std::int64_t read_now = 0;
    std::int64_t read_cursor = 0;
    std::int64_t read_ceiling = 0;
    std::uint32_t fork_epoch = 1;
    std::uint32_t failures = 0;    ///< In a row, for the probe.
    std::int64_t own_cursor = -1;  ///< With memory::process.
    held_block block;
    /// A hash of all that the running protocol has been told. The protocol is a function of it.
    std::uint64_t told = 0;

    bool may_issue() const noexcept { return doing == mode::up || doing == mode::extending; }
};

struct world_state {
    lab::host host;
    std::array<process, setup::most_processes> processes{};
    std::int64_t wall = 0;
    std::int64_t highest = -1;     ///< The highest slot that anyone was given,
    std::uint64_t given = 0;       ///< and the set of those below 64.
    std::uint32_t last_epoch = 1;  ///< Of all forks.
    std::uint32_t faults = 0;      ///< How many mishaps, write-back failures and evictions there were.
};

/// A broken promise.
enum class flaw : std::uint8_t {
    none,
    repeated,    ///< A slot was given twice (seen here for slots below 64; the hunt's ledger sees all).
    back,        ///< A slot was given that is not above all given before.
    unreserved,  ///< A slot was given, or a ceiling published, that a power loss at that moment would forget.
    lowered,     ///< The cursor or the ceiling was lowered while in use.
    unexplained,  ///< A refusal or a failure without a cause.
    skipped       ///< A new process did not go on from the cursor although nothing was wrong with it.
};

/// The last call that a protocol made in a step.
enum class effect : std::uint8_t {
    none,
    locked,
    blocked,
    unlocked,
    entered,
    left,
    read,
    created,
    wrote,
    synced
};

/// What an action did.
struct happening {
    bool applied = false;  ///< Or it was not possible, and nothing has changed.
    lab::flaw flaw = flaw::none;
    errc code = errc::ok;  ///< Why no id was given; or why a protocol failed.
    std::int64_t amount = 0;
    std::int64_t first = 0;  ///< The slots that were given.
    std::uint32_t count = 0;

    // Of a step: what was asked, and so what could have gone wrong.
    lab::effect effect = effect::none;
    bool failed = false;  ///< The call said so.
    bool alone = false;
    std::uint8_t place = 0;
    bool asked_clock = false;
    bool asked_page = false;
    detail::progress progress = detail::progress::running;
};

class world {
  public:
    using turns_type = std::array<std::optional<detail::protocol>, setup::most_processes>;

    explicit world(const setup& s) : setup_(s), rules_(s.policy_of_layout()), terms_(s.terms()) {}

    happening apply(const action& a);

    const setup& of() const noexcept { return setup_; }
    world_state& state() noexcept { return state_; }
    const world_state& state() const noexcept { return state_; }
    turns_type& turns() noexcept { return turns_; }
    const turns_type& turns() const noexcept { return turns_; }

    /// The ceiling that a power loss now would leave at least; -1: it could leave no journal.
    std::int64_t guaranteed_ceiling() const noexcept;
    /// The cursor and the ceiling that process `p` would issue by.
    std::int64_t cursor_of(unsigned p) const noexcept;
    std::int64_t ceiling_of(unsigned p) const noexcept;

  private:
    happening act_on(const action& a);
    happening start(process& p, unsigned index);
    happening step(process& p, unsigned index, const action& a);
    void finish_step(process& p, unsigned index, happening& h);
    happening issue(process& p, std::uint32_t want);
    happening issue_of_block(process& p);
    happening read(process& p);
    happening claim(process& p);
    happening close(process& p, unsigned index);
    happening fork(process& p, const action& a);
    happening power(const action& a);
    void kill(process& p, unsigned index) noexcept;
    firn::claim claim_from(process& p, std::int64_t now, std::uint32_t want);
    void give(happening& h, const firn::claim& c, std::int64_t now);
    void give_slots(happening& h, std::int64_t first, std::uint32_t count);
    bool in_use() const noexcept;

    setup setup_;
    policy rules_;
    detail::journal_terms terms_;
    world_state state_;
    turns_type turns_{};
};

}  // namespace firn::lab
