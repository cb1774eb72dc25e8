// The journal's protocol: opening, extending and closing, one effect a step.
//
// Not for users. The journal runs it to the end; the lab runs it a step at a time, with kills, power losses
// and other processes between any two. It holds no resource: dropped at any step, it leaves what a kill at
// that step leaves.
//
//     firn::detail::protocol p(purpose::open, terms);
//     while (p.step(medium) == progress::running) {}
//
// ORDER OF EFFECTS, and what a crash after each leaves behind. N is the newest intact record, in place P;
// "page" is the shared mapping, which survives a kill and not a power loss. Users issue below the page's
// ceiling at all times.
//
//   lock     nothing. The system frees a dead holder's lock; nobody else reads or writes records meanwhile.
//   enter    (open) nothing: a dead user is no user.
//   create   (open, no journal yet) a journal that reserves nothing.
//   rewrite  N's own bytes again in its own place. Why: N may be visible and not durable (its writer died
//            before its sync, or had a failed sync that nobody else was told of). Torn: the sector held the
//            same bytes, or N was never durable and the other place still holds N-1. Left out when the page
//            says N is durable.
//   resync   N is durable. Only now may place 1-P be overwritten.
//   plan     nothing: reads the cursor and the clock, and fixes record N+1. (open, alone) When the system
//            says that the page was not written back, which it says once, the page loses its stamp here and
//            now: else a crash would leave the next process an older page that nothing speaks against.
//   lower    (close) the page's ceiling is cursor + 1: nobody is left to issue above it. Another process that
//            opens now finds N, whose ceiling is higher: it skips slots, no more.
//   write    N+1 visible, perhaps not durable. Kill: the next process finds N+1 and rewrites it before it
//            believes it. Power: N+1, or torn and so N. Both are right: no id at or above N's ceiling has
//            been issued.
//   sync     N+1 durable, not published. No id at or above N's ceiling has been issued yet.
//   adopt    (open, alone, page not trusted) the page's cursor and durable number are what N+1 says. Its
//            stamp is still of another boot (or was taken away in this one), so a crash here has the next
//            process start at N+1's ceiling; or, if the stamp was right, at the adopted cursor, which lies
//            in N+1's range. Nothing was issued either way.
//   stamp    (open, alone) the page belongs to this boot; its cursor lies in [N+1's cursor, N+1's ceiling).
//   publish  N+1's number, then its ceiling: ids up to it may be issued, here and in every process of the
//            page.
//   unlock   done.
#pragma once

#include <chrono>
#include <cstdint>

#include "firn/error.hpp"
#include "firn/layout.hpp"
#include "src/journal/medium.hpp"

namespace firn::detail {

enum class purpose : std::uint8_t { open, extend, close };

enum class progress : std::uint8_t {
    running,  ///< An effect was done; step again.
    blocked,  ///< Another process has the lock; step again later.
    done,
    failed  ///< fault() says why; the lock is free again.
};

/// What a journal is opened with.
struct journal_terms {
    firn::layout layout;
    std::uint64_t machine = 0;
    /// How many ticks past the cursor and the wall a reservation reaches. At least 1.
    std::int64_t window_ticks = 3000;
};

class protocol {
  public:
    protocol(purpose why, const journal_terms& terms) noexcept : terms_(terms), why_(why) {}

    /// Does one effect. Threads: one. Requires that the last step returned running or blocked.
    progress step(medium& m);

    errc fault() const noexcept { return fault_; }
    /// Whether it was a sync that failed: then nothing is known of what was written, and whoever asks for the
    /// same sync again may be told a lie. A failed write has changed nothing, and may be tried again later.
    bool sync_failed() const noexcept { return sync_failed_; }
    /// What was read: after a mismatch, damage or newer, what stands in the way.
    const record_read& found() const noexcept { return found_; }
    /// The record that is now the newest. After done, unless nothing had to be written.
    const journal_record& written() const noexcept { return next_; }
    /// Whether opening continued from the page's cursor, rather than from the ceiling.
    bool trusted() const noexcept { return trusted_; }

  private:
    enum class phase : std::uint8_t {
        lock,
        enter,
        leave,
        read,
        rewrite,
        resync,
        plan,
        lower,
        write,
        sync,
        adopt,
        stamp,
        publish,
        unlock
    };

    progress go(phase next) noexcept {
        phase_ = next;
        return progress::running;
    }
    progress fail(medium& m, errc code) noexcept;
    progress fail_sync(medium& m) noexcept;
    progress examine(medium& m);
    progress plan(medium& m);
    progress publish(medium& m) noexcept;
    bool page_is_trusted(medium& m);
    slot reach(slot from, tick now) const noexcept;

    journal_terms terms_;
    purpose why_;
    phase phase_ = phase::lock;
    bool alone_ = false;
    bool trusted_ = false;
    bool sync_failed_ = false;
    std::size_t place_ = 0;  // of the newest record
    record_read found_;
    journal_record next_;
    errc fault_ = errc::ok;
};

}  // namespace firn::detail
