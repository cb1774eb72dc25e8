// `firn lab explore`: every history of small worlds.
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands/lab.hpp"
#include "cli/commands/lab_words.hpp"
#include "cli/progress_bar.hpp"
#include "lab/explore/explore.hpp"
#include "lab/hunt/story.hpp"

namespace firn::cli {

namespace {

constexpr const char* footer =
    R"(A small world is two processes, a layout of a few slots, and the product's own journal protocol over a
simulated host. Every interleaving is tried of starts, clean stops, extensions, ids, each single effect of the
protocol, kills and power losses, as many as there may be, and of what fails beside them, a bounded number;
and each time that the clock is read, every tick that there is. A state that was seen before is not looked at
again, so that the exploration ends when there is no new one.

Exit status: 0 when every world is without a flaw (or, with --bug, one was found); 1 otherwise.
Examples:
  firn lab explore
  firn lab explore --world plain --json
  firn lab explore --world plain --bug published-before-sync
  firn lab explore --states 100000)";

struct explore_arguments {
    std::string world = "all";
    std::uint64_t states = 0;
    std::string bug = "none";
    bool json = false;
};

struct explored {
    lab::exploration what;
    lab::exploration_result result;
    double seconds = 0;

    lab::script history() const { return {.setup = what.setup, .actions = result.history}; }
};

explored run_one(const lab::exploration& e) {
    lab::exploration_progress progress;
    const auto begin = std::chrono::steady_clock::now();
    explored done{.what = e, .result = {}};
    {
        const progress_bar bar{[&] {
            const std::uint64_t states = progress.states.load(std::memory_order_relaxed);
            const std::uint64_t left = states - progress.looked_at.load(std::memory_order_relaxed);
            return progress_state{.what = std::string{done.what.name} + ":",
                                  .note = grouped(states) + " states, " + grouped(left) + " to look at"};
        }};
        done.result = lab::explore(done.what, &progress);
    }
    done.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return done;
}

std::string padded(const std::string& text, std::size_t width) {
    return std::string(text.size() < width ? width - text.size() : 0, ' ') + text;
}

void print_heading() {
    std::cout << "world         states   transitions        issues   depth    seconds\n";
}

void print(const explored& e) {
    const lab::exploration_result& r = e.result;
    std::cout << e.what.name << std::string(8 - e.what.name.size(), ' ') << padded(grouped(r.states), 12)
              << padded(grouped(r.transitions), 14) << padded(grouped(r.issues), 14)
              << padded(grouped(r.depth), 8) << padded(seconds_text(e.seconds), 11) << "   "
              << (r.flaw != lab::flaw::none ? std::string{lab::describe(r.flaw)}
                  : r.complete              ? "complete, no flaw"
                                            : "no flaw so far")
              << "   (" << e.what.what << ")\n"
              << std::flush;
}

nlohmann::ordered_json report_of(const explored& e) {
    const lab::exploration_result& r = e.result;
    nlohmann::ordered_json all{{"world", e.what.name},
                               {"what", e.what.what},
                               {"setup", lab::to_text(e.what.setup)},
                               {"faults", e.what.freedom.faults},
                               {"states", r.states},
                               {"transitions", r.transitions},
                               {"issues", r.issues},
                               {"depth", r.depth},
                               {"complete", r.complete},
                               {"seconds", e.seconds},
                               {"flaw", lab::name_of(r.flaw)}};
    if (r.flaw != lab::flaw::none) all["shortest"] = json_of(e.history(), {.flaw = r.flaw});
    return all;
}

void run(const explore_arguments& given) {
    if (given.bug == "list") return print_bugs(given.json);
    bool found = false;
    std::uint64_t states = 0;
    double seconds = 0;
    nlohmann::ordered_json worlds = nlohmann::ordered_json::array();
    if (!given.json) print_heading();
    for (lab::exploration e : lab::small_worlds()) {
        if (given.world != "all" && given.world != e.name) continue;
        e.most_states = given.states;
        put_in(e.setup, *lab::bug_named(given.bug));
        const explored done = run_one(e);
        states += done.result.states;
        seconds += done.seconds;
        const bool here = done.result.flaw != lab::flaw::none;
        if (given.json)
            worlds.push_back(report_of(done));
        else
            print(done);
        if (here && !given.json) print_scenario(done.history());
        found = found || here;
        if (found && given.bug != "none") break;
    }
    if (given.json)
        std::cout << nlohmann::ordered_json{{"states", states},
                                            {"seconds", seconds},
                                            {"bug", given.bug},
                                            {"found", found},
                                            {"worlds", worlds}}
                         .dump()
                  << '\n';
    else
        std::cout << grouped(states) << " states in " << seconds_text(seconds) << " s.\n";
    if (found != (given.bug != "none")) throw CLI::RuntimeError(1);
}

}  // namespace

void add_lab_explore(CLI::App& lab) {
    auto* command = lab.add_subcommand("explore", "Try every history of small worlds");
    auto given = std::make_shared<explore_arguments>();
    std::vector<std::string> worlds{"all"};
    for (const lab::exploration& e : lab::small_worlds()) worlds.emplace_back(e.name);
    command->add_option("--world", given->world, "Which of them")
        ->type_name("NAME")
        ->check(one_of(worlds, "--world plain"))
        ->capture_default_str();
    command->add_option("--states", given->states, "Stop each after so many states, complete or not")
        ->check(whole_number(1, std::uint64_t{1} << 32, "--states 100000"));
    command->add_option("--bug", given->bug, "Break something on purpose; list: names what there is")
        ->type_name("NAME")
        ->check(bug_name());
    command->add_flag("--json", given->json, "Print one JSON object");
    command->footer(footer);
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
