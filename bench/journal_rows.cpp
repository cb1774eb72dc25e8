// The journal: two processes with kills, the price of an extension, and the limit of a tick.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "bench/measure.hpp"
#include "bench/subjects.hpp"
#include "bench/table.hpp"

namespace firn::bench {

namespace {

using steady = std::chrono::steady_clock;

/// Memory that processes share: each stores its ids here, and an id counts once it is stored.
struct shelf {
    static constexpr std::size_t room = std::size_t{1} << 24;
    std::atomic<std::uint64_t> stored{0};
    std::uint64_t ids[room];
};

class shelves {
  public:
    shelves()
        : at_(static_cast<shelf*>(::mmap(nullptr, 2 * sizeof(shelf), PROT_READ | PROT_WRITE,
                                         MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
        if (at_ == MAP_FAILED) throw std::runtime_error("no memory for the ids of two processes");
    }
    ~shelves() { ::munmap(at_, 2 * sizeof(shelf)); }
    shelves(const shelves&) = delete;
    shelves& operator=(const shelves&) = delete;
    shelf& operator[](std::size_t i) const noexcept { return at_[i]; }

  private:
    shelf* at_;
};

/// A process that stores ids until it is killed or its shelf is full.
pid_t start(const std::filesystem::path& directory, shelf& to) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    journal ids = journal::open(directory, {.layout = wide, .machine = 1});
    std::uint64_t n = to.stored.load(std::memory_order_relaxed);
    while (n < shelf::room) {
        const auto r = ids.try_next();
        if (!r) continue;  // the ceiling is being raised
        to.ids[n] = (*r).value;
        to.stored.store(++n, std::memory_order_release);
    }
    for (;;) ::pause();
}

void stop(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

std::vector<row> two_processes(const effort& e) {
    scratch disk;
    shelves both;
    const auto directory = disk / "two";
    const pid_t steady_one = start(directory, both[0]);
    int kills = 0;
    const auto begin = steady::now();
    const auto until = begin + (e.smoke ? std::chrono::milliseconds{20} : std::chrono::milliseconds{400});
    while (steady::now() < until) {
        const pid_t victim = start(directory, both[1]);
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
        stop(victim);
        ++kills;
    }
    // A second part without kills, for the price alone: starting a process is none of it.
    const pid_t other = start(directory, both[1]);
    std::vector<double> per_id;
    for (int r = 0; r < (e.smoke ? 1 : 10); ++r) {
        const std::uint64_t before = both[0].stored.load() + both[1].stored.load();
        const auto from = steady::now();
        std::this_thread::sleep_for(std::chrono::milliseconds{e.smoke ? 1 : 15});
        const std::uint64_t made = both[0].stored.load() + both[1].stored.load() - before;
        if (made > 0)
            per_id.push_back(std::chrono::duration<double, std::nano>(steady::now() - from).count() /
                             static_cast<double>(made));
    }
    stop(other);
    stop(steady_one);

    std::vector<std::uint64_t> all(both[0].ids, both[0].ids + both[0].stored.load());
    all.insert(all.end(), both[1].ids, both[1].ids + both[1].stored.load());
    std::sort(all.begin(), all.end());
    const auto distinct = static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
    const auto duplicates = static_cast<double>(all.size() - distinct);
    return {{"two processes on one journal, storing each id, in total", median(per_id), "ns", 25.0, {}, ""},
            {"… duplicates, with one of them killed again and again",
             duplicates,
             "",
             0.0,
             {},
             std::to_string(all.size()) + " ids, " + std::to_string(kills) + " kills"}};
}

/// p99.99 of try_next, in counts.
std::uint64_t tail(journal& ids, int calls, std::vector<std::uint64_t>& took) {
    took.clear();
    for (int i = 0; i < calls; ++i) {
        const std::uint64_t begin = read_counter();
        keep(ids.try_next());
        took.push_back(read_counter() - begin);
    }
    return percentile(took, 0.9999);
}

row extension(const effort& e) {
    scratch disk;
    const auto clock = clock_of(wide);
    // A window of 4 ms is extended nearly all the time, one of a minute never.
    journal busy =
        journal::open(disk / "busy",
                      {.layout = wide, .machine = 1, .clock = clock, .window = std::chrono::milliseconds{4}});
    journal calm = journal::open(
        disk / "calm", {.layout = wide, .machine = 2, .clock = clock, .window = std::chrono::minutes{1}});
    const int calls = e.smoke ? 1000 : 300'000;
    std::vector<std::uint64_t> took;
    took.reserve(static_cast<std::size_t>(calls));
    std::vector<double> ratios;
    for (int r = 0; r < (e.smoke ? 1 : 21); ++r) {
        const auto with = static_cast<double>(tail(busy, calls, took));
        ratios.push_back(with / static_cast<double>(tail(calm, calls, took)));
    }
    return {"p99.99 of try_next, while the ceiling is extended / while it is not",
            median(ratios),
            "x",
            2.0,
            {},
            std::to_string(busy.status().extensions) + " extensions, " +
                std::to_string(calm.status().extensions) + " without"};
}

std::vector<row> tick_limit(const effort& e) {
    constexpr layout narrow = layouts::standard;
    generator ids{
        {.layout = narrow, .machine = 9, .overflow = overflow_policy::spin, .clock = clock_of(narrow)}};
    // Whole ticks: from the begin of one to the begin of another.
    const std::int64_t ticks = e.smoke ? 5 : 2000;
    const tick first = narrow.decode(ids.next()).tick;
    while (narrow.decode(ids.next()).tick == first) {
    }
    const std::int64_t cpu = thread_cpu_ns();
    const auto begin = steady::now();
    const std::int64_t last = narrow.decode(ids.next()).tick.count + ticks;
    std::int64_t made = 0;
    while (narrow.decode(ids.next()).tick.count < last) ++made;
    const double ns = std::chrono::duration<double, std::nano>(steady::now() - begin).count();
    const double share = static_cast<double>(thread_cpu_ns() - cpu) / ns * 100;
    return {{"12-bit layout at its limit, per id", ns / static_cast<double>(made), "ns", 244.140625 * 1.005,
             244.140625 * 0.995, std::to_string(made) + " ids"},
            {"… of a core", share, "%", 10.0, {}, ""}};
}

}  // namespace

std::vector<row> journal_rows(const effort& e) {
    std::vector<row> rows = two_processes(e);
    rows.push_back(extension(e));
    for (row& r : tick_limit(e)) rows.push_back(std::move(r));
    return rows;
}

}  // namespace firn::bench
