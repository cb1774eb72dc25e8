// The lab against the slow model (model.hpp), over random scenarios by seed.
#include <gmock/gmock.h>

#include <sstream>

#include "lab/exact.hpp"
#include "lab/random.hpp"
#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"
#include "tests/sim/model.hpp"

namespace {

using namespace firn;
using lab::random_stream;

/// A trial for the model and the same for the lab, as the words of a command line.
struct twin {
    model::trial slow;
    std::vector<std::pair<std::string, std::vector<std::string>>> words;

    std::string command() const {
        std::string line = "firn lab run";
        for (const auto& [name, values] : words)
            for (const std::string& value : values) line += " --" + name + " " + value;
        return line;
    }
    lab::scenario scenario() const {
        lab::scenario s;
        for (const auto& [name, values] : words)
            lab::assign(lab::scenario_parameters(), s, name, std::span<const std::string>{values});
        lab::check(s);
        return s;
    }
};

std::string any_of(random_stream& r, std::initializer_list<const char*> words) {
    return words.begin()[r.below(words.size())];
}

/// A time in eighths of a millisecond: on the nanosecond grid, and often where a request is.
std::pair<model::fraction, std::string> any_time(random_stream& r, std::uint64_t most_ms) {
    const auto eighths = static_cast<std::int64_t>(r.below(most_ms * 8 + 1));
    return {model::fraction{eighths, 8}, lab::fixed_text(eighths * 125, 3)};
}

twin any_twin(std::uint64_t seed, bool slews) {
    random_stream r{seed};
    twin t;
    const auto say = [&](const char* name, const std::string& value) { t.words.push_back({name, {value}}); };
    const auto number = [](std::uint64_t n) { return std::to_string(n); };

    say("policy", t.slow.policy = any_of(r, {"blind", "refuse", "clamp", "clamp"}));
    say("overflow", t.slow.overflow = any_of(r, {"spin", "borrow"}));
    say("variant", t.slow.variant = any_of(r, {"strict", "strict", "strict", "inclusive", "free-running"}));
    say("start-rule", t.slow.start_rule = any_of(r, {"amnesia", "resume", "skip"}));

    const std::int64_t hundredths = static_cast<std::int64_t>(1 + r.below(r.below(2) == 0 ? 300 : 2000));
    const std::int64_t rate = r.below(2) == 0 ? hundredths : (hundredths / 100 + 1) * 100;
    t.slow.rate = {rate, 100};
    say("rate", lab::fixed_text(rate, 2));
    const std::uint64_t duration = 1 + r.below(120);
    t.slow.duration = {static_cast<std::int64_t>(duration)};
    say("duration", number(duration));

    const auto [step_at, step_at_text] = any_time(r, duration);
    const auto [rewind, rewind_text] = any_time(r, r.below(3) == 0 ? 3 : 60);
    t.slow.changes.push_back({step_at, model::fraction{0} - rewind, {}});
    say("step-at", step_at_text);
    say("rewind", rewind_text);

    std::vector<std::string> clock;
    for (std::uint64_t n = r.below(3); n > 0; --n) {
        const auto [at, at_text] = any_time(r, duration);
        const bool back = r.below(2) == 0;
        if (slews) {
            // By a half or a quarter of the span, so that two of them do not turn time back.
            const auto quarters = static_cast<std::int64_t>(1 + r.below(2));
            const auto over = static_cast<std::int64_t>(4 * (1 + r.below(10)));
            const std::int64_t by = over / 4 * quarters;
            t.slow.changes.push_back({at, {back ? -by : by}, {over}});
            clock.push_back("slew:" + at_text + (back ? ":-" : ":") + std::to_string(by) + ":" +
                            std::to_string(over));
        } else {
            const auto [by, by_text] = any_time(r, 40);
            t.slow.changes.push_back({at, back ? model::fraction{0} - by : by, {}});
            clock.push_back("step:" + at_text + (back ? ":-" : ":") + by_text);
        }
    }
    if (!clock.empty()) t.words.push_back({"clock", clock});
    t.slow.grid = slews;

    if (r.below(2) == 0) {
        const std::uint64_t probe = 1 + r.below(r.below(2) == 0 ? 5 : 60);
        t.slow.probe = static_cast<std::int64_t>(probe);
        say("probe", number(probe));
    }
    std::vector<std::string> deploys;
    for (std::uint64_t n = r.below(4); n > 0; --n) {
        const auto [at, text] = any_time(r, duration);
        t.slow.deploys.push_back(at);
        deploys.push_back(text);
    }
    if (!deploys.empty()) t.words.push_back({"deploy-at", deploys});
    std::vector<std::string> kills;
    for (std::uint64_t n = r.below(2); n > 0; --n) {
        const auto [at, text] = any_time(r, duration);
        t.slow.kills.push_back(at);
        kills.push_back(text);
    }
    if (!kills.empty()) t.words.push_back({"kill-at", kills});

    // Often narrow sequences, so that ticks are spent; sometimes a field of time that ends.
    t.slow.sequence_bits = static_cast<int>(r.below(4) == 0 ? 12 : 1 + r.below(7));
    t.slow.timestamp_bits = static_cast<int>(r.below(6) == 0 ? 5 + r.below(3) : 39);
    t.slow.machine_bits = std::min(63 - t.slow.timestamp_bits - t.slow.sequence_bits, 32);
    t.slow.sequence_bits = 63 - t.slow.timestamp_bits - t.slow.machine_bits;
    if (t.slow.sequence_bits > 31) {
        t.slow.sequence_bits = 31;
        t.slow.timestamp_bits = 63 - 31 - t.slow.machine_bits;
    }
    say("layout", std::to_string(t.slow.timestamp_bits) + "/" + std::to_string(t.slow.machine_bits) + "/" +
                      std::to_string(t.slow.sequence_bits));
    t.slow.machine = static_cast<std::int64_t>(r.below(std::uint64_t{1} << t.slow.machine_bits));
    say("machine", std::to_string(t.slow.machine));
    if (r.below(4) == 0) {
        t.slow.ahead_max = static_cast<std::int64_t>(r.below(30));
        say("ahead-max", std::to_string(t.slow.ahead_max));
    }
    return t;
}

struct row_observer : lab::silent_observer {
    std::vector<model::row> rows;
    void issued(const lab::grant& g) {
        rows.push_back({g.true_ns, g.wall_ms, true, static_cast<std::int64_t>(g.id.value)});
    }
    void refused(std::int64_t true_ns, std::int64_t wall_ms) {
        rows.push_back({true_ns, wall_ms, false, -1});
    }
};

/// What the trials met, so that a comparison of nothing does not pass for one.
struct coverage {
    std::uint64_t duplicates = 0, refused = 0, restarts = 0, stalled = 0, borrowed = 0, ahead = 0;
};

void compare(const twin& t, coverage& met) {
    SCOPED_TRACE("replay: " + t.command());
    const lab::scenario s = t.scenario();
    const model::result slow = model::run(t.slow);
    const lab::verdict v = lab::run(s);

    lab::sequencer_process process{s};
    row_observer seen;
    lab::play(s, process, seen);
    ASSERT_EQ(seen.rows.size(), slow.rows.size());
    for (std::size_t i = 0; i < seen.rows.size(); ++i)
        ASSERT_EQ(seen.rows[i], slow.rows[i])
            << "request " << i << ": lab " << seen.rows[i].true_ns << ' ' << seen.rows[i].wall_ms << ' '
            << seen.rows[i].id << ", model " << slow.rows[i].true_ns << ' ' << slow.rows[i].wall_ms << ' '
            << slow.rows[i].id;

    const auto issued = static_cast<std::uint64_t>(std::count_if(
        slow.rows.begin(), slow.rows.end(), [](const model::row& each) { return each.issued; }));
    EXPECT_EQ(v.offered, slow.rows.size());
    EXPECT_EQ(v.issued, issued);
    EXPECT_EQ(v.refused, slow.rows.size() - issued);
    EXPECT_EQ(v.duplicates, static_cast<std::uint64_t>(slow.duplicates));
    EXPECT_EQ(v.stalled_ns, slow.stalled_ns);
    EXPECT_EQ(v.borrowed, static_cast<std::uint64_t>(slow.borrowed));
    EXPECT_EQ(v.ahead_ms, slow.ahead);
    EXPECT_EQ(v.restarts, slow.restarts.size());
    ASSERT_EQ(v.restart_log.size(), slow.restarts.size());
    for (std::size_t i = 0; i < slow.restarts.size(); ++i) {
        EXPECT_EQ(v.restart_log[i].true_ns, slow.restarts[i].true_ns);
        EXPECT_EQ(v.restart_log[i].wall_ms, slow.restarts[i].wall_ms);
    }
    ASSERT_EQ(v.first_duplicate.has_value(), slow.duplicates > 0);
    if (v.first_duplicate) {
        EXPECT_EQ(static_cast<std::int64_t>(v.first_duplicate->id.value), slow.first_id);
        EXPECT_EQ(v.first_duplicate->first_ns, slow.first_ns);
        EXPECT_EQ(v.first_duplicate->again_ns, slow.again_ns);
    }
    met.duplicates += v.duplicates > 0;
    met.refused += v.refused > 0;
    met.restarts += v.restarts > 0;
    met.stalled += v.stalled_ns > 0;
    met.borrowed += v.borrowed > 0;
    met.ahead += v.ahead_ms > 0;
}

void compare_many(std::uint64_t first_seed, std::uint64_t count, bool slews) {
    coverage met;
    for (std::uint64_t seed = first_seed; seed < first_seed + count; ++seed) {
        compare(any_twin(seed, slews), met);
        if (testing::Test::HasFatalFailure() || testing::Test::HasNonfatalFailure()) {
            FAIL() << "seed " << seed;
        }
    }
    for (const std::uint64_t n :
         {met.duplicates, met.refused, met.restarts, met.stalled, met.borrowed, met.ahead})
        EXPECT_GT(n, count / 50);
}

TEST(model, agrees_where_clocks_step) {
    compare_many(1, 3000, false);
}

TEST(model, agrees_where_clocks_slew_too) {
    compare_many(1'000'000, 1500, true);
}

}  // namespace
