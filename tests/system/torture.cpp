// The torture: real processes hand out ids from one journal, a supervisor kills them with SIGKILL at any
// moment and replaces them, steps their clock back and forth, stops them, and takes the power away. Every id
// is collected, and no two may be equal.
//
// An id counts when it was stored, in memory that outlives its process: what a killed process had claimed and
// not stored was never handed out. What power takes away is imitated after everybody was killed: the page
// goes back to nothing, and a record that nobody has synced is torn.
//
//     firn_torture --kills 10000
//     firn_torture --kills 300 --memory process              # what a memory that a restart forgets does:
//     exit 1
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "firn/counter_clock.hpp"
#include "firn/generator.hpp"
#include "firn/journal.hpp"
#include "lab/live/child.hpp"
#include "lab/live/scratch.hpp"
#include "lab/live/shared.hpp"
#include "src/journal/files.hpp"

namespace {

using namespace firn;
using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;
using nanoseconds = std::chrono::nanoseconds;

struct settings {
    std::uint64_t kills = 10'000;
    std::size_t workers = 4;
    bool blocks = false;
    bool stops = false;
    bool in_process = false;  // no journal: each process begins anew
    std::uint64_t seed = 1;
    std::string directory;
};

struct figures {
    std::uint64_t kills = 0;
    std::uint64_t steps = 0;
    std::int64_t largest_rewind_ns = 0;
    std::uint64_t stops = 0;
    std::uint64_t power_losses = 0;
    std::uint64_t torn_records = 0;
    std::uint64_t lives = 0;  // processes that lived to store an id
    std::uint64_t ids = 0;
    std::uint64_t duplicates = 0;
    std::uint64_t out_of_order = 0;  // ids that are not above all that were stored before their process began
    double seconds = 0;
    std::string trouble;  // why it ended early
};

/// One process after the other, and what they have stored.
struct place {
    explicit place(std::size_t capacity) : ids(capacity) {}

    struct life {
        std::size_t begin;  // of its ids
        id floor;           // the highest id that anybody had stored before it began
    };

    live::id_log ids;
    live::child process;
    std::vector<life> lives;
    bool stopped = false;
};

class torture {
  public:
    explicit torture(const settings& s)
        : settings_(s), random_(s.seed), directory_(std::filesystem::path(s.directory) / "journal") {
        for (std::size_t i = 0; i < s.workers; ++i)
            places_.push_back(std::make_unique<place>((std::size_t{64} << 20) / s.workers));
    }

    figures run() {
        const auto begin = steady::now();
        for (auto& p : places_) start(*p);
        while (seen_.kills < settings_.kills && seen_.trouble.empty()) {
            std::this_thread::sleep_for(std::chrono::microseconds{below(1500)});
            step_the_clock();
            if (settings_.stops) stop_or_continue();
            if (below(50) == 0)
                lose_power();
            else
                replace(*places_[below(places_.size())]);
            watch(begin);
        }
        for (auto& p : places_) kill(*p);
        verify();
        seen_.seconds = std::chrono::duration<double>(steady::now() - begin).count();
        return seen_;
    }

  private:
    std::uint64_t below(std::uint64_t n) {
        return std::uniform_int_distribution<std::uint64_t>(0, n - 1)(random_);
    }

    // ---- what a process does

    int work(place& p, std::uint64_t seed) {
        auto wall = std::make_shared<counter_clock>(
            layouts::standard,
            counter_clock::options{.source = std::make_shared<live::stepped_time>(*step_ns_)});
        journal::options o;
        o.machine = 7;
        o.window = 20ms;
        o.order = settings_.blocks ? order::thread_blocks : order::strict;
        o.clock = wall;
        if (settings_.in_process) {
            o.unsafe_own_cursor = true;
            generator ids(o);
            return issue(ids, p, seed);
        }
        journal ids = journal::open(directory_, o);
        return issue(ids, p, seed);
    }

    static int issue(issuer<packer>& ids, place& p, std::uint64_t seed) {
        std::minstd_rand random(static_cast<unsigned>(seed));
        std::array<id, 64> block{};
        for (;;) {
            const auto what = random() % 8;
            std::size_t count = 1 + random() % 8;
            if (what == 0) {
                count = 1 + random() % block.size();
                ids.next(std::span(block).first(count), 1h);
            } else {
                for (std::size_t i = 0; i < count; ++i) {
                    const outcome<id> r = ids.try_next();
                    block[i] = r ? *r : ids.next(1h);
                }
            }
            for (std::size_t i = 0; i < count; ++i)
                if (!p.ids.append(block[i])) return 3;  // as much as was asked for, and more
            if (what < 4) ::usleep(static_cast<useconds_t>(random() % 50));
        }
    }

    // ---- what is done to it

