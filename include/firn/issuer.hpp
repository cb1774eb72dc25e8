// firn::issuer: the calls that hand out ids, over words that may be shared by threads and processes.
//
// What generator (process memory) and journal (a file) have in common. Not made by users.
//
//     if (auto r = ids.try_next()) use(*r);                  // never blocks, never throws
//     firn::id a = ids.next();                               // waits out a full tick, throws past its bounds
//     firn::id b = ids.next(std::chrono::milliseconds{5});   // waits at most so long
//     std::array<firn::id, 64> block;
//     ids.next(block);                                       // one atomic step for all of them
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "firn/claim.hpp"
#include "firn/clock.hpp"
#include "firn/detail/fork_epoch.hpp"
#include "firn/detail/thread_block.hpp"
#include "firn/packer.hpp"

namespace firn {

/// What the order of ids promises.
enum class order : std::uint8_t {
    /// An id obtained before another call begins is smaller: across threads, and across the processes of a
    /// journal.
    strict,
    /// In order per thread, and across threads from one tick to the next of a wall that is not set back. Each
    /// thread takes a block of slots with one atomic step; what it has not used at the end of the tick is
    /// dropped.
    thread_blocks
};

/// What an issuer has seen since it was made; this process only.
struct issue_counters {
    std::uint64_t refusals = 0;        ///< Failed try_next calls (and inner tries of next), for any reason.
    std::uint64_t waits = 0;           ///< How often next() had to wait.
    std::int64_t longest_wait_ns = 0;  ///< The longest that one call of next() has waited.
};

template <class Packer>
class issuer {
  public:
    static constexpr std::chrono::nanoseconds default_wait = std::chrono::seconds{1};

    issuer(const issuer&) = delete;
    issuer& operator=(const issuer&) = delete;

    /// The next id, or why there is none just now (errc says which and what amount() is); then nothing has
    /// changed. Threads: any, but not from a signal handler, which may interrupt the thread inside its own
    /// block. Cost: a counter reading and a few loads; a compare-and-set when the thread's block is used up
    /// or void. Never blocks, never throws, allocates nothing, makes no system call that its clock does not
    /// make.
    outcome<id> try_next() noexcept {
        detail::thread_block& b = detail::block_at(place_);
        if (read_counter() - b.begin < b.length && b.next_id != b.end_id && usable(b)) [[likely]]
            return take(b);
        return try_next_of_fresh_run(b);
    }

    /// Claims ids for the front of `out` with one atomic step, whatever the order setting. Returns how many
    /// were written: out.size(), or fewer when the tick (spin), the ceiling or ahead_max leaves no more; or
    /// an error, with nothing written or changed. An empty span gives 0. Ids of one call are increasing and
    /// their slots contiguous. Threads, cost: as try_next(), and about one store an id.
    outcome<std::size_t> try_next(std::span<id> out) noexcept {
        if (out.empty()) return std::size_t{0};
        const auto want = static_cast<std::uint32_t>(std::min<std::size_t>(out.size(), largest_batch));
        tick now = clock_->now();
        const claim c = claim_at(now, want);
        if (c.code != errc::ok) [[unlikely]] {
            const outcome<id> refused = refuse(c);
            return {refused.error(), refused.amount()};
        }
        // What is left of the thread's block lies before this batch: handed out later, it would break the
        // order. (In strict order the cursor has moved, and says so itself.)
        if (order_ == order::thread_blocks) detail::block_at(place_) = {};
        detail::pack_run(packer_, c.first, out.first(c.count));
        return std::size_t{c.count};
    }

    /// The next id. Waits for the tick, a small rewind (refuse) or the ceiling, sleeping, for at most `limit`
    /// in all. Throws error: deadline when the limit is reached; ahead_limit, exhausted, before_epoch at
    /// once, since no wait that a caller would bear mends them; journal errors (journal.hpp). State is
    /// unchanged on error. Threads: any. Cost: as try_next() when it need not wait.
    id next(std::chrono::nanoseconds limit = default_wait) {
        if (const outcome<id> r = try_next()) [[likely]]
            return *r;
        id one;
        next(std::span<id>(&one, 1), limit);
        return one;
    }

    /// The same until a deadline on the steady clock.
    id next(std::chrono::steady_clock::time_point deadline) {
        const auto now = std::chrono::steady_clock::now();
        return next(deadline > now ? deadline - now : std::chrono::nanoseconds{0});
    }

