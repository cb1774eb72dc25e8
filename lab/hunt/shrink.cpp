#include "lab/hunt/shrink.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "lab/random.hpp"

namespace firn::lab {

namespace {

class shrinker {
  public:
    shrinker(script s, flaw wanted) : best_(std::move(s)), wanted_(wanted) {}

    script run() {
        cut_the_end(best_);
        descend();
        wander();
        descend();
        return std::move(best_);
    }

  private:
    void cut_the_end(script& s) const {
        const finding f = play_script(s);
        s.actions.resize(f.at + 1);
    }

    /// One change at a time, until none is left that can be made.
    void descend() {
        do {
            progress_ = false;
            remove_runs();
            simplify_actions();
            simplify_setup();
        } while (progress_);
    }

    /// Several changes at once, at random: what only goes together.
    void wander() {
        random_stream numbers{1};
        std::size_t cost = cost_of(best_);
        for (int i = 0; i < tries; ++i) {
            script other = best_;
            const auto below = [&](std::size_t bound) {
                return static_cast<std::size_t>(numbers.below(bound));
            };
            if (below(4) == 0) mutate_setup(other.setup, below);
            for (std::size_t n = 1 + below(6); n > 0 && other.actions.size() > 1; --n)
                mutate_actions(other.actions, below);
            const finding f = play_script(other);
            if (f.flaw != wanted_) continue;
            other.actions.resize(f.at + 1);
            const std::size_t other_cost = cost_of(other);
            if (other_cost > cost) continue;  // as costly is welcome: it may lead on
            cost = other_cost;
            best_ = std::move(other);
        }
    }

    template <class Below>
    void mutate_setup(setup& s, Below below) const {
        const auto& l = s.layout;
        switch (below(4)) {
            case 0:
                s.window_ticks = 1 + static_cast<std::int64_t>(below(2));
                break;
            case 1:
                if (l.sequence_bits > 1)
                    s.layout =
                        small_layout(l.timestamp_bits, static_cast<std::uint8_t>(1 + below(l.sequence_bits)));
                break;
            case 2:
                s.largest_block = 0;
                s.order = order::strict;
                break;
            default:
                if (s.processes > 1) --s.processes;
                break;
        }
    }

    template <class Below>
    static void mutate_actions(std::vector<action>& actions, Below below) {
        const std::size_t at = below(actions.size());
        action& a = actions[at];
        switch (below(8)) {
            case 0:
                if (a.what == act::issue || a.what == act::wall) a.n = a.n < 0 ? -1 : 1;
                break;
            case 1:
                std::swap(a, actions[below(actions.size())]);
                break;
            case 2:
                a.process = static_cast<std::uint8_t>(below(setup::most_processes));
                break;
            default:
                actions.erase(actions.begin() + static_cast<std::ptrdiff_t>(at));
                break;
        }
    }

    static std::size_t cost_of(const script& s) {
        std::size_t cost = 8 * s.actions.size() + 4 * std::size_t{s.setup.processes} +
                           s.setup.layout.sequence_bits +
                           std::min<std::size_t>(static_cast<std::size_t>(s.setup.window_ticks), 8) +
                           (s.setup.largest_block != 0 ? 1 : 0);
        for (const action& a : s.actions)
            if (a.what == act::issue || a.what == act::wall)
                cost += std::min<std::size_t>(static_cast<std::size_t>(a.n < 0 ? -a.n : a.n), 7);
        return cost;
    }

    /// Takes the other over if it does the same.
    bool try_this(script other) {
        const finding f = play_script(other);
        if (f.flaw != wanted_) return false;
        other.actions.resize(f.at + 1);
        best_ = std::move(other);
        progress_ = true;
        return true;
    }

    /// Runs of halving length.
    void remove_runs() {
        for (std::size_t length = std::max<std::size_t>(best_.actions.size() / 2, 1); length >= 1;
             length /= 2)
            for (std::size_t at = 0; at + 1 < best_.actions.size();) {
                script other = best_;
                const std::size_t end = std::min(at + length, best_.actions.size() - 1);
                other.actions.erase(other.actions.begin() + static_cast<std::ptrdiff_t>(at),
                                    other.actions.begin() + static_cast<std::ptrdiff_t>(end));
                if (!try_this(std::move(other))) at += length;
            }
        remove_pairs();
    }

