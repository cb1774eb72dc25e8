#include "src/journal/reservation.hpp"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>

#include "firn/detail/fork_epoch.hpp"
#include "firn/rfc3339.hpp"

namespace firn::detail {

namespace {

using std::chrono::nanoseconds;
using steady = std::chrono::steady_clock;

constexpr nanoseconds lock_retry = std::chrono::microseconds{500};
constexpr nanoseconds lock_patience = std::chrono::milliseconds{100};

std::string text_of(const layout& l, std::uint64_t machine) {
    return std::to_string(l.timestamp_bits) + "/" + std::to_string(l.machine_bits) + "/" +
           std::to_string(l.sequence_bits) +
           (l.order == field_order::time_sequence_machine ? " (sequence first)" : "") + ", tick " +
           std::to_string(l.tick_us) + " us, epoch " + rfc3339(l.first_instant()) + ", machine " +
           std::to_string(machine);
}

[[noreturn]] void throw_open_fault(const protocol& p, const files& f, const journal_terms& terms,
                                   const std::filesystem::path& directory) {
    const std::string where = directory.string();
    switch (p.fault()) {
        case errc::journal_mismatch:
            throw error(p.fault(), "the journal in " + where + " was made for layout " +
                                       text_of(p.found().record.layout, p.found().record.machine) +
                                       ", not for " + text_of(terms.layout, terms.machine) +
                                       "; open it with its own, or use another directory");
        case errc::journal_damaged:
            if (p.found().state == record_state::intact)
                throw error(p.fault(),
                            "record " + std::to_string(p.found().record.number) + " in " +
                                f.path_of("ceiling") +
                                " is not the newest that was written in this boot: an old copy was put "
                                "in its place, or the newer one is damaged; what was handed out since "
                                "cannot be known: start a new directory, as after the loss of it");
            throw error(
                p.fault(),
                "no intact record is left in " + f.path_of("ceiling") +
                    "; what was handed out cannot be known: start a new directory with a machine number that "
                    "was "
                    "not used before, or with this one once the clock is past every id that was handed out");
        case errc::journal_newer:
            throw error(p.fault(), "the journal in " + where + " has format version " +
                                       std::to_string(p.found().version) + ", and this firn reads up to " +
                                       std::to_string(format_version) + "; use the newer firn");
        case errc::journal_replaced:
            throw error(p.fault(),
                        "the files of the journal in " + where +
                            " were replaced while other processes use it, or this system does not tell its "
                            "boot (/proc/sys/kernel/random/boot_id); stop those processes first");
        default:
            throw error(p.fault(), "cannot write the journal in " + where + ": " + std::strerror(f.error()),
                        f.error());
    }
}

/// The program's signals are for the program's threads: a thread that is made in this scope gets none.
class signals_blocked {
  public:
    signals_blocked() noexcept {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    signals_blocked(const signals_blocked&) = delete;
    signals_blocked& operator=(const signals_blocked&) = delete;
    ~signals_blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_;
};

}  // namespace

/// What belongs to one process: none of it survives a fork.
struct reservation::worker {
    explicit worker(std::unique_ptr<files> f)
        : fork_epoch(process_fork_epoch.current()),
          io(std::move(f)),
          wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (!wake) throw error(errc::out_of_resources, "no event descriptor for the journal's thread", errno);
    }
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    ~worker() { end_thread(); }

    void end_thread() noexcept {
        if (!thread.joinable()) return;
        stop.store(true, std::memory_order_release);
        reservation::wake(*this);
        thread.join();
    }

    const std::uint64_t fork_epoch;
    const std::unique_ptr<files> io;  // the thread's, while there is one
    const descriptor wake;
    std::atomic<bool> kicked{false};
    std::atomic<bool> stop{false};
    std::thread thread;

    // Who kicked may wait here until the thread has looked, and extended what had to be.
    std::mutex mutex;
    std::condition_variable looked;
    std::uint64_t looks = 0;

