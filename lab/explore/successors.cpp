#include "lab/explore/successors.hpp"

#include <array>

namespace firn::lab {

namespace {

using mode = process::mode;

class lister {
  public:
    lister(const world& w, const freedom& f, std::vector<timed_action>& list) : w_(w), f_(f), list_(list) {}

    void all() {
        for (std::uint8_t p = 0; p < w_.of().processes; ++p) of_process(p);
        of_host();
    }

  private:
    const world_state& s() const noexcept { return w_.state(); }
    bool faults_left() const noexcept { return s().faults < f_.faults; }

    void add(const action& a, std::int64_t wall = 0) { list_.push_back({a, wall}); }
    void add_at_any_time(const action& a) {
        const std::int64_t end = w_.of().layout.end_tick().count;
        for (std::int64_t now = 0; now < end; ++now) add(a, now);
    }

    void of_process(std::uint8_t index) {
        const process& p = s().processes[index];
        const auto simple = [&](act what) { return action{.what = what, .process = index}; };
        if (p.doing == mode::down) return add(simple(act::start));
        add(simple(act::kill));
        if (w_.turns()[index]) steps(index);
        if (p.doing == mode::up) {
            if (!p.between) add(simple(act::close));
            if (!p.lost) add(simple(act::extend));
        }
        if (!p.may_issue()) return;
        if (p.between) return add(simple(act::claim));
        for (std::uint32_t n = 1; n <= f_.largest_batch; ++n) {
            action a = simple(act::issue);
            a.n = static_cast<std::int32_t>(n);
            add_at_any_time(a);
        }
        if (f_.late_claims) add_at_any_time(simple(act::read));
        if (!f_.forks) return;
        for (std::uint8_t child = 0; child < w_.of().processes; ++child) {
            action a = simple(act::fork);
            a.other = child;
            if (s().processes[child].doing == mode::down) {
                add(a);
                break;  // which of those that are down makes no difference
            }
        }
    }

    void steps(std::uint8_t index) {
        const action plain{.what = act::step, .process = index};
        world trial = w_;
        const happening h = trial.apply(plain);
        if (h.effect == effect::blocked) return;
        if (h.asked_clock)
            add_at_any_time(plain);
        else
            add(plain);
        if (!faults_left()) return;
        const auto with = [&](mishap m) {
            action a = plain;
            a.fault = m;
            return a;
        };
        if (h.asked_page && f_.page_fails) {
            if (h.asked_clock)
                add_at_any_time(with(mishap::page_fails));
            else
                add(with(mishap::page_fails));
        }
        if (!f_.records_fail) return;
        if (h.effect == effect::wrote || h.effect == effect::created) add(with(mishap::write_fails));
        if (h.effect == effect::created) add(with(mishap::interrupted));
        if (h.effect == effect::synced) for_each_fate(with(mishap::sync_fails));
    }

    void for_each_fate(const action& a) {
        std::array<std::array<fate, 4>, 2> possible{};
        std::array<std::size_t, 2> count{};
        for (std::size_t i = 0; i < 2; ++i) {
            const place& p = s().host.places[i];
            possible[i][count[i]++] = fate::old;
            if (!p.undecided()) continue;
            possible[i][count[i]++] = fate::newest;
            possible[i][count[i]++] = fate::torn;
            if (p.count > 1) possible[i][count[i]++] = fate::first;
        }
        for (std::size_t x = 0; x < count[0]; ++x)
            for (std::size_t y = 0; y < count[1]; ++y) {
                action with = a;
                with.fates = {possible[0][x], possible[1][y]};
                add(with);
            }
    }

    void of_host() {
        const host& h = s().host;
        power(page_after::kept, 0);
        power(page_after::zero, 0);
        power(page_after::garbage, 1);
        power(page_after::garbage, 2);
        if (w_.of().bug == bug::trusted_across_boots) power(page_after::back, 1);
        if (w_.of().bug == bug::late_write && h.lock != host::nobody) add({.what = act::expire});
        if (!faults_left()) return;
        if (f_.records_fail) {
            for (std::uint8_t i = 0; i < 2; ++i) add({.what = act::evict, .other = i});
            if (h.places[0].undecided() || h.places[1].undecided()) for_each_fate({.what = act::write_back});
        }
        if (f_.page_fails) {
            add({.what = act::page_fails});
            const std::int64_t most = h.page_stale ? h.page.cursor + 1 : 0;
            for (std::int64_t n = 1; n <= most; ++n)
                add({.what = act::page_evict, .n = static_cast<std::int32_t>(n)});
        }
    }

    void power(page_after page, std::int32_t n) {
        action a{.what = act::power, .page = page, .n = n};
        for_each_fate(a);
        a.name_lost = true;
        if (s().host.exists && !s().host.name_durable) for_each_fate(a);
    }

    const world& w_;
    const freedom& f_;
    std::vector<timed_action>& list_;
};

}  // namespace

void list_successors(const world& w, const freedom& f, std::vector<timed_action>& list) {
    lister{w, f, list}.all();
}

}  // namespace firn::lab
