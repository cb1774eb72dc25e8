// lab::for_each_index: independent pieces of work on all cores, their results in order.
//
//     std::vector<verdict> results(n);
//     lab::for_each_index(n, lab::all_cores(), [&](std::size_t i) { results[i] = lab::run(scenarios[i]); },
//     &done);
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace firn::lab {

inline unsigned all_cores() noexcept {
    return std::max(1U, std::thread::hardware_concurrency());
}

/// Calls `work(i)` once for each i below `count`, from up to `threads` threads at a time, and counts in
/// `done`. The first exception stops what has not begun and is thrown here. Blocks until all threads have
/// ended.
template <class Work>
void for_each_index(std::size_t count, unsigned threads, const Work& work,
                    std::atomic<std::uint64_t>* done = nullptr) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    const auto take_work = [&] {
        for (std::size_t i = next++; i < count; i = next++) {
            try {
                work(i);
                if (done != nullptr) done->fetch_add(1, std::memory_order_relaxed);
            } catch (...) {
                next = count;
                const std::scoped_lock lock{failure_mutex};
                if (!failure) failure = std::current_exception();
            }
        }
    };
    std::vector<std::jthread> others;
    for (std::size_t n = 1; n < std::min<std::size_t>(threads, count); ++n) others.emplace_back(take_work);
    take_work();
    others.clear();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace firn::lab
