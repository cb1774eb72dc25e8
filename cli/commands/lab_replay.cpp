// `firn lab replay`: what generators would have done on a recorded clock.
#include <array>
#include <atomic>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands/lab.hpp"
#include "cli/commands/lab_words.hpp"
#include "cli/parameter_options.hpp"
#include "cli/progress_bar.hpp"
#include "cli/table.hpp"
#include "cli/time_argument.hpp"
#include "lab/exact.hpp"
#include "lab/parallel.hpp"
#include "lab/recording/replay.hpp"
#include "lab/scenario_parameters.hpp"

namespace firn::cli {

namespace {

/// Those of the lab's parameters that make sense where the clock is given.
std::span<const lab::parameter<lab::scenario>> replay_parameters() {
    static const std::vector<lab::parameter<lab::scenario>> some = [] {
        std::vector<lab::parameter<lab::scenario>> out;
        for (const auto& p : lab::scenario_parameters())
            for (const char* name : {"rate", "probe", "machine", "layout", "epoch", "ahead-max"})
                if (p.name == name) out.push_back(p);
        return out;
    }();
    return some;
}

struct replay_arguments {
    explicit replay_arguments(CLI::App* command) : parameters(command, replay_parameters()) {}

    std::vector<std::string> files;
    parameter_options<lab::scenario> parameters;
    std::string format;
    std::string source;
    double step_min_ms = 0;
    std::string deploy_after;
    bool no_deploys = false;
    bool json = false;
};

struct rules {
    const char* policy;
    const char* overflow;
    const char* start;
    lab::scenario as;
    lab::verdict found{};
};

std::vector<rules> all_rules(const lab::scenario& base) {
    std::vector<rules> out;
    for (const char* policy : {"blind", "refuse", "clamp"})
        for (const char* overflow : {"spin", "borrow"})
            for (const char* start : {"amnesia", "resume", "skip", "journal"}) {
                // A journal refuses blind, which lowers its cursor.
                if (std::string_view{policy} == "blind" && std::string_view{start} == "journal") continue;
                rules r{policy, overflow, start, base};
                const auto set = [&r](const char* name, const std::string& value) {
                    lab::assign(lab::scenario_parameters(), r.as, name, std::span{&value, 1});
                };
                set("policy", policy);
                set("overflow", overflow);
                set("start-rule", start);
                out.push_back(std::move(r));
            }
    return out;
}

lab::replay load(const replay_arguments& given, lab::recording& recording, lab::replay_options& options) {
    options.base.probe = 10;
    given.parameters.assign_to(options.base);
    options.deploys = !given.no_deploys;
    if (!given.deploy_after.empty()) {
        std::int64_t ns = 0;
        if (!lab::parse_ms(ns, given.deploy_after) || ns > 5000 * lab::ns_per_ms)
            throw bad_argument("--deploy-after",
                               "takes milliseconds from 0 to 5000, not '" + given.deploy_after + "'",
                               "--deploy-after 20");
        options.deploy_after_ns = ns;
    }
    std::optional<lab::recording_format> format;
    if (!given.format.empty()) format = lab::recording_format_of(given.format);
    recording = lab::read_recording(given.files, {.format = format, .source = given.source});
    return with_arguments_checked([&] {
        return lab::replay{
            lab::track_of(recording,
                          {.step_min_ns = static_cast<std::int64_t>(given.step_min_ms * lab::ns_per_ms)}),
            options};
    });
}

void run_all(const lab::replay& r, std::vector<rules>& rows) {
    std::atomic<std::uint64_t> done{0};
    const std::uint64_t total = rows.size() * r.windows().size();
    const progress_bar bar{[&] { return progress_state{"replaying", done.load(), total}; }};
    lab::for_each_index(rows.size(), lab::all_cores(), [&](std::size_t i) {
        rows[i].found = r.run(rows[i].as.rules, rows[i].as.start, &done);
    });
}

std::string seconds_of(std::int64_t ns) {
    return lab::rounded_text(ns, 9, 3);
}

constexpr std::size_t steps_shown = 20;

void print(const lab::recording& recording, const lab::replay& r, const std::vector<rules>& rows,
           const lab::replay_options& options) {
    const lab::clock_track& t = r.track();
    std::cout << "recording  " << lab::name_of(recording.format)
              << (recording.source.empty() ? "" : " of " + recording.source) << ", "
              << grouped(recording.samples.size()) << " records from " << time_text(t.begin_ns) << " to "
              << time_text(t.end_ns) << '\n';
    if (recording.unsynchronised != 0)
        std::cout << "           " << grouped(recording.unsynchronised)
                  << " records without a source say nothing of the clock\n";
    if (recording.of_other_sources != 0)
        std::cout << "           " << grouped(recording.of_other_sources)
                  << " records of other sources are left out (--source)\n";
    if (recording.boots != 0)
        std::cout << "           " << recording.boots << " reboots; no step is assumed across one\n";
    std::uint64_t back = 0;
    for (const lab::clock_step& s : t.steps) back += s.by_ns < 0 ? 1 : 0;
    std::cout << "steps      " << t.steps.size() << ", " << back << " of them back";
    if (recording.went_back != 0)
        std::cout << " (" << recording.went_back
                  << " seen by stamps that go back: at least as large as said)";
    std::cout << '\n';
    for (std::size_t i = 0; i < t.steps.size() && i < steps_shown; ++i)
        std::cout << "           " << time_text(t.steps[i].true_ns) << "  "
                  << (t.steps[i].by_ns > 0 ? "+" : "") << seconds_of(t.steps[i].by_ns) << " s (before line "
                  << t.steps[i].line << ")\n";
    if (t.steps.size() > steps_shown)
        std::cout << "           … and " << t.steps.size() - steps_shown << " more (--json has all)\n";
    std::cout << "requests   " << grouped(r.offered()) << "; " << grouped(r.simulated()) << " of them, in "
              << r.windows().size()
              << " windows around the steps back, are simulated; between them each one is issued at once\n"
              << "supervisor "
              << (options.base.probe == 0
                      ? "no probe"
                      : "a probe that restarts after " + std::to_string(options.base.probe) + " failures")
              << (options.deploys ? "; a deploy after each step back" : "; no deploys") << "\n\n";
    table out{{"policy", "overflow", "start rule", "issued", "refused", "duplicates", "restarts",
               "stalled ms", "ahead ms"}};
    for (const rules& row : rows)
        out.add({row.policy, row.overflow, row.start, grouped(row.found.issued), grouped(row.found.refused),
                 grouped(row.found.duplicates), grouped(row.found.restarts),
                 lab::rounded_text(row.found.stalled_ns, 6, 3), std::to_string(row.found.ahead_ms)});
    out.print(std::cout, style_of(stdout));
}

void print_json(const lab::recording& recording, const lab::replay& r, const std::vector<rules>& rows) {
    const lab::clock_track& t = r.track();
    nlohmann::ordered_json steps = nlohmann::ordered_json::array();
    for (const lab::clock_step& s : t.steps)
        steps.push_back({{"time", time_text(s.true_ns)},
                         {"true_ns", std::to_string(s.true_ns)},
                         {"by_ns", std::to_string(s.by_ns)},
                         {"line", s.line}});
    nlohmann::ordered_json windows = nlohmann::ordered_json::array();
    for (const lab::rewind_window& w : r.windows())
        windows.push_back({{"from", time_text(w.begin_ns)},
                           {"to", time_text(w.end_ns)},
                           {"depth_ns", std::to_string(w.depth_ns)}});
    nlohmann::ordered_json head{{"format", lab::name_of(recording.format)},
                                {"source", recording.source},
                                {"lines", recording.lines},
                                {"records", recording.samples.size()},
                                {"notes", recording.notes},
                                {"unsynchronised", recording.unsynchronised},
                                {"of_other_sources", recording.of_other_sources},
                                {"not_understood", recording.not_understood},
                                {"boots", recording.boots},
                                {"from", time_text(t.begin_ns)},
                                {"to", time_text(t.end_ns)},
                                {"offered", r.offered()},
                                {"simulated", r.simulated()},
                                {"steps", steps},
                                {"windows", windows}};
    // The verdicts print themselves: a JSON library's floating point would round long times.
    std::string text = head.dump();
    text.pop_back();
    text += ",\"rows\":[";
    for (const rules& row : rows)
        text += std::string{&row == rows.data() ? "" : ","} + "{\"policy\":\"" + row.policy +
                "\",\"overflow\":\"" + row.overflow + "\",\"start_rule\":\"" + row.start + "\"," +
                lab::json_members(row.found) + '}';
    std::cout << text << "]}\n";
}

void run(const replay_arguments& given) {
    lab::recording recording;
    lab::replay_options options;
    const lab::replay r = load(given, recording, options);
    if (recording.first_fault)
        std::cerr << "firn: " << recording.not_understood << " of " << recording.lines
                  << " lines were not understood; the first: " << recording.first_fault->text() << '\n';
    std::vector<rules> rows = all_rules(options.base);
    run_all(r, rows);
    if (given.json)
        print_json(recording, r, rows);
    else
        print(recording, r, rows, options);
}

}  // namespace

void add_lab_replay(CLI::App& lab) {
    auto* command = lab.add_subcommand("replay", "What generators would have done on a recorded clock");
    auto given = std::make_shared<replay_arguments>(command);
    command->add_option("file", given->files, "Recordings of one clock, in any order")
        ->required()
        ->type_name("FILE…");
    command->add_option("--format", given->format, "What the files are; told by their lines unless given")
        ->type_name("NAME")
        ->check(one_of({"chrony-tracking", "chrony-statistics", "loopstats", "firn"}, "--format loopstats"));
    command
        ->add_option("--source", given->source,
                     "Of chrony's statistics, whose lines; the one with the most unless given")
        ->type_name("ADDRESS");
    command
        ->add_option(
            "--step-min", given->step_min_ms,
            "From where on a change between two records is a step and not a slew; 100 of the daemons' "
            "logs, 0.5 of firn's")
        ->type_name("MS")
        ->check(CLI::Range(0.001, 1e6));
    auto* after =
        command
            ->add_option("--deploy-after", given->deploy_after,
                         "Replace the process so long after each step back; half of the step unless given")
            ->type_name("MS");
    command->add_flag("--no-deploys", given->no_deploys, "Only the probe replaces it")->excludes(after);
    command->add_flag("--json", given->json, "Print one JSON object");
    command->footer(
        "Reads chrony's tracking.log and statistics.log, ntpd's loopstats, and firn's own "
        "(docs/formats.md).\n"
        "--probe is 10 unless given. Only what lies around the steps back is simulated; the rest is "
        "counted,\n"
        "and the figures are those of the whole. The start rule reserve is for `firn lab run`: what a lost\n"
        "reservation costs hangs on when it was made, before any window.\n"
        "Examples:\n"
        "  firn lab replay /var/log/chrony/tracking.log\n"
        "  firn lab replay --rate 100 --probe 0 /var/log/ntpstats/loopstats.*\n"
        "  firn lab replay --json --no-deploys clock.rec");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