    void start(place& p) {
        p.lives.push_back({.begin = p.ids.size(), .floor = highest()});
        p.process = live::child([&, seed = random_()] { return work(p, seed); });
    }

    /// The highest id stored so far. Each log rises, or verify() will say so.
    id highest() const {
        id most{};
        for (const auto& p : places_)
            if (const std::size_t n = p->ids.size(); n > 0) most = std::max(most, p->ids[n - 1]);
        return most;
    }

    void kill(place& p) {
        p.process.signal(SIGKILL);
        if (p.stopped) p.process.signal(SIGCONT);
        p.stopped = false;
        if (const int status = p.process.wait(); status != 128 + SIGKILL && seen_.trouble.empty())
            seen_.trouble = status == 3 ? "the logs are full; ask for fewer kills"
                                        : "a process ended by itself with status " + std::to_string(status);
        seen_.kills += 1;
    }
    void replace(place& p) {
        kill(p);
        start(p);
    }

    void stop_or_continue() {
        place& p = *places_[below(places_.size())];
        if (p.stopped) {
            p.process.signal(SIGCONT);
        } else {
            if (std::any_of(places_.begin(), places_.end(), [](const auto& other) { return other->stopped; }))
                return;
            p.process.signal(SIGSTOP);
            seen_.stops += 1;
        }
        p.stopped = !p.stopped;
    }

