// What the tests of several threads share: a crew that starts together, and the checks of what it got.
//
//     const auto got = firn::crew(4, [&](std::size_t) { return take(g, 10'000); });
//     EXPECT_EQ(firn::repeated(got), 0U);
#pragma once

#include <algorithm>
#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

#include "firn/id.hpp"

namespace firn {

/// Runs `work(i)` in `n` threads that start as close together as a barrier gets them; their results by
/// thread.
template <class Work>
auto crew(std::size_t n, Work work) {
    std::vector<decltype(work(std::size_t{0}))> results(n);
    std::barrier start(static_cast<std::ptrdiff_t>(n));
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < n; ++i)
        threads.emplace_back([&, i] {
            start.arrive_and_wait();
            results[i] = work(i);
        });
    for (auto& t : threads) t.join();
    return results;
}

/// `n` ids, one call each.
template <class Generator>
std::vector<id> take(Generator& g, std::size_t n) {
    std::vector<id> ids;
    ids.reserve(n);
    for (std::size_t i = 0; i < n; ++i) ids.push_back(g.next());
    return ids;
}

/// How many of all these ids are not the only one of their kind.
inline std::size_t repeated(const std::vector<std::vector<id>>& lists) {
    std::vector<id> all;
    for (const auto& l : lists) all.insert(all.end(), l.begin(), l.end());
    std::sort(all.begin(), all.end());
    return all.size() - static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin());
}

/// Whether every thread's own ids are in order.
inline bool each_in_order(const std::vector<std::vector<id>>& lists) {
    return std::all_of(lists.begin(), lists.end(), [](const auto& l) {
        return std::adjacent_find(l.begin(), l.end(), std::greater_equal<>{}) == l.end();
    });
}

}  // namespace firn
