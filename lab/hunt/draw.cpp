#include "lab/hunt/draw.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <optional>

#include "lab/random.hpp"

namespace firn::lab {

namespace {

using mode = process::mode;

class dice {
  public:
    explicit dice(std::uint64_t seed) : numbers_(seed) {}

    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(numbers_.below(bound)); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }
    bool per_thousand(std::uint32_t n) { return below(1000) < n; }
    template <class T>
    T any_of(std::initializer_list<T> list) {
        return list.begin()[below(static_cast<std::uint32_t>(list.size()))];
    }

  private:
    random_stream numbers_;
};

setup draw_setup(dice& d, bug b) {
    setup s;
    const bool short_life = d.one_in(4);
    s.layout = small_layout(short_life ? d.any_of<std::uint8_t>({2, 3, 4, 5, 6}) : std::uint8_t{41},
                            d.any_of<std::uint8_t>({1, 2, 2, 3, 4, 8, 12}));
    s.window_ticks = d.any_of<std::int64_t>({1, 1, 2, 3, 4, 8, 30});
    s.processes = d.any_of<std::uint8_t>({1, 2, 2, 3, 4});
    s.rules.rewind = d.one_in(5) ? rewind_policy::refuse : rewind_policy::clamp;
    s.rules.overflow = d.one_in(4) ? overflow_policy::spin : overflow_policy::borrow;
    s.rules.start =
        d.one_in(4) ? d.any_of({sequence_start::rolling, sequence_start::random}) : sequence_start::zero;
    s.rules.spread_bits = 8;
    s.rules.seed = setup::machine;
    s.rules.ahead_max =
        d.one_in(3) ? d.any_of<std::int64_t>({0, 1, 3, 10}) : std::numeric_limits<std::int64_t>::max();
    s.order = d.one_in(2) ? order::strict : order::thread_blocks;
    s.largest_block = s.order == order::thread_blocks ? d.any_of({2U, 8U, 1024U}) : d.any_of({0U, 0U, 64U});
    s.probe = d.any_of({0U, 0U, 1U, 3U, 10U});
    put_in(s, b);
    if (s.memory != memory::journal) s.largest_block = 0;
    if (s.memory == memory::journal) s.probe = 0;
    return s;
}

/// How likely each action is; 0: never.
using weights = std::array<std::uint32_t, 20>;
constexpr std::size_t batch = 16;  // beside the values of act
constexpr std::size_t back = 17;
constexpr std::size_t leap = 18;

std::uint32_t& of(weights& w, act a) {
    return w[static_cast<std::size_t>(a)];
}

weights draw_weights(dice& d, const setup& s) {
    weights w{};
    of(w, act::start) = d.any_of({20U, 60U});
    of(w, act::step) = d.any_of({30U, 100U, 300U});
    of(w, act::issue) = d.any_of({20U, 60U, 200U});
    w[batch] = d.any_of({0U, 10U, 40U});
    of(w, act::read) = d.any_of({0U, 0U, 20U});
    of(w, act::claim) = 20;
    of(w, act::extend) = d.any_of({0U, 4U, 20U, 60U});
    of(w, act::close) = d.any_of({0U, 2U, 8U});
    of(w, act::kill) = d.any_of({0U, 2U, 8U, 30U});
    of(w, act::fork) = d.any_of({0U, 4U, 12U});
    of(w, act::power) = d.any_of({0U, 1U, 4U});
    of(w, act::evict) = d.any_of({0U, 5U});
    of(w, act::write_back) = d.any_of({0U, 0U, 2U});
    of(w, act::page_fails) = d.any_of({0U, 0U, 2U});
    of(w, act::page_evict) = 10;
    of(w, act::wall) = d.any_of({5U, 20U, 60U});
    w[back] = d.any_of({0U, 2U, 10U});
    w[leap] = d.any_of({0U, 0U, 1U});
    if (s.bug == bug::late_write) of(w, act::expire) = d.any_of({3U, 20U});
    // What these two do, they do without a kill.
    if (s.bug == bug::blind || s.bug == bug::refuse_probe) of(w, act::kill) = 0;
    if (s.memory != memory::journal) {
        of(w, act::power) = 0;
        of(w, act::fork) = 0;
    }
    return w;
}

class drawer {
  public:
    drawer(std::uint64_t seed, bug b)
        : dice_(seed),
          world_(draw_setup(dice_, b)),
          weights_(draw_weights(dice_, world_.of())),
          faults_per_thousand_(dice_.any_of({0U, 0U, 10U, 60U})),
          longest_step_(dice_.any_of({1U, 3U, 20U})) {
        for (const std::uint32_t w : weights_) total_ += w;
    }

