// `firn watch`: records this host's wall clock against its steady one, and says when it is stepped.
#include "host/watch.hpp"

#include <unistd.h>

#include <csignal>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/time_argument.hpp"
#include "host/discipline.hpp"
#include "host/recording_file.hpp"
#include "lab/exact.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::string interval = "1s";
    std::string span;
    std::string file;
    bool json = false;
};

std::string signed_seconds(std::int64_t ns) {
    return (ns < 0 ? "" : "+") + lab::rounded_text(ns, 9, 6) + " s";
}

std::string discipline_text(const lab::recorded_sample& s) {
    const auto good = host::synchronised(s);
    if (!good) return "the kernel does not tell whether it is disciplined";
    if (!*good) return "not synchronised";
    return "synchronised to " + lab::rounded_text(s.maxerror_us, 3, 3) + " ms at most";
}

nlohmann::ordered_json json_of(const lab::recorded_sample& s) {
    nlohmann::ordered_json j{{"kind", "sample"},
                             {"time", time_text(s.wall_ns)},
                             {"steady_ns", std::to_string(s.steady_ns)},
                             {"wall_ns", std::to_string(s.wall_ns)}};
    if (const auto good = host::synchronised(s))
        j.update({{"synchronised", *good},
                  {"offset_ns", s.offset_ns},
                  {"freq_ppb", s.freq_ppb},
                  {"status", s.status},
                  {"maxerror_us", s.maxerror_us},
                  {"esterror_us", s.esterror_us},
                  {"tai_s", s.tai_s},
                  {"state", s.state}});
    return j;
}

/// The recording, the lines for people or scripts, and the one line that a terminal sees change.
class reporter final : public host::watch_sink {
  public:
    reporter(host::recording_file* file, bool json, int to)
        : file_(file), json_(json), out_(to), live_(!json && ::isatty(STDERR_FILENO) == 1) {}

    void step(const host::seen_step& s) override {
        ++steps_;
        if (file_ != nullptr) file_->append(lab::step_line(s.steady_ns, s.wall_ns, s.by_ns));
        say(json_ ? nlohmann::ordered_json{{"kind", "step"},
                                           {"time", time_text(s.wall_ns)},
                                           {"steady_ns", std::to_string(s.steady_ns)},
                                           {"wall_ns", std::to_string(s.wall_ns)},
                                           {"by_ns", std::to_string(s.by_ns)}}
                        .dump()
                  : time_text(s.wall_ns) + "  step " + signed_seconds(s.by_ns) +
                        (s.by_ns < 0 ? ": the wall was set back" : ": the wall was set forward"));
    }

    void sample(const lab::recorded_sample& s) override {
        if (file_ != nullptr) file_->append(lab::line_of(s));
        if (json_) say(json_of(s).dump());
        ++samples_;
        if (live_)
            std::cerr << "\r" << time_text(s.wall_ns) << "  samples " << samples_ << ", steps " << steps_
                      << ", " << discipline_text(s) << "\x1b[K" << std::flush;
    }

    bool wanted() const override { return file_ != nullptr ? file_->open() : out_.open(); }

    void say(const std::string& line) {
        clear();
        out_.line(line);
        out_.flush();
    }
    void clear() {
        if (live_) std::cerr << "\r\x1b[K" << std::flush;
    }

  private:
    host::recording_file* file_;
    bool json_;
    output out_;
    bool live_;
    std::uint64_t samples_ = 0;
    std::uint64_t steps_ = 0;
};

std::string summary_text(const host::watch_summary& s, const host::recording_file* file,
                         const std::string& name) {
    std::string out = std::to_string(s.samples) + " samples from " + time_text(s.first.wall_ns) + " to " +
                      time_text(s.last.wall_ns) + ", " + std::to_string(s.steps) + " steps";
    if (s.steps != 0)
        out += " (" + std::to_string(s.steps_back) + " back, the largest " +
               signed_seconds(s.largest_step_ns) + ")";
    out += ", " + discipline_text(s.last);
    if (file != nullptr) out += "; recorded in " + name;
    return out;
}

std::string summary_json(const host::watch_summary& s, const host::watch_options& o) {
    return nlohmann::ordered_json{{"kind", "end"},
                                  {"samples", s.samples},
                                  {"steps", s.steps},
                                  {"steps_back", s.steps_back},
                                  {"largest_step_ns", std::to_string(s.largest_step_ns)},
                                  {"threshold_ns", o.step_min_ns},
                                  {"from", time_text(s.first.wall_ns)},
                                  {"to", time_text(s.last.wall_ns)}}
        .dump();
}

void run(const arguments& given) {
    const auto ns_of = [](std::chrono::microseconds us) { return std::chrono::nanoseconds{us}.count(); };
    host::watch_options o;
    o.interval_ns = ns_of(span_argument("--interval", given.interval, std::chrono::milliseconds{1}));
    if (!given.span.empty())
        o.for_ns = ns_of(span_argument("--for", given.span, std::chrono::milliseconds{1}));
    const bool records_to_stdout = given.file == "-";
    if (records_to_stdout && given.json)
        throw bad_argument("--json", "and a recording cannot both be on standard output",
                           "--json --output clock.rec");

    host::host_clocks clocks;
    host::host_pacer pacer;
    ::signal(SIGPIPE, SIG_IGN);
    ::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error like a full disk
    std::unique_ptr<host::recording_file> file;
    if (!given.file.empty()) {
        file = std::make_unique<host::recording_file>(given.file, detail::text_of(detail::system_boot()));
        o.before = file->last();
        if (file->cut_half_line())
            std::cerr << "firn: note: the last line of " << given.file
                      << " had no end, as a crash leaves it, and was cut off\n";
    }
    reporter report{file.get(), given.json, records_to_stdout ? STDERR_FILENO : STDOUT_FILENO};
    if (!given.json)
        report.say("watching the wall against CLOCK_BOOTTIME, every " + given.interval + "; a change of " +
                   lab::rounded_text(o.step_min_ns, 6, 1) + " ms or more is a step");
    host::watch_summary seen;
    try {
        seen = host::watch(clocks, pacer, report, o);
    } catch (...) {
        report.clear();
        throw;
    }
    if (file) file->close();
    report.say(given.json ? summary_json(seen, o) : summary_text(seen, file.get(), given.file));
}

}  // namespace

void add_watch(CLI::App& app) {
    auto* command = app.add_subcommand("watch", "Record this host's clock, and say when it is stepped");
    auto given = std::make_shared<arguments>();
    command->add_option("--interval", given->interval, "How often to look: 1ms or more")
        ->type_name("TIME")
        ->capture_default_str();
    command->add_option("--for", given->span, "End after this time; until SIGINT or SIGTERM unless given")
        ->type_name("TIME");
    command
        ->add_option("-o,--output", given->file,
                     "Record into this file, which is continued when it is a recording already; '-' is the "
                     "standard output")
        ->type_name("FILE");
    command->add_flag("--json", given->json, "One object a line: kind is sample, step or, at last, end");
    command->footer(
        "A step is seen when it happens, where the kernel tells (timerfd), and else at the next look; "
        "slewing\n"
        "moves both clocks alike and is told by the kernel's own figures. A line is written when it is "
        "seen;\n"
        "a file that cannot be written any more ends the watch with status 1 and its last whole line.\n"
        "docs/formats.md has the lines; `firn lab replay FILE` and `firn doctor --recording FILE` read "
        "them.\n"
        "Examples:\n"
        "  firn watch\n"
        "  firn watch --interval 10s --output /var/lib/firn/clock.rec\n"
        "  firn watch --for 1m --json | jq 'select(.kind == \"step\")'");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
