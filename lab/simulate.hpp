// lab::simulate: the event loop. One server, one request at a time, in integer nanoseconds of true time.
//
// Four things meet here and know nothing of each other: arrivals (arrivals.hpp), the wall (wall.hpp), the
// supervisor (supervisor.hpp) and a process (server.hpp). What happened is told to an observer:
//
//     struct observer {
//         bool done();                          // no need to go on?
//         void issued(const grant&);
//         void refused(std::int64_t true_ns, std::int64_t wall_ms);
//         void stalled(std::int64_t ns);        // before the request's issued() or refused()
//         void restarted(std::int64_t true_ns, std::int64_t wall_ms);
//     };
#pragma once

#include <algorithm>
#include <cstdint>

#include "firn/id.hpp"
#include "firn/outcome.hpp"
#include "lab/scenario.hpp"
#include "lab/supervisor.hpp"
#include "lab/wall.hpp"

namespace firn::lab {

/// An id that was handed out.
struct grant {
    std::int64_t true_ns;  ///< When: the request's start, or the end of its wait.
    std::int64_t wall_ms;  ///< What the wall read then.
    firn::id id;
    std::int64_t tick;      ///< The cursor's tick after it,
    std::int64_t previous;  ///< and before.
};

template <class Arrivals, class Process, class Observer>
void simulate(const scenario& s, const wall& w, Arrivals next_arrival, Process& process, Observer& observer) {
    wall::reader reader{w};
    supervisor boss{s};
    const auto restart = [&](std::int64_t at_ns) {
        const std::int64_t wall_ms = w.at(at_ns);
        if constexpr (requires { process.restart(tick{wall_ms}); })
            process.restart(tick{wall_ms});
        else
            process.restart();
        observer.restarted(at_ns, wall_ms);
    };

    std::int64_t free_ns = 0;
    while (!observer.done()) {
        const auto arrival = next_arrival();
        if (!arrival) break;
        const std::int64_t start_ns = std::max(*arrival, free_ns);
        while (boss.due_ns() <= start_ns) [[unlikely]] restart(boss.take(start_ns));

        std::int64_t now_ns = start_ns;
        std::int64_t wall_ms = reader.read(now_ns);
        const std::int64_t previous = process.position();
        outcome<id> answer = process.try_next(tick{wall_ms});

        bool killed = false;
        while (answer.error() == errc::tick_full) [[unlikely]] {
                const auto end_ns = w.first_reading(answer.amount(), now_ns);
                killed = boss.next_kill_ns() < end_ns.value_or(supervisor::never);
                if (!killed && !end_ns) break;  // The wall stands still for ever: the request fails.
                now_ns = killed ? boss.next_kill_ns() : *end_ns;
                wall_ms = reader.read(now_ns);
                if (killed) break;
                answer = process.try_next(tick{wall_ms});
            }
        if (now_ns != start_ns) [[unlikely]]
            observer.stalled(now_ns - start_ns);
        free_ns = now_ns;

        if (answer) [[likely]] {
            boss.succeeded();
            observer.issued({now_ns, wall_ms, *answer, process.position(), previous});
            continue;
        }
        observer.refused(now_ns, wall_ms);
        if (killed)
            restart(boss.take(now_ns));
        else if (boss.failed())
            restart(now_ns);
    }
}

}  // namespace firn::lab
