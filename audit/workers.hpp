// firn::audit::run_workers: the same function on several threads; the first exception is thrown to the
// caller when all have ended.
//
//     run_workers(2, [&](unsigned worker) { … }, [&] { stop.request(); });
#pragma once

#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace firn::audit {

/// Runs `work(0)` … `work(count - 1)`, the first on this thread. When one throws, `end_others()` is called
/// (perhaps more than once): it makes them return or throw soon. The exception that came first is thrown.
template <class Work, class EndOthers>
void run_workers(unsigned count, const Work& work, const EndOthers& end_others) {
    std::exception_ptr first;
    std::mutex mutex;
    const auto guarded = [&](unsigned worker) {
        try {
            work(worker);
        } catch (...) {
            {
                const std::scoped_lock lock{mutex};
                if (!first) first = std::current_exception();
            }
            end_others();
        }
    };
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 1; i < count; ++i) threads.emplace_back(guarded, i);
        guarded(0);
    }
    if (first) std::rethrow_exception(first);
}

}  // namespace firn::audit