    /// Fills `out`. As next() otherwise. On error some of `out` may have been written; those ids are spent,
    /// and no one will get them again.
    void next(std::span<id> out, std::chrono::nanoseconds limit = default_wait) {
        std::chrono::nanoseconds waited{0};
        std::size_t done = 0;
        while (done < out.size()) {
            const outcome<std::size_t> r = try_next(out.subspan(done));
            if (r)
                done += *r;
            else
                waited += wait_out(r.error(), r.amount(), waited, limit);
        }
        if (waited.count() > 0) note_wait(waited);
    }

    /// How far the cursor's tick is past the wall, in ticks; 0 when it is not. Threads: any.
    std::int64_t ahead() noexcept {
        const std::int64_t spent = last_slot().tick_of(policy_.sequence_bits).count;
        return std::max<std::int64_t>(0, spent - clock_->now().count);
    }

    /// The last slot handed out, by anyone who shares the words. Threads: any; it may be old when it is
    /// returned.
    slot last_slot() const noexcept { return slot{words_.cursor.load(std::memory_order_relaxed)}; }

    const layout& layout_of() const noexcept { return packer_.layout_of(); }
    std::uint64_t machine() const noexcept { return packer_.machine(); }
    firn::clock& clock() noexcept { return *clock_; }

    issue_counters counters() const noexcept {
        return {.refusals = refusals_.load(std::memory_order_relaxed),
                .waits = waits_.load(std::memory_order_relaxed),
                .longest_wait_ns = longest_wait_ns_.load(std::memory_order_relaxed)};
    }

  protected:
    /// `words` outlive the issuer.
    issuer(const Packer& p, const policy& rules, order o, std::shared_ptr<firn::clock> c, cursor_words& words)
        : words_(words),
          clock_(std::move(c)),
          packer_(p),
          policy_(rules),
          order_(o),
          end_(p.layout_of().end_slot()),
          owner_(detail::new_owner()),
          step_(detail::step_of(p.layout_of())),
          // A sixteenth of a tick: what is dropped at its end is no more than that. Blocks of threads that do
          // not watch each other are worth more.
          largest_block_(std::clamp<std::uint32_t>(p.layout_of().sequence_max() >> 4, 1,
                                                   o == order::strict ? 256 : 1024)) {
        policy_.sequence_bits = p.layout_of().sequence_bits;
    }
    virtual ~issuer() = default;

    /// Called when a slot at or above the ceiling was asked for: have it raised soon, without waiting.
    /// Returns the error that the caller is to see: ceiling_reached, or why there is no hope.
    virtual outcome<id> at_ceiling(std::int64_t slots_past) noexcept {
        return {errc::ceiling_reached, slots_past};
    }
    /// Waits until the ceiling may have been raised, at most `limit`. Returns how long. Throws when it will
    /// not be.
    virtual std::chrono::nanoseconds wait_for_ceiling(std::chrono::nanoseconds limit) {
        return clock_->sleep_towards(tick{clock_->now().count + 1}, limit);
    }

    cursor_words& words() noexcept { return words_; }
    const policy& rules() const noexcept { return policy_; }

  private:
    static constexpr std::size_t largest_batch = std::size_t{1} << 20;

    /// Whether `b` is this issuer's, this process's and, for strict order, the last thing that anybody has
    /// claimed: the watched word is the cursor, which only rises, so that its equality says it. A claim that
    /// is made after this look belongs to a call that overlaps with ours, and strict order says nothing of
    /// those; one made by a call that had returned before ours began is seen, by coherence, with a relaxed
    /// load.
    bool usable(const detail::thread_block& b) const noexcept {
        return b.owner == (owner_ ^ fork_word_->load(std::memory_order_relaxed)) &&
               b.watched == watched_->load(std::memory_order_relaxed);
    }

    id take(detail::thread_block& b) noexcept {
        const id mine{b.next_id};
        b.next_id += step_;
        return mine;
    }

