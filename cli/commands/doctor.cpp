// `firn doctor`: what of this host matters to ids, in plain words.
#include "host/doctor.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/layout_argument.hpp"
#include "cli/progress_bar.hpp"
#include "cli/state_directory.hpp"
#include "cli/terminal.hpp"
#include "cli/time_argument.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::string journal;
    std::string layout;
    std::string epoch;
    std::string span = "1s";
    std::vector<std::string> recordings;
    std::string root = "/";
    bool json = false;
};

host::examination examination_of(const arguments& given) {
    host::examination e;
    e.watch_ns =
        std::chrono::nanoseconds{span_argument("--for", given.span, std::chrono::microseconds{0})}.count();
    e.recordings = given.recordings;
    if (given.journal.empty())
        e.journal = default_state();
    else
        e.journal = given.journal;
    if (!given.layout.empty() || !given.epoch.empty())
        e.layout = layout_argument("--layout", given.layout.empty() ? "standard" : given.layout, given.epoch);
    return e;
}

bool is_fail(const host::finding& f) {
    return f.what == host::verdict::fail;
}

void print(const std::vector<host::finding>& all) {
    const style s = style_of(stdout);
    std::size_t width = 0;
    for (const host::finding& f : all) width = std::max(width, f.check.size());
    for (const host::finding& f : all) {
        const std::string word = host::name_of(f.what);
        std::cout << (f.what == host::verdict::ok ? s.good
                      : is_fail(f)                ? s.bad
                                                  : s.bold)
                  << word << s.plain << std::string(6 - word.size(), ' ') << f.check
                  << std::string(width + 2 - f.check.size(), ' ') << f.seen << '\n';
        if (!f.remedy.empty()) std::cout << std::string(width + 8, ' ') << "-> " << f.remedy << '\n';
    }
}

void print_json(const std::vector<host::finding>& all) {
    nlohmann::ordered_json findings = nlohmann::ordered_json::array();
    for (const host::finding& f : all)
        findings.push_back(
            {{"check", f.check}, {"verdict", host::name_of(f.what)}, {"seen", f.seen}, {"remedy", f.remedy}});
    const bool ok = std::none_of(all.begin(), all.end(), is_fail);
    // What a file's name has in it need not be UTF-8.
    std::cout << nlohmann::ordered_json{{"ok", ok}, {"findings", findings}}.dump(
                     -1, ' ', false, nlohmann::json::error_handler_t::replace)
              << '\n';
}

void run(const arguments& given) {
    const host::examination e = examination_of(given);
    host::host_clocks clocks;
    host::host_pacer pacer;
    std::vector<host::finding> all;
    {
        const progress_bar bar{[] { return progress_state{.what = "looking for steps", .note = " "}; }};
        all = host::examine({.clocks = clocks, .pacer = pacer, .root = given.root}, e);
    }
    if (given.json)
        print_json(all);
    else
        print(all);
    if (std::any_of(all.begin(), all.end(), is_fail)) throw CLI::RuntimeError(1);
}

}  // namespace

void add_doctor(CLI::App& app) {
    auto* command = app.add_subcommand("doctor", "What of this host matters to ids, in plain words");
    auto given = std::make_shared<arguments>();
    command
        ->add_option(
            "--journal", given->journal,
            "A journal's directory, or one with firn serve's spaces; that of firn serve unless given")
        ->type_name("DIR");
    command
        ->add_option("--layout,--as", given->layout,
                     "How long this layout lives: a name (`firn layouts` lists them), or the bits of "
                     "time/machine/sequence, as 41/10/12; those of the journals unless given, or else "
                     "standard")
        ->type_name("LAYOUT");
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    command->add_option("--for", given->span, "How long to look for steps of the clock; 0s: not")
        ->type_name("TIME")
        ->capture_default_str();
    command
        ->add_option("--recording", given->recordings,
                     "Look for steps in this recording of firn watch, chronyd or ntpd, too; repeat for more "
                     "files of one clock")
        ->type_name("FILE")
        ->allow_extra_args(false)
        ->take_all();
    command
        ->add_option("--root", given->root,
                     "Where the host's etc, lib, proc and sys are, as when they are mounted into a container")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_flag("--json", given->json, "Print one JSON object");
    command->footer(
        "ok: as it should be. warn: ids stay unique, but something could be better, or is not known. fail:\n"
        "firn would refuse to work. Exit status: 0 no fail; 1 a fail; 2 wrong arguments.\n"
        "Examples:\n"
        "  firn doctor\n"
        "  firn doctor --journal state/orders --for 1m\n"
        "  firn doctor --as twitter --for 0s\n"
        "  firn doctor --recording clock.rec --json");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