    /// Half of the time the wall is where it would be, and goes on; half of the time it is set back.
    void step_the_clock() {
        if (below(2) == 0) return;
        forward_ns_ += static_cast<std::int64_t>(below(3'000'000));
        std::int64_t back = 0;
        if (below(2) == 0) {
            const std::uint64_t kind = below(20);
            back = static_cast<std::int64_t>(kind == 0   ? below(10'000'000'000)
                                             : kind <= 3 ? below(1'000'000'000)
                                                         : below(50'000'000));
        }
        step_ns_->store(forward_ns_ - back);
        seen_.steps += 1;
        seen_.largest_rewind_ns = std::max(seen_.largest_rewind_ns, back);
    }

    void lose_power() {
        for (auto& p : places_) kill(*p);
        if (!settings_.in_process) {
            tear_what_is_not_synced();
            // What the page cache held is gone: the page is what the disk had, if anything.
            const std::string nothing(4096, '\0');
            const detail::descriptor cursor{::open((directory_ / "cursor").c_str(), O_WRONLY | O_CLOEXEC)};
            if (cursor && ::pwrite(cursor.get(), nothing.data(), nothing.size(), 0) < 0)
                seen_.trouble = "cannot write the cursor";
        }
        seen_.power_losses += 1;
        for (auto& p : places_) start(*p);
    }

    /// Spoils the newest record when nobody can have seen its sync.
    void tear_what_is_not_synced() {
        const journal_report r = inspect_journal(directory_);
        if (!r.has_page || !r.page_of_this_boot || r.newest < 0) return;
        std::uint64_t durable = 0;
        const detail::descriptor cursor{::open((directory_ / "cursor").c_str(), O_RDONLY | O_CLOEXEC)};
        if (::pread(cursor.get(), &durable, sizeof durable, offsetof(detail::journal_page, durable_number)) <
            0)
            return;
        if (r.records[static_cast<std::size_t>(r.newest)].number <= durable) return;
        const std::string garbage(60, '\x5A');
        const detail::descriptor ceiling{::open((directory_ / "ceiling").c_str(), O_WRONLY | O_CLOEXEC)};
        const auto at =
            static_cast<off_t>(static_cast<std::size_t>(r.newest) * detail::record_stride + below(100));
        if (::pwrite(ceiling.get(), garbage.data(), garbage.size(), at) > 0) seen_.torn_records += 1;
    }

    // ---- what comes of it

    void watch(steady::time_point begin) {
        std::uint64_t stored = 0;
        for (const auto& p : places_) stored += p->ids.size();
        const auto now = steady::now();
        if (stored != stored_) {
            stored_ = stored;
            progress_ = now;
        } else if (now - progress_ > 60s) {
            seen_.trouble = "no id for a minute";
        }
        static const bool terminal = ::isatty(STDERR_FILENO) == 1;
        if (!terminal || now - shown_ < 200ms) return;
        shown_ = now;
        std::cerr << "\r  " << seen_.kills << " of " << settings_.kills << " kills, " << stored << " ids, "
                  << std::chrono::duration_cast<std::chrono::seconds>(now - begin).count() << " s \033[K";
        if (seen_.kills >= settings_.kills) std::cerr << "\r\033[K";
    }

    void verify() {
        std::vector<std::uint64_t> all;
        for (const auto& p : places_) {
            for (std::size_t n = 0; n < p->lives.size(); ++n) {
                const std::size_t end = n + 1 < p->lives.size() ? p->lives[n + 1].begin : p->ids.size();
                id last = p->lives[n].floor;
                if (end > p->lives[n].begin) seen_.lives += 1;
                for (std::size_t i = p->lives[n].begin; i < end; ++i) {
                    const id next = p->ids[i];
                    if (next <= last) seen_.out_of_order += 1;
                    last = next;
                    all.push_back(next.value);
                }
            }
        }
        seen_.ids = all.size();
        std::sort(all.begin(), all.end());
        seen_.duplicates = static_cast<std::uint64_t>(all.end() - std::unique(all.begin(), all.end()));
    }

    settings settings_;
    std::mt19937_64 random_;
    std::filesystem::path directory_;
    live::shared<std::atomic<std::int64_t>> step_ns_;
    std::int64_t forward_ns_ = 0;
    std::vector<std::unique_ptr<place>> places_;
    figures seen_;
    std::uint64_t stored_ = 0;
    steady::time_point progress_ = steady::now();
    steady::time_point shown_{};
};

void print(const settings& s, const figures& f) {
    std::cout << std::fixed << std::setprecision(1);
    std::cout << f.kills << " kills (SIGKILL) of " << s.workers << " processes on one "
              << (s.in_process ? "machine number, without a journal" : "journal") << ", "
              << (s.blocks ? "thread blocks" : "strict order") << ", in " << f.seconds << " s (seed "
              << s.seed << ")\n"
              << "  clock         " << f.steps << " steps, the largest rewind "
              << static_cast<double>(f.largest_rewind_ns) / 1e9 << " s\n"
              << "  power lost    " << f.power_losses << " times, " << f.torn_records
              << " with a torn record\n";
    if (s.stops) std::cout << "  stopped       " << f.stops << " times (SIGSTOP)\n";
    std::cout << "  ids           " << f.ids << " stored by " << f.lives << " processes\n"
              << "  duplicates    " << f.duplicates << '\n'
              << "  out of order  " << f.out_of_order << '\n';
    if (!f.trouble.empty()) std::cout << "  TROUBLE       " << f.trouble << '\n';
}

nlohmann::ordered_json json_of(const settings& s, const figures& f) {
    return {{"kills", f.kills},
            {"processes", s.workers},
            {"memory", s.in_process ? "process" : "journal"},
            {"order", s.blocks ? "blocks" : "strict"},
            {"seed", s.seed},
            {"seconds", f.seconds},
            {"clock_steps", f.steps},
            {"largest_rewind_ns", f.largest_rewind_ns},
            {"stops", f.stops},
            {"power_losses", f.power_losses},
            {"torn_records", f.torn_records},
            {"ids", f.ids},
            {"lives", f.lives},
            {"duplicates", f.duplicates},
            {"out_of_order", f.out_of_order},
            {"trouble", f.trouble}};
}

}  // namespace

int main(int argc, char** argv) {
    settings s;
    bool json = false;
    std::string order = "strict";
    std::string memory = "journal";
    CLI::App app{"Kills real processes that share a journal, and counts duplicates. Exit 0: none.",
                 "firn_torture"};
    app.add_option("--kills", s.kills, "How many processes to kill")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    app.add_option("--processes", s.workers, "How many at once")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--order", order, "strict or blocks")
        ->check(CLI::IsMember({"strict", "blocks"}))
        ->capture_default_str();
    app.add_option("--memory", memory, "journal, or process: forgotten at a kill")
        ->check(CLI::IsMember({"journal", "process"}))
        ->capture_default_str();
    app.add_flag("--stops", s.stops, "Stop and continue processes as well (SIGSTOP)");
    app.add_option("--seed", s.seed, "Of the supervisor's choices; the processes' timing is the host's")
        ->capture_default_str();
    app.add_option("--directory", s.directory, "Where to make the journal [a scratch directory here]");
    app.add_flag("--json", json, "Print the figures as JSON");
    try {
        app.parse(argc, argv);
        s.blocks = order == "blocks";
        s.in_process = memory == "process";
        const scratch room(s.directory.empty() ? std::filesystem::current_path()
                                               : std::filesystem::path(s.directory));
        s.directory = room.path().string();
        const figures f = torture(s).run();
        if (json)
            std::cout << json_of(s, f).dump(2) << '\n';
        else
            print(s, f);
        return f.duplicates == 0 && f.out_of_order == 0 && f.trouble.empty() && f.ids > 0 ? 0 : 1;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& wrong) {
        std::cerr << "firn_torture: " << wrong.what() << '\n';
        return 2;
    } catch (const std::exception& e) {
        std::cerr << "firn_torture: " << e.what() << '\n';
        return 1;
    }
}