    /// Two at a time, for what only goes together: a kill and the start after it, a step there and one back.
    void remove_pairs() {
        if (best_.actions.size() > 120) return;
        for (std::size_t i = 0; i + 1 < best_.actions.size(); ++i)
            for (std::size_t j = i + 1; j + 1 < best_.actions.size(); ++j) {
                script other = best_;
                other.actions.erase(other.actions.begin() + static_cast<std::ptrdiff_t>(j));
                other.actions.erase(other.actions.begin() + static_cast<std::ptrdiff_t>(i));
                if (try_this(std::move(other))) j = i;
            }
    }

    template <class Change>
    void try_change(std::size_t at, Change change) {
        if (at >= best_.actions.size()) return;
        script other = best_;
        action& a = other.actions[at];
        const action before = a;
        change(a);
        if (!(a == before)) try_this(std::move(other));
    }

    void simplify_actions() {
        for (std::size_t i = 0; i < best_.actions.size(); ++i) {
            try_change(i, [](action& a) { a.fault = mishap::none; });
            try_change(i, [](action& a) { a.fates = {fate::old, fate::old}; });
            try_change(i, [](action& a) { a.fates[0] = fate::old; });
            try_change(i, [](action& a) { a.fates[1] = fate::old; });
            try_change(i, [](action& a) { a.cut = 0; });
            try_change(i, [](action& a) { a.page = page_after::kept, a.n = a.what == act::power ? 0 : a.n; });
            try_change(i, [](action& a) { a.n = a.what == act::issue ? 1 : a.n; });
            for (const std::int32_t divisor : {8, 4, 2})
                try_change(i, [&](action& a) { shorten(a, divisor); });
            try_change(i, [](action& a) { a.n = a.n > 1 ? a.n - 1 : a.n < -1 ? a.n + 1 : a.n; });
        }
    }

    static void shorten(action& a, std::int32_t divisor) {
        if (a.n / divisor != 0) a.n /= divisor;
    }

    template <class Change>
    void try_setup(Change change) {
        script other = best_;
        change(other.setup);
        if (to_text(other.setup) != to_text(best_.setup)) try_this(std::move(other));
    }

    void simplify_setup() {
        const setup usual;
        try_setup([&](setup& s) { s.rules.overflow = usual.rules.overflow; });
        try_setup([&](setup& s) { s.rules.start = usual.rules.start; });
        try_setup([&](setup& s) { s.rules.ahead_max = usual.rules.ahead_max; });
        if (best_.setup.bug != bug::blind && best_.setup.bug != bug::refuse_probe)
            try_setup([&](setup& s) { s.rules.rewind = rewind_policy::clamp; });
        try_setup([&](setup& s) { s.largest_block = 0; });
        try_setup([&](setup& s) { s.order = order::strict; });
        try_setup([&](setup& s) { s.probe = 0; });
        for (const std::uint32_t k : {1U, 2U, 3U})
            try_setup([&](setup& s) { s.probe = std::min(s.probe, k); });
        for (const std::int64_t w : {1, 2, 4, 8})
            try_setup([&](setup& s) { s.window_ticks = std::min(s.window_ticks, w); });
        for (const std::uint8_t p : std::initializer_list<std::uint8_t>{1, 2, 3})
            try_setup([&](setup& s) { s.processes = std::min(s.processes, p); });
        for (const std::uint8_t bits : std::initializer_list<std::uint8_t>{1, 2, 3, 4}) {
            if (bits < best_.setup.layout.sequence_bits)
                try_setup([&](setup& s) { s.layout = small_layout(s.layout.timestamp_bits, bits); });
        }
        for (const std::uint8_t bits : std::initializer_list<std::uint8_t>{2, 3, 4, 6, 8, 12}) {
            if (bits < best_.setup.layout.timestamp_bits)
                try_setup([&](setup& s) { s.layout = small_layout(bits, s.layout.sequence_bits); });
        }
    }

    static constexpr int tries = 30'000;

    script best_;
    flaw wanted_;
    bool progress_ = false;
};

}  // namespace

script shrink(script s, flaw wanted) {
    return shrinker{std::move(s), wanted}.run();
}

}  // namespace firn::lab