    // The thread's own memory.
    std::int64_t seen_cursor = no_slot.value;
    std::int64_t extended_at = no_slot.value;  // the cursor at the last extension
    steady::time_point last_use = steady::now();
};

reservation::reservation(const std::filesystem::path& directory, const journal_terms& terms,
                         std::shared_ptr<clock> c)
    : directory_(directory), terms_(terms), clock_(std::move(c)) {
    auto io = std::make_unique<files>(directory, *clock_);
    protocol opening(purpose::open, terms_);
    for (;;) {
        const progress p = opening.step(*io);
        if (p == progress::done) break;
        if (p == progress::failed) throw_open_fault(opening, *io, terms_, directory_);
        if (p == progress::blocked) sleep_for(lock_retry);
    }
    continued_ = opening.trusted();
    words_ = &io->page().words;
    auto first = std::make_unique<worker>(std::move(io));
    start_thread(*first);
    worker_.store(first.release(), std::memory_order_release);
}

reservation::~reservation() {
    worker* w = worker_.load(std::memory_order_acquire);
    // A child that never needed a worker of its own has only the memory of its parent's: a thread that is not
    // here, and locks that are not its own. What it inherited goes when it ends.
    if (w->fork_epoch != process_fork_epoch.current()) return;
    w->end_thread();
    close(*w);
    delete w;
}

void reservation::close(worker& w) noexcept {
    if (lost() != errc::ok) return;  // what is on the disk is not known: leave it to the next one to open
    try {
        protocol closing(purpose::close, terms_);
        // A process that is stopped while it holds the lock must not keep this one from ending.
        const auto until = steady::now() + std::chrono::seconds{2};
        for (;;) {
            const progress p = closing.step(*w.io);
            if (p == progress::done || p == progress::failed) return;
            if (p == progress::blocked) {
                if (steady::now() >= until) return;
                sleep_for(lock_retry);
            }
        }
    } catch (const std::exception&) {
        // Nothing is lost: the reservation stands, and the next one to open continues from the cursor.
    }
}

void reservation::start_thread(worker& w) {
    const signals_blocked in_the_thread;
    try {
        w.thread = std::thread([this, &w] { work(w); });
    } catch (const std::system_error& e) {
        throw error(errc::out_of_resources, "no thread for the journal in " + directory_.string(),
                    e.code().value());
    }
}

reservation::worker& reservation::this_process() {
    worker* seen = worker_.load(std::memory_order_acquire);
    if (seen->fork_epoch == process_fork_epoch.current()) [[likely]]
        return *seen;
    auto fresh = std::make_unique<worker>(std::make_unique<files>(*seen->io, files::in_child{}));
    start_thread(*fresh);
    if (!worker_.compare_exchange_strong(seen, fresh.get(), std::memory_order_acq_rel))
        return *seen;         // another thread of this process was first
    return *fresh.release();  // the one before is the parent's, and never touched again
}

void reservation::wake(worker& w) noexcept {
    const std::uint64_t one = 1;
    if (::write(w.wake.get(), &one, sizeof one) < 0) {
        // EAGAIN: the counter is full, so the thread is being woken already.
    }
}

void reservation::kick() noexcept {
    try {
        kick(this_process());
    } catch (const std::exception&) {
        // A child that cannot have a thread of its own: next() tries again, and says why.
    }
}

void reservation::kick(worker& w) noexcept {
    if (!w.kicked.exchange(true, std::memory_order_acq_rel)) wake(w);
}

void reservation::work(worker& w) noexcept {
    const auto window = std::chrono::microseconds{terms_.window_ticks * terms_.layout.tick_us};
    const auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(window / 16);
    const int pause_ms = static_cast<int>(std::clamp<std::int64_t>(pause.count(), 1, 10'000));
    while (!w.stop.load(std::memory_order_acquire)) {
        // After two windows without use it sleeps until it is kicked: no timer runs.
        const bool idle = steady::now() - w.last_use > 2 * window;
        const bool pending = w.kicked.load(std::memory_order_acquire);  // another process had the lock
        pollfd event{.fd = w.wake.get(), .events = POLLIN, .revents = 0};
        ::poll(&event, 1, pending ? 1 : idle ? -1 : pause_ms);
        std::uint64_t count = 0;
        if (::read(w.wake.get(), &count, sizeof count) < 0) count = 0;  // EAGAIN: the pause is over
        if (!w.stop.load(std::memory_order_acquire)) look_ahead(w);
    }
}

void reservation::look_ahead(worker& w) noexcept {
    const bool kicked = w.kicked.exchange(false, std::memory_order_acq_rel);
    const std::int64_t cursor = words().cursor.load(std::memory_order_relaxed);
    if (kicked || cursor != w.seen_cursor) w.last_use = steady::now();
    w.seen_cursor = cursor;
    if (lost() == errc::ok && extension_due(look(slot{cursor}), slot{w.extended_at}, kicked, terms_)) {
        if (!try_extend(w)) {
            w.kicked.store(true, std::memory_order_release);  // another process has the lock: soon again
            return;
        }
        // A failed one is not done: what can be retried is, at the next look.
        if (trouble_.load(std::memory_order_relaxed) == errc::ok) w.extended_at = cursor;
    }
    if (!kicked) return;
    {
        const std::lock_guard one(w.mutex);
        w.looks += 1;
    }
    w.looked.notify_all();
}

std::chrono::nanoseconds reservation::extend(nanoseconds limit) {
    const auto begin = steady::now();
    if (lost() != errc::ok) throw_trouble(lost());
    worker& w = this_process();
    // By the thread, and not in here: a disk that does not answer must not keep a caller past its limit.
    std::unique_lock one(w.mutex);
    const std::uint64_t before = w.looks;
    kick(w);
    const nanoseconds at_most = std::min<nanoseconds>(limit, std::chrono::hours{1});
    if (w.looked.wait_for(one, at_most, [&] { return w.looks != before; }))
        if (const errc seen = trouble_.load(std::memory_order_acquire); seen != errc::ok) throw_trouble(seen);
    return std::max<nanoseconds>(steady::now() - begin, nanoseconds{1});
}

bool reservation::try_extend(worker& w) noexcept {
    const auto begin = steady::now();
    protocol extension(purpose::extend, terms_);
    try {
        for (;;) {
            const progress p = extension.step(*w.io);
            if (p == progress::done) break;
            if (p == progress::failed) {
                note_trouble(extension.fault(), w.io->error(),
                             extension.sync_failed() || extension.fault() != errc::journal_io);
                return true;
            }
            if (p == progress::blocked) {
                if (w.stop.load(std::memory_order_acquire) || steady::now() - begin >= lock_patience)
                    return false;
                sleep_for(lock_retry);
            }
        }
    } catch (const error& e) {
        w.io->unlock();
        note_trouble(e.code(), static_cast<int>(e.amount()), e.code() != errc::journal_io);
        return true;
    } catch (const std::exception&) {
        w.io->unlock();
        note_trouble(errc::out_of_resources, ENOMEM, false);
        return true;
    }
    trouble_.store(errc::ok, std::memory_order_release);
    const std::int64_t took = nanoseconds{steady::now() - begin}.count();
    last_extension_ns_.store(took, std::memory_order_relaxed);
    longest_extension_ns_.store(std::max(took, longest_extension_ns_.load(std::memory_order_relaxed)),
                                std::memory_order_relaxed);
    extensions_.fetch_add(1, std::memory_order_relaxed);
    return true;
}

void reservation::note_trouble(errc code, int number, bool for_good) noexcept {
    trouble_errno_.store(code == errc::journal_io || code == errc::out_of_resources ? number : 0,
                         std::memory_order_relaxed);
    trouble_.store(code, std::memory_order_release);
    if (for_good) lost_.store(code, std::memory_order_release);
}

void reservation::throw_trouble(errc code) const {
    const std::string where = directory_.string();
    if (code == errc::journal_replaced)
        throw error(
            code,
            "the journal in " + where +
                " was deleted or replaced while in use; its ids end here: put it back, or start a new one, "
                "and restart this process");
    if (code == errc::journal_damaged || code == errc::journal_newer || code == errc::journal_mismatch)
        throw error(code, "the journal in " + where + " was overwritten while in use (" + name_of(code) +
                              "); its ids end here: run `firn journal check` on it");
    const int number = trouble_errno();
    const std::string why = "cannot extend the journal in " + where + ": " + std::strerror(number);
    throw error(code,
                lost() != errc::ok ? why + "; a failed sync is not believed again: mend the disk and restart"
                                   : why + "; free some space or mend the disk, and it goes on by itself",
                number);
}

outlook reservation::look(slot cursor) const noexcept {
    return {.cursor = cursor,
            .ceiling = slot{words_->ceiling.load(std::memory_order_acquire)},
            .now = clock_->now()};
}

journal_status reservation::status() const noexcept {
    const outlook seen = look(slot{words_->cursor.load(std::memory_order_relaxed)});
    const errc gone = lost();
    return {.last = seen.cursor,
            .ceiling = seen.ceiling,
            .ticks_left = ticks_left(seen, terms_.layout.sequence_bits),
            .continued = continued_,
            .extensions = extensions_.load(std::memory_order_relaxed),
            .last_extension_ns = last_extension_ns_.load(std::memory_order_relaxed),
            .longest_extension_ns = longest_extension_ns_.load(std::memory_order_relaxed),
            .trouble = gone != errc::ok ? gone : trouble_.load(std::memory_order_acquire),
            .trouble_errno = trouble_errno(),
            .lost = gone != errc::ok};
}

}  // namespace firn::detail
