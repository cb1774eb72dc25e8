// firn::errc, firn::error: what can go wrong, one code for each thing that a caller can do something about.
//
// The numbers are permanent: they may be logged, compared and sent over a wire. Calls on the id path return
// a code in an outcome (outcome.hpp) and never throw; everything that makes, opens or checks throws `error`.
//
//     try { firn::generator g{{.machine = 1024}}; }
//     catch (const firn::error& e) { if (e.code() == firn::errc::machine_out_of_range) … }
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace firn {

enum class errc : std::uint32_t {
    ok = 0,

    // From the id path. No state has changed. `amount` is given in brackets.
    tick_full = 1,        ///< Every sequence number of the tick is spent [the tick to wait for].
    clock_rewound = 2,    ///< The wall reads less than the cursor and the policy is refuse [ticks behind].
    ahead_limit = 3,      ///< The next id would lie further ahead of the wall than allowed [ticks ahead].
    ceiling_reached = 4,  ///< The next slot is not reserved durably yet [slots past the ceiling].
    exhausted = 5,     ///< The timestamp field has no tick left: the layout's life is over [ticks past it].
    before_epoch = 6,  ///< The wall reads an instant before the layout's epoch [ticks before it].
    deadline = 7,      ///< A waiting call reached its wait limit [nanoseconds waited].

    // From making or configuring.
    bad_layout = 20,            ///< Widths that do not add up, a tick or an epoch that makes no sense.
    machine_out_of_range = 21,  ///< The machine number does not fit into its field.
    epoch_in_future = 22,       ///< Ids of this layout would lie before their own epoch.
    life_ended = 23,            ///< The timestamp field has run out already.
    life_ends_soon = 24,        ///< It runs out within the minimum life asked for.
    bad_policy = 25,            ///< Options that contradict each other.
    out_of_range = 26,          ///< An instant outside the layout's life, a field value outside its width.

    // From reading text.
    bad_text = 40,

    // From a journal.
    journal_mismatch = 60,          ///< It was made for another layout, epoch or machine.
    journal_damaged = 61,           ///< No intact record is left in it.
    journal_newer = 62,             ///< It was written by a later version of firn.
    journal_unfit_filesystem = 63,  ///< Its file system does not promise coherent shared mappings.
    journal_replaced = 64,          ///< It was deleted or replaced while in use.
    journal_io = 65,                ///< A system call on it failed [errno].
    out_of_resources = 66,          ///< The system gave no memory, mapping or thread [errno].
};

/// The code's own name, for logs and JSON: "ahead_limit". Never null. Threads: any. Cost: none.
constexpr const char* name_of(errc code) noexcept {
    switch (code) {
        case errc::ok:
            return "ok";
        case errc::tick_full:
            return "tick_full";
        case errc::clock_rewound:
            return "clock_rewound";
        case errc::ahead_limit:
            return "ahead_limit";
        case errc::ceiling_reached:
            return "ceiling_reached";
        case errc::exhausted:
            return "exhausted";
        case errc::before_epoch:
            return "before_epoch";
        case errc::deadline:
            return "deadline";
        case errc::bad_layout:
            return "bad_layout";
        case errc::machine_out_of_range:
            return "machine_out_of_range";
        case errc::epoch_in_future:
            return "epoch_in_future";
        case errc::life_ended:
            return "life_ended";
        case errc::life_ends_soon:
            return "life_ends_soon";
        case errc::bad_policy:
            return "bad_policy";
        case errc::out_of_range:
            return "out_of_range";
        case errc::bad_text:
            return "bad_text";
        case errc::journal_mismatch:
            return "journal_mismatch";
        case errc::journal_damaged:
            return "journal_damaged";
        case errc::journal_newer:
            return "journal_newer";
        case errc::journal_unfit_filesystem:
            return "journal_unfit_filesystem";
        case errc::journal_replaced:
            return "journal_replaced";
        case errc::journal_io:
            return "journal_io";
        case errc::out_of_resources:
            return "out_of_resources";
    }
    return "unknown";
}

/// What a code from the id path means, with its amount, and the way out. Cost: allocates a string.
inline std::string describe(errc code, std::int64_t amount) {
    const std::string n = std::to_string(amount);
    switch (code) {
        case errc::ok:
            return "no error";
        case errc::tick_full:
            return "every sequence number of this tick is spent; wait for tick " + n +
                   ", call next() which waits, or use overflow::borrow";
        case errc::clock_rewound:
            return "the clock reads " + n +
                   " ticks less than the last id; wait until it has caught up, or use rewind::clamp";
        case errc::ahead_limit:
            return "the next id would lie " + n +
                   " ticks ahead of the clock, past ahead_max; mend the clock, or raise ahead_max";
        case errc::ceiling_reached:
            return "the next slot is not reserved durably yet (" + n +
                   " past the ceiling); retry, or call next() which waits for the extension";
        case errc::exhausted:
            return "exhausted: the timestamp field ended " + n +
                   " ticks ago; move to a layout with a later epoch";
        case errc::before_epoch:
            return "the clock reads " + n + " ticks before the layout's epoch; mend the clock or the epoch";
        case errc::deadline:
            return "no id within the wait limit (waited " + n + " ns)";
        case errc::journal_io:
            return "the journal cannot be written (errno " + n +
                   "), and its ids have ended at its ceiling; mend the disk and restart";
        case errc::journal_replaced:
            return "the journal was deleted or replaced while in use, and its ids have ended at its ceiling; "
                   "put it back, or start a new one, and restart";
        case errc::journal_damaged:
            return "the journal was overwritten while in use, and its ids have ended at its ceiling; run "
                   "`firn "
                   "journal check` on it";
        default:
            return name_of(code);
    }
}

/// Thrown by everything that may fail off the id path, and by value() of a failed outcome.
/// what() says what was seen, the bound, and the way out.
class error : public std::runtime_error {
  public:
    error(errc code, const std::string& what, std::int64_t amount = 0)
        : std::runtime_error(what), code_(code), amount_(amount) {}

    errc code() const noexcept { return code_; }
    /// The number that belongs to the code; its unit is named beside the code.
    std::int64_t amount() const noexcept { return amount_; }

  private:
    errc code_;
    std::int64_t amount_;
};

}  // namespace firn
