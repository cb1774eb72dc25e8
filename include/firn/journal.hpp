// firn::journal: ids whose memory outlives the process (level 1) and the power (level 2). Link firn::runtime.
//
// The cursor is a word in a mapped file, so that kill -9 loses nothing and any number of processes on one
// host share it. Slots are reserved durably ahead of use by a background thread, so that a power loss skips
// slots and repeats none.
//
// When not to use it: on NFS and the like (refused); as two directories for one machine number on one or more
// hosts; from a copy or an old backup of the directory. GUARANTEES.md says what is promised and what is not.
//
//     auto orders = firn::journal::open("state/orders", {.machine = 7});
//     firn::id a = orders.next();
//     if (auto r = orders.try_next()) use(*r);           // never blocks, never throws
//     firn::journal_status s = orders.status();          // how far it is reserved, and whether it still can
//     be
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "firn/generator.hpp"
#include "firn/issuer.hpp"

namespace firn {

namespace detail {
class reservation;
}

/// What a journal's user may want to watch. This process's view.
struct journal_status {
    slot last;                     ///< The last slot handed out, by any process.
    slot ceiling;                  ///< The first slot that is not reserved.
    std::int64_t ticks_left = 0;   ///< From the cursor or the wall, whichever is later, to the ceiling.
    bool continued = false;        ///< Opened at the exact cursor, not at the ceiling: nothing was skipped.
    std::uint64_t extensions = 0;  ///< Done by this process.
    std::int64_t last_extension_ns = 0;  ///< How long the last one took.
    std::int64_t longest_extension_ns = 0;
    errc trouble = errc::ok;  ///< Why the ceiling cannot be raised: mostly journal_io or journal_replaced.
    int trouble_errno = 0;
    bool lost = false;  ///< The trouble is for good: ids end at the ceiling. Otherwise it is retried.
};

class journal final : public issuer<packer> {
  public:
    using options = generator_options;

    /// Opens the journal in `directory`, or makes it. Other processes and other journals of this process may
    /// have it open too, with the same layout and machine.
    ///
    /// With an empty options.clock the runtime's counter_clock is used, guarded against leaps.
    /// Errors, as firn::error, with nothing changed: those of generator; journal_mismatch (names both sides),
    /// journal_damaged, journal_newer, journal_unfit_filesystem, journal_replaced, journal_io (amount:
    /// errno). Blocks while another process opens or extends it. Cost: a few system calls, three or
    /// four syncs, a thread.
    static journal open(const std::filesystem::path& directory, const options& o);

    /// A clean stop. When nobody else uses the journal, the exact cursor is written, and what was reserved
    /// beyond it is given back. No other thread may be in a call. Cost: one or two fdatasync.
    ~journal() override;

    journal_status status() const noexcept;

  protected:
    outcome<id> at_ceiling(std::int64_t slots_past) noexcept override;
    /// Waits for the background thread to extend. Throws what keeps it from that, with what to do.
    std::chrono::nanoseconds wait_for_ceiling(std::chrono::nanoseconds limit) override;

  private:
    journal(const options& o, const policy& rules, std::shared_ptr<firn::clock> c,
            std::unique_ptr<detail::reservation> r);

    std::unique_ptr<detail::reservation> reservation_;
};

/// What stands in a journal's files, read without opening it: for people and tools.
struct journal_report {
    struct record {
        std::string state;  ///< "intact", "damaged", "newer" or "absent".
        std::uint32_t version = 0;
        std::uint64_t number = 0;
        std::string boot;  ///< 32 hex digits.
        firn::layout layout;
        std::uint64_t machine = 0;
        slot cursor;
        slot ceiling;
        bool clean = false;
    };
    std::vector<record> records;  ///< By place: two, or none when there is no journal.
    int newest = -1;              ///< Index of the record that counts; -1: none is intact.
    bool in_use = false;          ///< Some process has it open.
    bool in_memory = false;       ///< Its file system is (tmpfs, ramfs): it survives a kill, and no reboot.
    bool has_page = false;
    bool page_of_this_boot = false;
    std::uint64_t page_durable_number = 0;  ///< The newest record that the page knows to be durable.
    slot page_cursor;
    slot page_ceiling;
    std::vector<std::string> faults;  ///< Sentences, each with its remedy; empty: a process can open it.
};

/// Reads the files of the journal in `directory`, changing nothing. Throws journal_io when that is not
/// possible. What it reads of a journal in use may be older than what the users see.
journal_report inspect_journal(const std::filesystem::path& directory);

}  // namespace firn
