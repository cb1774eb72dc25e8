// lab::action: one thing that happens in a simulated world, and its text.
//
// An action that is not possible at the time is passed over, so that any part of a list of actions is a list
// of actions: that is what makes a failure shrinkable.
//
//     start:0                 process 0 starts, and begins to open the journal
//     step:0*9                it does the next effect of its protocol, nine times
//     step:0,write-fails      … which fails; sync-fails=old/torn@13, page-fails, interrupted likewise
//     issue:0,3               it asks for 3 ids at once
//     read:0  claim:0         it reads clock and cursor; it does the compare-and-set, perhaps much later
//     extend:0  close:0  kill:0  fork:0,1
//     wall:+5  wall:-3        the clock goes on, or is stepped
//     power:old/newest,page=back@5   the power goes and comes back
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lab/journal/place.hpp"

namespace firn::lab {

enum class act : std::uint8_t {
    start,
    step,
    issue,
    read,
    claim,
    extend,
    close,
    kill,
    fork,
    power,
    evict,       ///< The visible record of a place is dropped from memory: what the disk has is read again.
    write_back,  ///< The kernel's own writing of records fails; the next sync says so, once.
    page_fails,  ///< The kernel's own writing of the mapped page fails.
    page_evict,  ///< … and the page is dropped from memory: an older one is read.
    wall,
    expire  ///< Only with bug late-write: the lock is taken from whoever holds it.
};

/// What goes wrong within a step.
enum class mishap : std::uint8_t {
    none,
    write_fails,
    sync_fails,
    page_fails,  ///< Writing the page, when the protocol asks whether it is sound.
    interrupted  ///< The process dies within the creation of the journal, with its name not durable yet.
};

/// What is mapped after a power loss.
enum class page_after : std::uint8_t {
    kept,    ///< As it was when the power went.
    back,    ///< With a cursor `n` slots lower: an older copy.
    zero,    ///< Nothing.
    garbage  ///< Numbers that are likely to mislead.
};

struct action {
    act what = act::start;
    std::uint8_t process = 0;
    std::uint8_t other = 0;  ///< fork: the child. evict: the place.
    mishap fault = mishap::none;
    std::array<fate, 2> fates{};  ///< By place: power, write_back, and a sync that fails.
    page_after page = page_after::kept;
    bool name_lost = false;  ///< power: and a journal's name that was not durable goes with it.
    std::int32_t n = 0;      ///< issue: how many. wall: ticks. page back, page_evict: slots.
    std::uint16_t cut = 0;   ///< Where a torn write ends, in bytes; 0: anywhere undecodable.

    friend bool operator==(const action&, const action&) noexcept = default;
};

std::string_view name_of(act a) noexcept;
std::string to_text(const action& a);
/// Nothing when it is none. A repetition (*9) is not part of an action: see script.hpp.
std::optional<action> action_of(std::string_view text);

}  // namespace firn::lab
