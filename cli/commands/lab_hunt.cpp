// `firn lab hunt`: random worlds, until one breaks a promise.
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "cli/arguments.hpp"
#include "cli/commands/lab.hpp"
#include "cli/commands/lab_words.hpp"
#include "cli/progress_bar.hpp"
#include "lab/hunt/hunt.hpp"
#include "lab/hunt/story.hpp"

namespace firn::cli {

namespace {

constexpr const char* footer =
    R"(Each world is the product's own journal protocol and id path over a simulated host: one to four processes,
a clock that steps, kills, power losses, torn and failed writes, forks. Checked after each action: no slot
is given twice, none goes back, none is given that a power loss would forget, and every refusal has a cause.

Exit status: 0 when the product kept its promises, or a deliberate bug was found; 1 otherwise; 2 wrong
arguments. A world depends on --seed and its number only, not on --threads.
Examples:
  firn lab hunt                                the product, for ten seconds on all cores
  firn lab hunt --minutes 10 --seed 2
  firn lab hunt --bug list
  firn lab hunt --bug published-before-sync
  firn lab hunt --replay 'layout=2/1 memory=amnesia start:0 issue:0 kill:0 start:0 issue:0')";

struct hunt_arguments {
    std::uint64_t seed = 1;
    std::uint64_t minutes = 0;
    std::uint64_t seconds = 0;
    std::uint64_t worlds = 0;
    std::string bug = "none";
    unsigned threads = 0;
    std::string replay;
    bool json = false;
};

double seconds_of(std::chrono::nanoseconds t) {
    return std::chrono::duration<double>(t).count();
}

lab::hunt_result hunt(const hunt_arguments& given) {
    lab::hunt_options o{.seed = given.seed, .bug = *lab::bug_named(given.bug)};
    o.threads = given.threads != 0 ? given.threads : std::max(1U, std::thread::hardware_concurrency());
    o.worlds = given.worlds;
    o.time = std::chrono::seconds{given.minutes * 60 + given.seconds};
    if (o.worlds == 0 && o.time.count() == 0) o.time = std::chrono::seconds{10};
    std::atomic<std::uint64_t> worlds{0};
    o.progress = &worlds;
    const auto begin = std::chrono::steady_clock::now();
    const progress_bar bar{[&] {
        const std::uint64_t n = worlds.load(std::memory_order_relaxed);
        progress_state s{.what = "hunting", .done = n, .total = o.worlds, .note = grouped(n) + " worlds"};
        if (o.worlds == 0) {
            s.done = static_cast<std::uint64_t>((std::chrono::steady_clock::now() - begin).count());
            s.total = static_cast<std::uint64_t>(o.time.count());
        }
        return s;
    }};
    return lab::hunt(o);
}

void print(const hunt_arguments& given, const lab::hunt_result& r) {
    const auto line = [](const std::string& name, const std::string& value) {
        std::cout << name << std::string(20 - name.size(), ' ') << value << '\n';
    };
    line("seed", std::to_string(given.seed));
    if (given.bug != "none") line("bug", given.bug);
    line("worlds", grouped(r.worlds));
    line("time", seconds_text(seconds_of(r.took)) + " s");
    line("ids", grouped(r.ids));
    line("actions", grouped(r.actions));
    for (std::size_t i = 0; i < r.by_act.size(); ++i)
        if (r.by_act[i] != 0)
            line("  " + std::string{name_of(static_cast<lab::act>(i))}, grouped(r.by_act[i]));
    line("mishaps", grouped(r.mishaps));
    if (!r.found) {
        std::cout << "No promise was broken.\n";
        return;
    }
    std::cout << "World " << grouped(r.world) << ": " << lab::describe(r.first.flaw)
              << ". The smallest scenario, " << r.smallest.actions.size() << " actions:\n\n";
    print_scenario(r.smallest);
}

nlohmann::ordered_json report_of(const hunt_arguments& given, const lab::hunt_result& r) {
    nlohmann::ordered_json by_act = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < r.by_act.size(); ++i) by_act[name_of(static_cast<lab::act>(i))] = r.by_act[i];
    nlohmann::ordered_json all{{"seed", given.seed},   {"bug", given.bug},
                               {"worlds", r.worlds},   {"ids", r.ids},
                               {"actions", r.actions}, {"by_action", by_act},
                               {"mishaps", r.mishaps}, {"seconds", seconds_of(r.took)},
                               {"found", r.found}};
    if (r.found) {
        all["world"] = r.world;
        all["smallest"] = json_of(r.smallest, r.broken);
    }
    return all;
}

/// Ends with 1 unless it is as it should be: found if and only if something is broken on purpose.
void end(bool found, bool on_purpose) {
    if (found != on_purpose) throw CLI::RuntimeError(1);
}

void replay(const hunt_arguments& given) {
    lab::script s;
    try {
        s = lab::script_of(given.replay);
    } catch (const std::invalid_argument& e) {
        throw bad_argument("--replay", e.what(), "--replay 'layout=2/1 start:0 step:0*13 issue:0'");
    }
    const lab::finding f = lab::play_script(s);
    if (given.json)
        std::cout << json_of(s, f).dump() << '\n';
    else
        print_scenario(s);
    end(f.broken(), s.setup.bug != lab::bug::none);
}

void run(const hunt_arguments& given) {
    if (given.bug == "list") return print_bugs(given.json);
    if (!given.replay.empty()) return replay(given);
    const lab::hunt_result r = hunt(given);
    if (given.json)
        std::cout << report_of(given, r).dump() << '\n';
    else
        print(given, r);
    end(r.found, given.bug != "none");
}

}  // namespace

void add_lab_hunt(CLI::App& lab) {
    auto* command = lab.add_subcommand("hunt", "Look for a broken promise in random worlds");
    auto given = std::make_shared<hunt_arguments>();
    command->add_option("--seed", given->seed, "Which worlds")
        ->check(whole_number(0, ~std::uint64_t{0}, "--seed 2"))
        ->capture_default_str();
    command->add_option("--minutes", given->minutes, "How long (10 seconds unless given)")
        ->check(whole_number(1, 100'000, "--minutes 10"));
    command->add_option("--seconds", given->seconds, "How long")
        ->check(whole_number(1, 10'000'000, "--seconds 30"));
    command->add_option("--worlds", given->worlds, "How many worlds at most")
        ->check(whole_number(1, std::uint64_t{1} << 40, "--worlds 100000"));
    command->add_option("--bug", given->bug, "Break something on purpose; list: names what there is")
        ->type_name("NAME")
        ->check(bug_name());
    command->add_option("--threads", given->threads, "Threads; one for each core unless given")
        ->check(whole_number(1, 1024, "--threads 2"));
    command->add_option("--replay", given->replay, "Tell the story of one scenario, as a hunt prints it")
        ->type_name("SCENARIO");
    command->add_flag("--json", given->json, "Print one JSON object");
    command->footer(footer);
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
