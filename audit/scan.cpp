#include "audit/scan.hpp"

#include <condition_variable>
#include <mutex>

#include "audit/error.hpp"
#include "audit/workers.hpp"

namespace firn::audit {
namespace {

class scanner {
  public:
    scanner(chunk_source& source, const scan_options& options, scan_sink& sink, interruption& stop)
        : source_(source), options_(options), sink_(sink), stop_(stop) {}

    void work(unsigned worker) {
        chunk bytes;
        batch ids;
        std::uint64_t ticket = 0;
        while (take(bytes, ticket)) {
            std::exception_ptr failed;
            try {
                parse(bytes, source_.form(), options_.policy, ids);
            } catch (...) {
                failed = std::current_exception();
            }
            if (!pass_in_order(ticket, ids, failed)) return;
            sink_.any_order(ids, worker);
        }
    }

    /// Makes every worker return soon, also one that waits for its turn or for a pipe.
    void end_all() {
        stop_.request();
        {
            const std::scoped_lock lock{turn_mutex_};
            ended_ = true;
        }
        turn_changed_.notify_all();
    }

  private:
    /// The next chunk and its place in the order; false when there is none. A source that fails is a chunk
    /// like any other, so that a failure before it is reported rather than this one.
    bool take(chunk& bytes, std::uint64_t& ticket) {
        const std::scoped_lock lock{source_mutex_};
        if (drained_) return false;
        std::exception_ptr failed;
        try {
            if (source_.next(bytes, stop_)) {
                ticket = tickets_++;
                return true;
            }
        } catch (...) {
            failed = std::current_exception();
        }
        drained_ = true;
        if (failed) {
            batch none;
            pass_in_order(tickets_++, none, failed);
        }
        return false;
    }

    /// Waits for its turn. False when the scan has ended. Throws what is in `failed`, or what is bad.
    bool pass_in_order(std::uint64_t ticket, batch& ids, const std::exception_ptr& failed) {
        std::unique_lock lock{turn_mutex_};
        turn_changed_.wait(lock, [&] { return turn_ == ticket || ended_; });
        if (ended_) return false;
        if (failed) std::rethrow_exception(failed);
        in_order(ids);
        ++turn_;
        lock.unlock();
        turn_changed_.notify_all();
        return true;
    }

    void in_order(batch& ids) {
        if (ids.first_of_file) next_line_ = 1;
        ids.first_line = next_line_;
        next_line_ += ids.line_count;
        if (ids.bad)
            throw failure(source_.name_of(ids.file) + ":" + std::to_string(ids.first_line + ids.bad->line) +
                          ": " + ids.bad->what + "; --skip-bad counts such lines and goes on");
        sink_.in_order(ids);
    }

    chunk_source& source_;
    const scan_options& options_;
    scan_sink& sink_;
    interruption& stop_;

    std::mutex source_mutex_;
    std::uint64_t tickets_ = 0;
    bool drained_ = false;

    std::mutex turn_mutex_;
    std::condition_variable turn_changed_;
    std::uint64_t turn_ = 0;
    bool ended_ = false;
    std::uint64_t next_line_ = 1;
};

}  // namespace

void scan(chunk_source& source, const scan_options& options, scan_sink& sink, interruption& stop) {
    scanner work{source, options, sink, stop};
    run_workers(
        options.threads, [&](unsigned worker) { work.work(worker); }, [&] { work.end_all(); });
}

}  // namespace firn::audit
