// A host whose clocks move only while it waits, and that are set when the test says so.
//
//     scripted_host h;
//     h.step_at(2'500'000'000, -50'000'000);                 // the kernel tells it at once
//     watch(h.clocks(), h.pacer(), sink, {.for_ns = 5'000'000'000});
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host/clocks.hpp"
#include "host/pacer.hpp"

namespace firn::host {

class scripted_host {
  public:
    static constexpr std::int64_t begin_steady_ns = 1'000'000'000'000;
    static constexpr std::int64_t begin_wall_ns = 1'700'000'000'000'000'000;

    /// From `after_ns` on the wall reads `by_ns` more. `told`: the kernel wakes the pacer.
    void step_at(std::int64_t after_ns, std::int64_t by_ns, bool told = true) {
        events_.push_back({after_ns, by_ns, told});
    }
    /// A wait that lasts past `after_ns` lasts `by_ns` longer: the host was suspended, and all clocks went
    /// on.
    void suspend_at(std::int64_t after_ns, std::int64_t by_ns) { suspensions_.push_back({after_ns, by_ns}); }
    void stop_at(std::int64_t after_ns) { stop_ns_ = after_ns; }

    host::clocks& clocks() { return clocks_; }
    host::pacer& pacer() { return pacer_; }
    /// Set before or during a watch: what adjtimex says.
    lab::recorded_sample kernel{.status = 0, .maxerror_us = 1500, .state = 0};

  private:
    struct event {
        std::int64_t at_ns;
        std::int64_t by_ns;
        bool told = false;
    };
    struct moved_clocks final : host::clocks {
        explicit moved_clocks(scripted_host& of) : of_(of) {}
        lab::recorded_sample read() override {
            lab::recorded_sample s = of_.kernel;
            s.steady_ns = begin_steady_ns + of_.now_ns_;
            s.wall_ns = begin_wall_ns + of_.now_ns_ + of_.offset_ns_;
            return s;
        }
        scripted_host& of_;
    };
    struct moved_pacer final : host::pacer {
        explicit moved_pacer(scripted_host& of) : of_(of) {}
        wake wait_until(std::int64_t steady_ns) override { return of_.wait(steady_ns - begin_steady_ns); }
        scripted_host& of_;
    };

    wake wait(std::int64_t until_ns) {
        wake why = wake::due;
        if (stop_ns_ >= 0 && stop_ns_ <= until_ns) {
            until_ns = stop_ns_;
            why = wake::stop;
        }
        for (const event& e : events_)
            if (e.told && e.at_ns > now_ns_ && e.at_ns < until_ns) {
                until_ns = e.at_ns;
                why = wake::clock_set;
            }
        for (const event& e : events_)
            if (e.at_ns > now_ns_ && e.at_ns <= until_ns) offset_ns_ += e.by_ns;
        const std::int64_t before = now_ns_;
        now_ns_ = std::max(now_ns_, until_ns);
        for (const event& s : suspensions_)
            if (s.at_ns > before && s.at_ns <= until_ns) now_ns_ += s.by_ns;
        return why;
    }

    std::int64_t now_ns_ = 0;
    std::int64_t offset_ns_ = 0;
    std::int64_t stop_ns_ = -1;
    std::vector<event> events_;
    std::vector<event> suspensions_;
    moved_clocks clocks_{*this};
    moved_pacer pacer_{*this};
};

}  // namespace firn::host