    /// The clock's reading no longer holds, or the run is over, or the block is not ours: goes on in the same
    /// block if the tick is still the same, or claims the next.
    outcome<id> try_next_of_fresh_run(detail::thread_block& b) noexcept {
        clock::reading now = clock_->look();
        const bool mine = usable(b) && b.claimed_at == now.at.count;
        if (!mine || (b.next_id == b.end_id && b.beyond == 0)) {
            const std::uint32_t size = mine ? std::min(b.size * 2, largest_block_) : 1;
            const tick looked = now.at;
            const claim c = claim_at(now.at, size);
            if (now.at != looked) now.length = 0;  // the reading that counts is a later one
            if (c.code != errc::ok) [[unlikely]]
                return refuse(c);
            b.owner = owner_ ^ detail::process_fork_epoch.current();
            b.last = c.first.value + c.count - 1;
            b.watched = order_ == order::strict ? b.last : 0;
            b.claimed_at = now.at.count;
            b.size = size;
            b.end_id = b.next_id;
            b.beyond = c.count;
        }
        b.begin = now.begin;
        b.length = now.length;
        if (b.next_id == b.end_id) {
            const slot first{b.last - b.beyond + 1};
            const std::uint32_t run = std::min(b.beyond, detail::left_in_tick(packer_.layout_of(), first));
            b.next_id = packer_.pack(first).value;
            b.end_id = b.next_id + run * step_;
            b.beyond -= run;
        }
        return take(b);
    }

    claim claim_at(tick& now, std::uint32_t want) noexcept {
        claim c = claim_slots(words_, now, policy_, end_, want);
        // Another thread may have read a later tick after we read ours, and been faster to the cursor. That
        // is no rewind: the wall, read again, says so. Moves `now` to the reading that counts.
        while (c.code == errc::clock_rewound) [[unlikely]] {
                const tick again = clock_->now();
                if (again <= now) break;
                now = again;
                c = claim_slots(words_, now, policy_, end_, want);
            }
        return c;
    }

    outcome<id> refuse(const claim& c) noexcept {
        refusals_.fetch_add(1, std::memory_order_relaxed);
        if (c.code == errc::ceiling_reached) return at_ceiling(c.amount);
        return {c.code, c.amount};
    }

    /// Waits for what `code` asks for; returns how long, or throws.
    std::chrono::nanoseconds wait_out(errc code, std::int64_t amount, std::chrono::nanoseconds waited,
                                      std::chrono::nanoseconds limit) {
        // A memory that is lost for good is told by those who know it, in words.
        const bool memory = code == errc::ceiling_reached || code == errc::journal_io ||
                            code == errc::journal_replaced || code == errc::journal_damaged;
        const bool curable = code == errc::tick_full || code == errc::clock_rewound || memory;
        if (!curable) throw error(code, describe(code, amount), amount);
        const std::chrono::nanoseconds left = limit - waited;
        if (left.count() <= 0) {
            note_wait(waited);
            throw error(errc::deadline,
                        "no id within the wait limit of " + std::to_string(limit.count() / 1'000'000) +
                            " ms: " + describe(code, amount),
                        waited.count());
        }
        if (memory) return wait_for_ceiling(left);
        const tick target = code == errc::tick_full ? tick{amount} : tick{clock_->now().count + amount};
        // At least a moment is counted. A clock that says that the tick has come, while a reading of it is
        // not there yet, would else keep the caller beyond its limit.
        constexpr std::chrono::nanoseconds moment = std::chrono::microseconds{1};
        return std::max(moment, clock_->sleep_towards(target, left));
    }

    void note_wait(std::chrono::nanoseconds waited) noexcept {
        waits_.fetch_add(1, std::memory_order_relaxed);
        std::int64_t longest = longest_wait_ns_.load(std::memory_order_relaxed);
        while (longest < waited.count() &&
               !longest_wait_ns_.compare_exchange_weak(longest, waited.count(), std::memory_order_relaxed)) {
        }
    }

    cursor_words& words_;
    std::shared_ptr<firn::clock> clock_;
    Packer packer_;
    policy policy_;
    order order_;
    slot end_;
    std::uint64_t owner_;
    std::size_t place_ = (owner_ >> 32) % detail::block_places;
    const std::atomic<std::uint64_t>* fork_word_ =
        (detail::process_fork_epoch.set_up(), detail::process_fork_epoch.word());
    std::uint64_t step_;
    std::uint32_t largest_block_;
    static constexpr std::atomic<std::int64_t> nothing_{0};
    const std::atomic<std::int64_t>* watched_ = order_ == order::strict ? &words_.cursor : &nothing_;
    std::atomic<std::uint64_t> refusals_{0};
    std::atomic<std::uint64_t> waits_{0};
    std::atomic<std::int64_t> longest_wait_ns_{0};
};

}  // namespace firn
