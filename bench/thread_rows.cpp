// Two threads on one generator: ids in a row, and with work between them.
#include <atomic>
#include <barrier>
#include <mutex>
#include <thread>

#include "bench/measure.hpp"
#include "bench/subjects.hpp"
#include "bench/table.hpp"

namespace firn::bench {

namespace {

constexpr int threads = 2;

/// Processor time of both threads together, over the number of threads and of calls: what a call costs "in
/// total" when each thread has a processor to itself.
template <class Call>
double ns_in_total(Call call, int calls) {
    std::barrier together(threads);
    std::atomic<std::int64_t> spent{0};
    std::vector<std::jthread> crew;
    crew.reserve(threads);
    for (int t = 0; t < threads; ++t)
        crew.emplace_back([&] {
            together.arrive_and_wait();
            const std::int64_t begin = thread_cpu_ns();
            for (int i = 0; i < calls; ++i) call();
            spent.fetch_add(thread_cpu_ns() - begin);
        });
    crew.clear();
    return static_cast<double>(spent.load()) / threads / (static_cast<double>(calls) * threads);
}

/// Calls with some 200 ns of work between them; how long each took, in counts.
template <class Call>
std::uint64_t spaced_p99(Call call, int calls) {
    std::barrier together(threads);
    std::vector<std::vector<std::uint64_t>> took(threads);
    std::vector<std::jthread> crew;
    crew.reserve(threads);
    for (auto& mine : took)
        crew.emplace_back([&] {
            mine.reserve(static_cast<std::size_t>(calls));
            together.arrive_and_wait();
            std::uint64_t work = 1;
            for (int i = 0; i < calls; ++i) {
                for (int k = 0; k < 60; ++k) work = work * 6364136223846793005ULL + 1442695040888963407ULL;
                keep(work);
                const std::uint64_t begin = read_counter();
                call();
                mine.push_back(read_counter() - begin);
            }
        });
    crew.clear();
    took[0].insert(took[0].end(), took[1].begin(), took[1].end());
    return percentile(std::move(took[0]), 0.99);
}

}  // namespace

std::vector<row> thread_rows(const effort& e) {
    const int calls = e.smoke ? 100 : 200'000;
    const auto clock = clock_of(wide);
    generator strict{{.layout = wide, .machine = 5, .clock = clock}};
    generator blocks{{.layout = wide, .machine = 6, .order = order::thread_blocks, .clock = clock}};
    generator alone{{.layout = wide, .machine = 7, .clock = clock}};
    std::mutex mutex;

    std::vector<double> locked_ns;
    std::vector<double> strict_ns;
    std::vector<double> blocks_ns;
    std::vector<double> alone_ns;
    std::vector<double> strict_ratio;
    std::vector<double> blocks_ratio;
    std::vector<double> spaced_ratio;
    for (int r = 0; r < (e.smoke ? 1 : 11); ++r) {
        locked_ns.push_back(ns_in_total(
            [&] {
                const std::lock_guard held(mutex);
                keep(detail::clock_ns(CLOCK_REALTIME));
            },
            calls));
        strict_ns.push_back(ns_in_total([&] { keep(*strict.try_next()); }, calls));
        blocks_ns.push_back(ns_in_total([&] { keep(*blocks.try_next()); }, calls));
        alone_ns.push_back(ns_per_call([&] { keep(*alone.try_next()); }, calls));
        strict_ratio.push_back(strict_ns.back() / locked_ns.back());
        blocks_ratio.push_back(blocks_ns.back() / alone_ns.back());
        const auto p99_blocks = spaced_p99([&] { keep(*blocks.try_next()); }, calls / 4);
        const auto p99_strict = spaced_p99([&] { keep(*strict.try_next()); }, calls / 4);
        spaced_ratio.push_back(static_cast<double>(p99_blocks) / static_cast<double>(p99_strict));
    }
    return {
        {"two threads, strict, per id in total / mutex + clock_gettime",
         median(strict_ratio),
         "x",
         0.35,
         {},
         in_ns(median(strict_ns)) + " / " + in_ns(median(locked_ns))},
        {"two threads, blocks, per id in total / one thread",
         median(blocks_ratio),
         "x",
         0.7,
         {},
         in_ns(median(blocks_ns)) + " / " + in_ns(median(alone_ns))},
        {"two threads, spaced calls, p99 with blocks / strict", median(spaced_ratio), "x", 0.5, {}, ""},
    };
}

}  // namespace firn::bench
