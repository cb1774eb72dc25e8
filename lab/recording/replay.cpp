#include "lab/recording/replay.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "firn/rfc3339.hpp"
#include "lab/parameters.hpp"

namespace firn::lab {

namespace {

constexpr std::int64_t most_requests = 50'000'000;

std::uint64_t requests_in(const request_rate& rate, int128 span_ns) {
    return static_cast<std::uint64_t>(span_ns * rate.requests / (int128{rate.per_ms} * ns_per_ms));
}

std::string when(std::int64_t unix_ns) {
    return rfc3339(instant{std::chrono::microseconds{unix_ns / 1000}});
}

}  // namespace

replay::replay(clock_track track, replay_options o) : track_(std::move(track)), options_(std::move(o)) {
    const request_rate& rate = options_.base.rate;
    if (rate.per_ms > 1000)
        throw argument_error("rate", "takes a rate that comes round within a second (example: --rate 0.125)");
    if (int128{rate.requests} * 2 > int128{rate.per_ms} * (int128{1} << options_.base.layout.sequence_bits))
        throw argument_error(
            "rate", "takes at most half of what the layout can issue, " +
                        std::to_string((std::uint64_t{1} << options_.base.layout.sequence_bits) / 2) +
                        " requests per ms; above that quiet stretches are not quiet (example: --rate 8)");
    windows_ = rewind_windows(track_, rate.per_ms * ns_per_ms);
    offered_ = requests_in(rate, int128{track_.end_ns} - track_.begin_ns);
    for (const rewind_window& w : windows_) simulated_ += requests_in(rate, int128{w.end_ns} - w.begin_ns);
    check();
}

void replay::check() const {
    const layout& l = options_.base.layout;
    const std::int64_t epoch_ns = l.epoch_ms * ns_per_ms;
    for (const track_piece& p : track_.pieces) {
        const std::int64_t last = p.wall_at(p.begin_ns);
        if (last < epoch_ns)
            throw argument_error("epoch", "the recorded clock reads " + when(last) +
                                              ", which is before the layout's epoch " + when(epoch_ns) +
                                              " (example: --epoch 0)");
        if ((last - epoch_ns) / ns_per_ms + 86'400'000 >= l.end_tick().count)
            throw argument_error("layout", "the layout's life is over by " + when(last) +
                                               ", which the recorded clock reads (example: --epoch " +
                                               std::to_string(track_.begin_ns / ns_per_ms) + ")");
    }
    for (const rewind_window& w : windows_)
        if (const std::uint64_t n = requests_in(options_.base.rate, int128{w.end_ns} - w.begin_ns);
            n > most_requests)
            throw argument_error(
                "rate", "makes " + std::to_string(n) + " requests from " + when(w.begin_ns) + " to " +
                            when(w.end_ns) + ", where the clock read less than before, and at most " +
                            std::to_string(most_requests) + " are held in memory (example: --rate 0.01)");
}

scenario replay::scenario_of(std::size_t index) const {
    const rewind_window& w = windows_[index];
    scenario s = options_.base;
    s.rewind_ns = 0;
    s.duration_ns = w.end_ns - w.begin_ns;
    s.clock.clear();
    s.deploys_ns.clear();
    s.kills_ns.clear();

    // The wall at true time 0, then each piece as what it changes: of the error, and of its rate.
    std::int64_t error = 0;
    std::int64_t ppb = 0;
    std::int64_t since = 0;
    const auto turn_to = [&](std::int64_t at, std::int64_t value, std::int64_t rate) {
        const auto expected =
            error + static_cast<std::int64_t>(floor_div(int128{at - since} * ppb, int128{1'000'000'000}));
        if (value != expected) s.clock.push_back({.at_ns = at, .by_ns = value - expected});
        if (rate != ppb)
            s.clock.push_back({.at_ns = at, .by_ns = rate - ppb, .over_ns = 1'000'000'000, .endless = true});
        error = value;
        ppb = rate;
        since = at;
    };
    const auto first = std::upper_bound(track_.pieces.begin(), track_.pieces.end(), w.begin_ns,
                                        [](std::int64_t t, const track_piece& p) { return t < p.begin_ns; }) -
                       1;
    const std::int64_t origin = w.begin_ns - options_.base.layout.epoch_ms * ns_per_ms;
    for (auto p = first; p != track_.pieces.end() && p->begin_ns < w.end_ns; ++p) {
        const std::int64_t at = std::max(p->begin_ns, w.begin_ns);
        turn_to(at - w.begin_ns, origin + p->error_at(at), p->ppb);
    }
    if (options_.deploys)
        for (const clock_step& step : track_.steps)
            if (step.by_ns < 0 && step.true_ns > track_.begin_ns && step.true_ns >= w.begin_ns &&
                step.true_ns < w.end_ns)
                s.deploys_ns.push_back(step.true_ns - w.begin_ns +
                                       options_.deploy_after_ns.value_or(-step.by_ns / 2));
    return s;
}

verdict replay::run(const policy& rules, start_rule start, std::atomic<std::uint64_t>* done) const {
    verdict all;
    if (keeps_journal(start)) all.skipped = 0;
    all.issued = offered_ - simulated_;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        scenario s = scenario_of(i);
        s.rules = rules;
        s.start = start;
        verdict v = lab::run(s);
        const std::int64_t shift = windows_[i].begin_ns - track_.begin_ns;
        all.issued += v.issued;
        all.refused += v.refused;
        all.duplicates += v.duplicates;
        all.restarts += v.restarts;
        all.stalled_ns += v.stalled_ns;
        all.borrowed += v.borrowed;
        if (v.skipped) *all.skipped += *v.skipped;
        all.ahead_ms = std::max(all.ahead_ms, v.ahead_ms);
        for (const restart_note& note : v.restart_log)
            all.restart_log.push_back({note.true_ns + shift, note.wall_ms});
        if (v.first_duplicate && !all.first_duplicate)
            all.first_duplicate = collision{v.first_duplicate->id, v.first_duplicate->first_ns + shift,
                                            v.first_duplicate->again_ns + shift};
        if (done != nullptr) done->fetch_add(1, std::memory_order_relaxed);
    }
    all.offered = all.issued + all.refused;
    return all;
}

}  // namespace firn::lab
