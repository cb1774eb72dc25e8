#include "cli/commands/demo_live.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/stop_signal.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "firn/error.hpp"
#include "lab/live/headline.hpp"
#include "lab/live/scratch.hpp"

namespace firn::cli {

namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t probe = 10;
constexpr auto deploy_after = 20ms;

struct run {
    live::memory kept;
    rewind_policy rule;
    std::vector<live::headline_round> rounds{};

    bool probed() const { return rule == rewind_policy::refuse; }
    bool has_journal() const { return kept == live::memory::journal; }
    std::string memory() const { return has_journal() ? "in a journal" : "in memory"; }
    std::string treatment() const {
        return probed() ? "refuse, killed by its probe after " + std::to_string(probe) + " refusals"
                        : "clamp, killed " + std::to_string(deploy_after.count()) + " ms after the step";
    }
    live::headline_round sum() const {
        live::headline_round s;
        for (const auto& r : rounds) {
            s.issued += r.issued;
            s.refused += r.refused;
            s.killed += r.killed;
            s.duplicates += r.duplicates;
        }
        return s;
    }
    /// Whether it showed what it is there to show: that memory repeats ids, and that the journal does not.
    bool ok() const { return (sum().duplicates == 0) == has_journal() && sum().killed >= rounds.size(); }
    live::headline_terms terms(const std::filesystem::path& directory) const {
        live::headline_terms t{.kept = kept, .rewind_rule = rule, .directory = directory / treatment()};
        if (probed())
            t.probe = probe;
        else
            t.deploy_after = deploy_after;
        return t;
    }
};

void print_row(const std::array<std::string, 5>& cells, const char* before = "", const char* after = "") {
    std::cout << before;
    for (const auto& cell : cells) std::cout << std::setw(12) << cell;
    std::cout << after << std::endl;  // seen at once, also in a pipe
}

void print_round(const run& r, const style& s) {
    const auto& last = r.rounds.back();
    print_row({std::to_string(r.rounds.size()), std::to_string(last.issued), std::to_string(last.refused),
               std::to_string(last.killed), std::to_string(last.duplicates)},
              last.duplicates == 0 ? "" : s.bad, last.duplicates == 0 ? "" : s.plain);
}

void print_heading(const run& r, const style& s) {
    std::cout << s.bold << "The cursor " << r.memory() << ". " << s.plain << r.treatment() << "\n";
    print_row({"round", "issued", "refused", "kill -9", "duplicates"}, s.faint, s.plain);
}

void print_summary(const std::array<run, 4>& runs, bool ok, const style& s) {
    table t{{"ids handed out twice", "in memory", "in a journal"}, "lrr"};
    for (std::size_t i = 0; i < runs.size(); i += 2)
        t.add({runs[i].treatment(), std::to_string(runs[i].sum().duplicates),
               std::to_string(runs[i + 1].sum().duplicates)});
    t.print(std::cout, s);
    std::cout << '\n';
    if (ok)
        std::cout << s.good << "A restart forgets what memory knew, and the clock repeats itself. "
                  << "The journal forgets nothing." << s.plain << '\n';
    else
        std::cout << s.bad << "This is not what was to be shown: duplicates in memory, a kill in each round, "
                  << "and none in the journal." << s.plain << '\n';
}

nlohmann::ordered_json json_of(const live::headline_round& r) {
    return {{"issued", r.issued}, {"refused", r.refused}, {"killed", r.killed}, {"duplicates", r.duplicates}};
}

nlohmann::ordered_json json_of(const run& r) {
    nlohmann::ordered_json rounds = nlohmann::ordered_json::array();
    for (const auto& each : r.rounds) rounds.push_back(json_of(each));
    nlohmann::ordered_json o{{"memory", r.has_journal() ? "journal" : "process"},
                             {"policy", r.probed() ? "refuse" : "clamp"}};
    if (r.probed())
        o["probe"] = probe;
    else
        o["deploy_after_ms"] = deploy_after.count();
    o.update(json_of(r.sum()));
    o["rounds"] = rounds;
    o["ok"] = r.ok();
    return o;
}

void play(run& r, const live_arguments& given, const std::filesystem::path& directory, const style& s) {
    if (!given.json) print_heading(r, s);
    live::headline servers(r.terms(directory));
    while (static_cast<int>(r.rounds.size()) < given.rounds) {
        r.rounds.push_back(servers.play_round());
        if (stop_signal() != 0) throw CLI::RuntimeError(128 + stop_signal());
        if (!given.json) print_round(r, s);
    }
    if (!given.json) std::cout << '\n';
}

void play_all(const live_arguments& given) {
    const style s = style_of(stdout);
    const scratch room(given.directory.empty() ? std::filesystem::temp_directory_path() : given.directory);
    std::array<run, 4> runs{
        run{live::memory::process, rewind_policy::refuse}, run{live::memory::journal, rewind_policy::refuse},
        run{live::memory::process, rewind_policy::clamp}, run{live::memory::journal, rewind_policy::clamp}};
    const live::headline_terms defaults;
    if (!given.json)
        std::cout << "Real processes on this host: a server hands out " << defaults.ids_per_ms
                  << " ids in a ms, round after round of " << defaults.round.count()
                  << " ms.\nIn each round its clock is set back by " << defaults.rewind.count()
                  << " ms, and it is killed and replaced.\n\n";
    for (run& r : runs) play(r, given, room.path(), s);
    const bool ok = std::all_of(runs.begin(), runs.end(), [](const run& r) { return r.ok(); });
    if (given.json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const run& r : runs) all.push_back(json_of(r));
        std::cout << nlohmann::ordered_json{{"ok", ok}, {"runs", all}}.dump() << '\n';
    } else {
        print_summary(runs, ok, s);
    }
    if (!ok) throw CLI::RuntimeError(1);
}

}  // namespace

void demo_live(const live_arguments& given) {
    catch_stop_signals();
    try {
        play_all(given);
    } catch (const CLI::Error&) {
        throw;
    } catch (const std::exception& e) {
        std::cerr << "firn demo: " << e.what() << " (--directory says where its journals are made)\n";
        throw CLI::RuntimeError(1);
    }
}

}  // namespace firn::cli
