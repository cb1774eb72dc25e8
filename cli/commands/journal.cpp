// `firn journal`: what stands in a journal's files, for people and tools. Changes nothing.
#include "firn/journal.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/commands.hpp"
#include "cli/terminal.hpp"
#include "firn/clock.hpp"
#include "firn/formats/decode.hpp"
#include "firn/rfc3339.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::string directory;
    bool json = false;
};

const journal_report::record* newest(const journal_report& r) {
    return r.newest < 0 ? nullptr : &r.records[static_cast<std::size_t>(r.newest)];
}

/// Whether the next one to open it continues from the cursor in the page, as far as can be seen from here.
bool continues(const journal_report& r) {
    const auto* n = newest(r);
    return n != nullptr && r.page_of_this_boot && r.page_cursor >= n->cursor && r.page_cursor < n->ceiling;
}

std::string time_of(slot s, const layout& l) {
    return rfc3339(l.time_of(s.tick_of(l.sequence_bits)));
}

std::string text_of(slot s, const layout& l) {
    if (s == no_slot) return "nothing handed out yet";
    return time_of(s, l) + ", sequence " + std::to_string(s.sequence_of(l.sequence_bits));
}

/// "in 2.41 s", "1.2 h ago".
std::string distance_of(slot s, const layout& l) {
    const auto us = (l.time_of(s.tick_of(l.sequence_bits)) - system_clock::wall()).count();
    const double seconds = static_cast<double>(us < 0 ? -us : us) / 1e6;
    struct unit {
        double seconds;
        const char* name;
    };
    constexpr std::array<unit, 4> units{{{86400, " d"}, {3600, " h"}, {60, " min"}, {1, " s"}}};
    const unit* of = &units[3];
    for (const unit& u : units)
        if (seconds >= u.seconds) {
            of = &u;
            break;
        }
    const auto hundredths = std::llround(seconds / of->seconds * 100);
    const std::string cents = std::to_string(hundredths % 100);
    const std::string span =
        std::to_string(hundredths / 100) + (cents.size() < 2 ? ".0" : ".") + cents + of->name;
    return us < 0 ? span + " ago" : "in " + span;
}

void print_faults(const journal_report& r, const style& s) {
    for (const std::string& fault : r.faults)
        std::cout << s.bad << "fault" << s.plain << "        " << fault << '\n';
}

void print(const arguments& given, const journal_report& r) {
    const style s = style_of(stdout);
    std::cout << "journal      " << s.bold << given.directory << s.plain
              << (r.in_use ? ", in use" : ", not in use") << '\n';
    if (const auto* n = newest(r)) {
        const layout& l = n->layout;
        std::cout << "layout       " << formats::widths_of(l) << ", ticks of " << l.tick_us << " us from "
                  << rfc3339(l.first_instant()) << '\n'
                  << "machine      " << n->machine << '\n'
                  << "cursor       " << text_of(r.page_of_this_boot ? r.page_cursor : n->cursor, l)
                  << (r.page_of_this_boot ? "" : " (or later: only known up to the last record)") << '\n'
                  << "ceiling      " << text_of(n->ceiling, l) << " (" << distance_of(n->ceiling, l) << ")\n"
                  << "next start   "
                  << (n->clean || continues(r) ? "continues after the cursor"
                                               : "at the ceiling: the page is not of this boot, or not "
                                                 "believed")
                  << '\n';
    }
    for (std::size_t place = 0; place < r.records.size(); ++place) {
        const auto& record = r.records[place];
        std::cout << "record " << place << "     " << record.state;
        if (record.state == "intact")
            std::cout << ", number " << record.number << ", boot " << record.boot.substr(0, 8)
                      << (record.clean ? ", clean stop" : "") << ", ceiling "
                      << time_of(record.ceiling, record.layout)
                      << (static_cast<int>(place) == r.newest ? "  <- counts" : "");
        std::cout << '\n';
    }
    if (r.in_memory)
        std::cout
            << "note         its file system is in memory: it survives a kill, and neither a reboot nor a "
               "power cut\n";
    print_faults(r, s);
    if (r.faults.empty()) std::cout << "faults       " << s.good << "none" << s.plain << '\n';
}

nlohmann::ordered_json json_of(const arguments& given, const journal_report& r) {
    nlohmann::ordered_json records = nlohmann::ordered_json::array();
    for (const auto& record : r.records) {
        nlohmann::ordered_json j{{"state", record.state}};
        if (record.state == "newer") j["version"] = record.version;
        if (record.state == "intact") {
            const layout& l = record.layout;
            j.update({{"version", record.version},
                      {"number", record.number},
                      {"boot", record.boot},
                      {"layout", formats::widths_of(l)},
                      {"tick_us", l.tick_us},
                      {"epoch_ms", l.epoch_ms},
                      {"machine", record.machine},
                      {"cursor_slot", std::to_string(record.cursor.value)},
                      {"ceiling_slot", std::to_string(record.ceiling.value)},
                      {"ceiling_time", time_of(record.ceiling, l)},
                      {"clean", record.clean}});
        }
        records.push_back(j);
    }
    nlohmann::ordered_json page;
    if (r.has_page)
        page = {{"of_this_boot", r.page_of_this_boot},
                {"cursor_slot", std::to_string(r.page_cursor.value)},
                {"ceiling_slot", std::to_string(r.page_ceiling.value)},
                {"durable_number", r.page_durable_number}};
    return {{"directory", given.directory},
            {"ok", r.faults.empty()},
            {"faults", r.faults},
            {"in_use", r.in_use},
            {"in_memory", r.in_memory},
            {"continues", (newest(r) != nullptr && newest(r)->clean) || continues(r)},
            {"newest", r.newest},
            {"records", records},
            {"page", page}};
}

void run(const arguments& given, bool everything) {
    const journal_report r = inspect_journal(given.directory);
    if (given.json)
        std::cout << json_of(given, r).dump() << '\n';
    else if (everything)
        print(given, r);
    else if (r.faults.empty())
        std::cout << given.directory << ": no faults\n";
    else
        print_faults(r, style_of(stdout));
    if (!r.faults.empty()) throw CLI::RuntimeError(1);
}

void add(CLI::App& parent, const char* name, const char* what, bool everything) {
    auto* command = parent.add_subcommand(name, what);
    auto given = std::make_shared<arguments>();
    command->add_option("directory", given->directory, "The journal's directory")
        ->required()
        ->type_name("DIR");
    command->add_flag("--json", given->json, "Print one JSON object, with everything that was found");
    command->footer(
        "Exit status: 0 no faults; 1 faults, or the files cannot be read; 2 wrong arguments.\nExample:\n  "
        "firn journal " +
        std::string(name) + " state/orders");
    command->callback([given, everything] { run(*given, everything); });
}

}  // namespace

void add_journal(CLI::App& app) {
    auto* command = app.add_subcommand("journal", "Look into a journal's directory; changes nothing");
    command->require_subcommand(1);
    add(*command, "show",
        "What the journal remembers: cursor, ceiling, records, and what the next start will do", true);
    add(*command, "check", "Whether a process can open it", false);
}

}  // namespace firn::cli
