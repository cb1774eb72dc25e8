// firn::counter_clock: the wall, read once a tick and kept with the CPU's counter in between; guarded against
// leaps. Link firn::runtime.
//
// When not to use it: where each call must see a step of the wall at once; it sees one at the next tick, and
// within 100 ms when a tick is longer.
//
//     auto c = std::make_shared<firn::counter_clock>(firn::layouts::twitter);
//     firn::generator fast{{.layout = firn::layouts::twitter, .machine = 7, .clock = c}};
//     firn::clock_counters seen = c->counters();             // steps, the largest, what is not believed yet
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "firn/clock.hpp"

namespace firn {

/// The two clocks of a host. Stand-ins are for tests and simulations.
class time_source {
  public:
    time_source() = default;
    time_source(const time_source&) = delete;
    time_source& operator=(const time_source&) = delete;
    virtual ~time_source() = default;

    /// Unix time in nanoseconds, as the wall reads. Threads: any.
    virtual std::int64_t wall_ns() noexcept = 0;
    /// Nanoseconds since some begin, never stepped: it passes through suspension as the wall does.
    virtual std::int64_t steady_ns() noexcept = 0;
};

struct guard_options {
    /// A jump forward beyond this is not believed at once.
    std::chrono::nanoseconds forward_max = std::chrono::seconds{5};
    /// It is when it has held for so long, or when someone accepts it.
    std::chrono::nanoseconds believe_after = std::chrono::seconds{60};
};

struct clock_counters {
    std::uint64_t steps_back = 0;
    std::uint64_t steps_forward = 0;
    std::int64_t largest_step_back_ns = 0;
    std::int64_t largest_step_forward_ns = 0;
    std::uint64_t jumps_doubted = 0;  ///< Jumps forward that were not believed at once.
    std::int64_t doubted_ns = 0;  ///< How far the wall is ahead of what is believed, now. 0: it is believed.
};

class counter_clock final : public clock {
  public:
    struct options {
        guard_options guard{};
        bool use_counter = true;                ///< False: read the host's clocks at every call.
        std::shared_ptr<time_source> source{};  ///< Empty: the host. A stand-in is read at every call.
    };

    /// Throws bad_layout.
    explicit counter_clock(const layout& l);
    counter_clock(const layout& l, const options& o);
    ~counter_clock() override;

    /// Believes the wall as it is from now on. Threads: any.
    void accept() noexcept;
    clock_counters counters() const noexcept;
    /// Whether ticks come from the CPU's counter: it is invariant, the kernel keeps time by it, and it is
    /// measured.
    bool counting() const noexcept;

    std::chrono::nanoseconds sleep_towards(tick target, std::chrono::nanoseconds limit) noexcept override;

  protected:
    tick read() noexcept override;

  private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Whether this CPU's counter is invariant and this kernel keeps time by it. Source: Intel SDM vol.
/// 3B, 18.17.1 (CPUID 80000007H, EDX bit 8); arm64's generic timer is constant by architecture.
bool counter_is_invariant() noexcept;

}  // namespace firn