    script run(finding& f) {
        script s{.setup = world_.of(), .actions = {}};
        const std::uint32_t length = 40 + dice_.below(360);
        s.actions.reserve(length);
        f = {};
        while (s.actions.size() < length) {
            const action a = s.actions.empty() ? first_wall() : next();
            const happening h = world_.apply(a);
            if (!h.applied) continue;
            s.actions.push_back(a);
            if (check(h, s.actions.size() - 1, f)) break;
        }
        return s;
    }

  private:
    bool check(const happening& h, std::size_t at, finding& f) {
        if (h.count != 0) {
            f.ids += h.count;
            if (const auto again = given_.add(h.first, h.count, static_cast<std::uint32_t>(at))) {
                f = {.flaw = flaw::repeated,
                     .at = at,
                     .slot = again->slot,
                     .first_at = again->first_at,
                     .ids = f.ids};
                return true;
            }
        }
        if (h.flaw == flaw::none || world_.of().bug != bug::none) return false;
        f.flaw = h.flaw;
        f.at = at;
        return true;
    }

    action first_wall() {
        const std::int64_t life = world_.of().layout.end_tick().count;
        const auto n =
            static_cast<std::uint32_t>(std::min<std::int64_t>(life, dice_.any_of({1, 100, 10'000})));
        return {.what = act::wall, .n = static_cast<std::int32_t>(1 + dice_.below(n))};
    }

    action next() {
        std::uint32_t at = dice_.below(total_);
        std::size_t kind = 0;
        while (at >= weights_[kind]) at -= weights_[kind++];
        action a{.what = kind < batch ? static_cast<act>(kind) : kind == batch ? act::issue : act::wall};
        a.process = static_cast<std::uint8_t>(dice_.below(world_.of().processes));
        if (kind == batch) {
            a.n = static_cast<std::int32_t>(2 + dice_.below(dice_.any_of({4U, 40U})));
        } else if (kind == back) {
            a.n = -static_cast<std::int32_t>(1 + dice_.below(dice_.any_of({3U, 30U})));
        } else if (kind == leap) {
            a.n = static_cast<std::int32_t>(100 + dice_.below(1000));
        } else {
            detail_of(a);
        }
        return a;
    }

    void detail_of(action& a) {
        switch (a.what) {
            case act::issue:
                a.n = 1;
                // Who meets the ceiling has it extended, as the reservation does.
                if (near_the_ceiling(a.process) && !dice_.one_in(3))
                    a = {.what = act::extend, .process = a.process};
                break;
            case act::step:
                if (dice_.per_thousand(faults_per_thousand_)) {
                    a.fault = dice_.any_of({mishap::write_fails, mishap::sync_fails, mishap::sync_fails,
                                            mishap::page_fails, mishap::interrupted});
                    fates_of(a);
                }
                // An interrupted creation is rare otherwise: there is one creation in a world.
                if (!world_.state().host.exists && dice_.one_in(4)) a.fault = mishap::interrupted;
                break;
            case act::fork:
                a.other = static_cast<std::uint8_t>(dice_.below(world_.of().processes));
                break;
            case act::power:
                fates_of(a);
                a.page = dice_.any_of({page_after::kept, page_after::back, page_after::back, page_after::zero,
                                       page_after::garbage});
                a.n = static_cast<std::int32_t>(1 + dice_.below(dice_.any_of({3U, 100U})));
                a.name_lost = !world_.state().host.name_durable && dice_.one_in(2);
                break;
            case act::write_back:
                fates_of(a);
                break;
            case act::evict:
                a.other = static_cast<std::uint8_t>(dice_.below(2));
                break;
            case act::page_evict:
                a.n = static_cast<std::int32_t>(1 + dice_.below(dice_.any_of({3U, 20U})));
                break;
            case act::wall:
                a.n = static_cast<std::int32_t>(1 + dice_.below(longest_step_));
                break;
            default:
                break;
        }
    }

    void fates_of(action& a) {
        for (fate& f : a.fates)
            f = dice_.any_of({fate::old, fate::old, fate::first, fate::newest, fate::torn});
        if (dice_.one_in(2)) a.cut = static_cast<std::uint16_t>(1 + dice_.below(100));
    }

    bool near_the_ceiling(unsigned process) const {
        if (world_.of().memory != memory::journal || world_.state().processes[process].doing != mode::up)
            return false;
        const unsigned bits = world_.of().layout.sequence_bits;
        const std::int64_t at =
            std::max(slot{world_.cursor_of(process) + 1}.tick_of(bits).count, world_.state().wall);
        const std::int64_t left = slot{world_.ceiling_of(process)}.tick_of(bits).count - at;
        return left < std::max<std::int64_t>(1, world_.of().window_ticks / 4);
    }

    dice dice_;
    world world_;
    weights weights_;
    std::uint32_t total_ = 0;
    std::uint32_t faults_per_thousand_;
    std::uint32_t longest_step_;
    ledger given_;
};

}  // namespace

script draw(std::uint64_t seed, bug b, finding& f) {
    return drawer{seed, b}.run(f);
}

}  // namespace firn::lab
