// One thread: what an id costs beside a bare counter read, and in batches.
#include <array>
#include <atomic>
#include <mutex>

#include "bench/measure.hpp"
#include "bench/subjects.hpp"
#include "bench/table.hpp"

namespace firn::bench {

std::vector<row> path_rows(const effort& e) {
    const int calls = e.smoke ? 100 : 10'000;
    scratch disk;
    const auto clock = clock_of(wide);
    generator strict{{.layout = wide, .machine = 1, .clock = clock}};
    generator blocks{{.layout = wide, .machine = 2, .order = order::thread_blocks, .clock = clock}};
    generator by_batch{{.layout = wide, .machine = 3, .clock = clock}};
    journal file = journal::open(disk / "path", {.layout = wide, .machine = 4, .clock = clock});
    std::atomic<std::int64_t> word{0};
    std::array<id, 64> small{};
    std::array<id, 1024> large{};
    std::uint64_t salt = 0;

    contest c;
    enum : std::size_t { counter, wall, cas, in_memory, in_blocks, in_file, batch_64, batch_1024, stores };
    c.add(calls, [] { keep(read_counter()); });
    c.add(calls, [] { keep(detail::clock_ns(CLOCK_REALTIME)); });
    c.add(calls, [&] {
        std::int64_t seen = word.load(std::memory_order_relaxed);
        word.compare_exchange_weak(seen, seen + 1, std::memory_order_relaxed);
    });
    c.add(calls, [&] { keep(*strict.try_next()); });
    c.add(calls, [&] { keep(*blocks.try_next()); });
    c.add(calls, [&] { keep(*file.try_next()); });
    c.add(calls / 64 + 1, [&] {
        keep(*by_batch.try_next(small));
        keep(small.data());
    });
    c.add(calls / 1024 + 1, [&] {
        keep(*by_batch.try_next(large));
        keep(large.data());
    });
    c.add(calls / 1024 + 1, [&] {
        ++salt;
        for (std::size_t i = 0; i < large.size(); ++i) large[i].value = salt + i;
        keep(large.data());
    });
    c.run(e.rounds());

    const auto clock_and_cas = [](const auto& at) { return at(wall) + at(cas); };
    return {
        {"limit: a bare counter read", c.ns(counter), "ns", {}, {}, ""},
        {"limit: clock_gettime", c.ns(wall), "ns", {}, {}, ""},
        {"limit: an uncontended compare-and-set", c.ns(cas), "ns", {}, {}, ""},
        {"limit: a plain loop of 1024 stores, per store", c.ns(stores) / 1024, "ns", {}, {}, ""},
        {"try_next / a bare counter read",
         c.ratio(in_memory, std::size_t{counter}),
         "x",
         1.15,
         {},
         in_ns(c.ns(in_memory)) + " / " + in_ns(c.ns(counter))},
        {"try_next / (clock_gettime + compare-and-set)",
         c.ratio(in_memory, clock_and_cas),
         "x",
         0.35,
         {},
         in_ns(c.ns(in_memory)) + " / " + in_ns(c.ns(wall) + c.ns(cas))},
        {"the cursor in a mapped file / in process memory",
         c.ratio(in_file, std::size_t{in_memory}),
         "x",
         1.05,
         {},
         in_ns(c.ns(in_file)) + " / " + in_ns(c.ns(in_memory))},
        {"try_next with thread blocks / a bare counter read",
         c.ratio(in_blocks, std::size_t{counter}),
         "x",
         {},
         {},
         in_ns(c.ns(in_blocks))},
        {"a batch of 64, per id", c.ns(batch_64) / 64, "ns", 0.9, {}, ""},
        {"a batch of 1024, per id", c.ns(batch_1024) / 1024, "ns", 0.4, {}, ""},
    };
}

}  // namespace firn::bench
