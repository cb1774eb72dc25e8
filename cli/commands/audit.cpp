// `firn audit`: finds ids that stand in the input more than once, and tells what the ids say.
#include "audit/audit.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>

#include "audit/error.hpp"
#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/commands/audit_report.hpp"
#include "cli/layout_argument.hpp"
#include "cli/progress_bar.hpp"
#include "cli/stop_signal.hpp"
#include "firn/text.hpp"

namespace firn::cli {
namespace {

constexpr int found_duplicates = 1;
constexpr int cannot_go_on = 3;

constexpr const char* footer = R"(Examples:
  firn audit orders.txt                           one decimal id on each line
  zcat orders.txt.gz | firn audit --as twitter    a pipe, read as Twitter's layout
  firn audit --column order_id --json orders.csv
  firn audit --raw --memory 256M a.bin b.bin      64-bit little-endian, at most 256 MiB

Exit status: 0 no duplicate; 1 duplicates were found; 2 wrong arguments; 3 the input cannot be read or is no
list of ids, or the disk is full; 130 interrupted. Temporary files have no name: however it ends, none is left.)";

struct arguments {
    std::vector<std::string> files;
    std::string column;
    bool raw = false;
    bool skip_bad = false;
    std::string as;
    std::string epoch;
    std::string memory;
    unsigned threads = 0;
    std::size_t show = 20;
    std::string spill_directory;
    bool json = false;
};

/// "256M": a number of bytes with K, M, G or T for powers of 1024.
std::uint64_t bytes(const char* name, const std::string& text) {
    constexpr std::string_view units = "KMGT";
    const auto unit = text.empty() ? std::string_view::npos : units.find(text.back());
    const bool has_unit = unit != std::string_view::npos;
    const unsigned shift = has_unit ? 10U * (static_cast<unsigned>(unit) + 1) : 0U;
    const parsed p = parse_decimal(std::string_view{text}.substr(0, text.size() - (has_unit ? 1 : 0)),
                                   (std::uint64_t{1} << 50) >> shift);
    if (!p || p.value << shift < audit::memory_min)
        throw bad_argument(name, "takes a number of bytes from 16M on, not '" + text + "'", "--memory 256M");
    return p.value << shift;
}

audit::options options_of(const arguments& given) {
    audit::options o;
    if (!given.files.empty()) o.paths = given.files;
    if (std::count(o.paths.begin(), o.paths.end(), "-") > 1)
        throw bad_argument("FILE", "takes '-', which is standard input, once", "firn audit a.txt -");
    o.form = given.raw              ? audit::input_form::raw
             : given.column.empty() ? audit::input_form::lines
                                    : audit::input_form::csv;
    o.column = given.column;
    o.policy = given.skip_bad ? audit::on_bad::skip : audit::on_bad::stop;
    o.layout = layout_argument("--as", given.as.empty() ? "standard" : given.as, given.epoch);
    o.now = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
    o.memory_bytes = given.memory.empty() ? audit::default_memory() : bytes("--memory", given.memory);
    o.threads = given.threads == 0 ? audit::default_threads() : given.threads;
    o.show = given.show;
    if (!given.spill_directory.empty()) o.spill_directory = given.spill_directory;
    return o;
}

audit::interruption* stop_on_signal = nullptr;

void handle_signals(audit::interruption& stop) {
    stop_on_signal = &stop;
    catch_stop_signals([] { stop_on_signal->request(); });
    // A file that reaches the size limit is an error to report, not a reason to die.
    std::signal(SIGXFSZ, SIG_IGN);
}

progress_state state_of(const audit::progress& p) {
    const auto stage = p.at.load(std::memory_order_relaxed);
    using enum audit::progress::stage;
    return {stage == reading   ? "reading"
            : stage == sorting ? "comparing"
                               : "finding the places",
            p.done.load(std::memory_order_relaxed), p.total.load(std::memory_order_relaxed)};
}

audit::report run_with_progress(audit::options& o) {
    static audit::interruption stop;  // A signal may come at any time until the process ends.
    handle_signals(stop);
    audit::progress progress;
    o.progress_to = &progress;
    const progress_bar bar{[&] { return state_of(progress); }};
    return audit::run(o, stop);
}

void run(const arguments& given) {
    audit::options o = options_of(given);
    try {
        const audit::report r = run_with_progress(o);
        if (given.json)
            print_audit_json(std::cout, r);
        else
            print_audit(std::cout, r, {.layout_was_named = !given.as.empty()});
        if (!std::cout.flush()) throw audit::failure("cannot write the report to standard output");
        if (r.duplicates != 0) throw CLI::RuntimeError(found_duplicates);
    } catch (const audit::interrupted&) {
        std::cerr << "firn audit: interrupted\n";
        throw CLI::RuntimeError(128 + stop_signal());
    } catch (const audit::failure& e) {
        std::cerr << "firn audit: " << e.what() << '\n';
        throw CLI::RuntimeError(cannot_go_on);
    } catch (const std::bad_alloc&) {
        std::cerr << "firn audit: no memory left; allow less with --memory\n";
        throw CLI::RuntimeError(cannot_go_on);
    }
}

}  // namespace

void add_audit(CLI::App& app) {
    auto* command = app.add_subcommand("audit", "Find duplicates among ids, and tell what the ids say");
    const auto given = std::make_shared<arguments>();
    command->add_option("FILE", given->files, "Files of ids; none or '-' is standard input");
    auto* column = command->add_option("--column", given->column, "Read CSV with a header; the ids' column");
    command->add_flag("--raw", given->raw, "Read 64-bit little-endian numbers")->excludes(column);
    command->add_flag("--skip-bad", given->skip_bad, "Count records that are no ids, and go on");
    command->add_option("--as,--layout", given->as, std::string{layout_help} + ". Default: standard");
    command->add_option("--epoch", given->epoch, epoch_help);
    command->add_option("--show", given->show, "How many of the ids that repeat are listed")
        ->check(whole_number(0, std::uint64_t{1} << 40, "--show 100"))
        ->capture_default_str();
    command->add_option("--memory", given->memory,
                        "Most memory used, as 256M. Default: half of what is free");
    command->add_option("--tmpdir", given->spill_directory,
                        "Where temporary files go. Default: $TMPDIR, else /var/tmp");
    command->add_option("--threads", given->threads, "Threads. Default: one for each processor")
        ->check(whole_number(1, 1024, "--threads 4"));
    command->add_flag("--json", given->json, "Print the report as JSON");
    command->footer(footer);
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
