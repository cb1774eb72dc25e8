// What a journal needs of the world, one effect a call: locks, two records on a disk, a mapped page, the
// boot, a clock.
//
// Two implementations: files.hpp (the operating system) and the lab's simulated disk. The protocol
// (protocol.hpp) is written against this and nothing else, so the same code runs on both.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "firn/claim.hpp"
#include "src/journal/record.hpp"

namespace firn::detail {

/// The mapped page, shared by all processes of a journal. Nothing in it is durable, and none of it is
/// believed unless its stamp names this boot.
struct journal_page {
    cursor_words words;  ///< The cursor, and the ceiling as published: never above what has been synced.
    /// The number of the newest record that is known to be durable.
    alignas(64) std::atomic<std::uint64_t> durable_number{0};
    /// The boot that the words belong to.
    std::atomic<std::uint64_t> boot_high{0};
    std::atomic<std::uint64_t> boot_low{0};
};

class medium {
  public:
    medium() = default;
    medium(const medium&) = delete;
    medium& operator=(const medium&) = delete;
    virtual ~medium() = default;

    /// Takes the lock under which everything but issuing happens. False: another has it; try again later.
    /// A holder that dies loses it.
    virtual bool try_lock() = 0;
    virtual void unlock() noexcept = 0;

    /// Becomes one of the journal's users. Returns whether there is no other. Called with the lock.
    virtual bool enter() = 0;
    /// Ceases to be one. Returns whether it is proved that nobody else can issue any more. Called with the
    /// lock.
    virtual bool leave() noexcept = 0;

    /// Whether the files are still the ones that the path names.
    virtual bool in_place() = 0;

    /// What the two places hold, as the system shows it; both absent when there is no journal yet. A journal
    /// that is there is there to stay: its name is made durable first, lest its maker died before it came to
    /// that.
    virtual std::array<record_read, 2> read() = 0;
    /// Makes a journal with `first` in place 0, durably and at once: after a crash it is there whole or not
    /// at all. False: not possible (error() says why).
    virtual bool create(const journal_record& first) = 0;
    /// Writes a record; until sync() it may be lost, or torn, when the power goes. False: not possible.
    virtual bool write(std::size_t place, const journal_record& r) = 0;
    /// Makes what was written durable. False: nothing is known of it, and it must not be asked again.
    virtual bool sync() = 0;
    /// errno of the last call that returned false.
    virtual int error() const noexcept = 0;

    /// The mapped page. After create() or an intact read() only.
    virtual journal_page& page() = 0;
    /// Whether the system reports that the page's own file was written without error so far.
    virtual bool page_is_sound() = 0;

    virtual boot_id boot() = 0;
    /// The wall, believed and in ticks of the journal's layout.
    virtual tick now() = 0;
};

}  // namespace firn::detail
