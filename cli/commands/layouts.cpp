// `firn layouts`: the formats that firn knows by name, and how the bits of one are divided.
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/table.hpp"
#include "firn/formats/catalogue.hpp"
#include "firn/rfc3339.hpp"

namespace firn::cli {
namespace {

using formats::entry;

/// 4096000 as "4,096,000".
std::string grouped(std::uint64_t number) {
    std::string out = std::to_string(number);
    for (std::size_t at = out.size(); at > 3;) out.insert(at -= 3, ",");
    return out;
}

/// The last instant of its life: the beginning of its last tick.
instant last_of(const entry& e) {
    return e.end - std::chrono::microseconds{e.tick_us};
}

std::string ids_per_second(const entry& e) {
    return e.ids_per_second > 0 ? grouped(static_cast<std::uint64_t>(e.ids_per_second)) : "by chance";
}

std::string machines(const entry& e) {
    return e.machines > 0 ? grouped(e.machines) : "by chance";
}

nlohmann::ordered_json to_json(const entry& e) {
    nlohmann::ordered_json fields = nlohmann::ordered_json::array();
    unsigned above = e.id_bits;
    for (const formats::field& f : e.fields_view()) {
        fields.push_back(
            {{"name", f.name}, {"bits", f.bits}, {"high_bit", above - 1}, {"low_bit", above - f.bits}});
        above -= f.bits;
    }
    nlohmann::ordered_json j{{"name", e.name},
                             {"also", e.also},
                             {"title", e.title},
                             {"bits", e.id_bits},
                             {"fields", fields},
                             {"tick_us", e.tick_us},
                             {"epoch_ms", e.first.time_since_epoch().count() / 1000},
                             {"first", rfc3339(e.first)},
                             {"last", rfc3339(last_of(e))},
                             {"negative_from", nullptr},
                             {"plausible_from", rfc3339(e.since)},
                             {"ids_per_second", nullptr},
                             {"machines", nullptr},
                             {"text", e.text},
                             {"note", e.note},
                             {"source", e.source}};
    if (e.signed_end < e.end) j["negative_from"] = rfc3339(e.signed_end);
    if (e.ids_per_second > 0) j["ids_per_second"] = static_cast<std::uint64_t>(e.ids_per_second);
    if (e.machines > 0) j["machines"] = e.machines;
    return j;
}

/// The bits from the highest to the lowest, a box for each field, wider ones for more bits.
std::string drawing_of(const entry& e) {
    std::string edge = "+", names = "|", widths = "|", places = "|";
    const auto cell = [](std::string_view text, std::size_t width) {
        return ' ' + std::string{text} + std::string(width - text.size() - 1, ' ') + '|';
    };
    unsigned above = e.id_bits;
    for (const formats::field& f : e.fields_view()) {
        const std::string width = std::to_string(f.bits) + (f.bits == 1 ? " bit" : " bits");
        const std::string low = std::to_string(above - f.bits);
        const std::string place = f.bits == 1 ? low : std::to_string(above - 1) + ".." + low;
        const std::size_t columns =
            2 + std::max({f.name.size(), width.size(), place.size(), std::size_t{f.bits / 3}});
        edge += std::string(columns, '-') + '+';
        names += cell(f.name, columns);
        widths += cell(width, columns);
        places += cell(place, columns);
        above -= f.bits;
    }
    return edge + '\n' + names + '\n' + widths + '\n' + places + '\n' + edge + '\n';
}

std::string tick_of(const entry& e) {
    return e.tick_us % 1'000'000 == 0 ? std::to_string(e.tick_us / 1'000'000) + " s"
                                      : std::to_string(e.tick_us / 1000) + " ms";
}

void show(const entry& e) {
    const auto line = [](std::string_view name, const std::string& value) {
        std::cout << name << std::string(13 - name.size(), ' ') << value << '\n';
    };
    std::cout << e.name << ": " << e.title << ", " << e.id_bits << " bits"
              << (e.also.empty() ? "" : " (also: " + std::string{e.also} + ')') << "\n\n"
              << drawing_of(e) << '\n';
    line("tick", tick_of(e));
    line("first", rfc3339(e.first) + " (the epoch, " +
                      std::to_string(e.first.time_since_epoch().count() / 1000) + " ms)");
    line("last", rfc3339(last_of(e)));
    if (e.signed_end < e.end)
        line("negative", "from " + rfc3339(e.signed_end) + " on, when read as signed 64 bits");
    if (e.since > e.first) line("since", rfc3339(e.since) + " (no real id is older)");
    line("ids/s", e.ids_per_second > 0 ? ids_per_second(e) + " per machine or process at most"
                                       : "bounded by chance alone: random bits keep ids apart");
    line("machines", e.machines > 0 ? machines(e) : "kept apart by chance alone");
    line("text", std::string{e.text});
    line("note", std::string{e.note});
    line("source", std::string{e.source});
}

void list() {
    table t{{"name", "bits", "first", "last", "ids/s per machine", "machines", "source"}, "lrllrrl"};
    for (const entry& e : formats::catalogue)
        t.add({std::string{e.name}, std::to_string(e.id_bits), rfc3339(e.first), rfc3339(last_of(e)),
               ids_per_second(e), machines(e), std::string{e.source}});
    t.print(std::cout, style_of(stdout));
}

const entry& entry_named(const std::string& name) {
    if (const entry* e = formats::find(name)) return *e;
    std::string names;
    for (const entry& e : formats::catalogue) names += (names.empty() ? "" : ", ") + std::string{e.name};
    throw bad_argument("NAME", "takes one of " + names + "; not '" + name + "'", "firn layouts twitter");
}

}  // namespace

void add_layouts(CLI::App& app) {
    struct arguments {
        std::string name;
        bool json = false;
    };
    auto* command = app.add_subcommand(
        "layouts", "List the id formats with a name: life, limits, source; or draw the bits of one");
    auto given = std::make_shared<arguments>();
    const CLI::Option* name = command->add_option("NAME", given->name, "Draw this one");
    command->add_flag("--json", given->json, "One object a line");
    command->footer(
        "Examples:\n"
        "  firn layouts\n"
        "  firn layouts twitter\n"
        "  firn layouts js53 --json\n\n"
        "'by chance': random bits keep ids apart, no number bounds it. 'last' is the last tick's beginning.");
    command->callback([given, name] {
        if (name->count() == 0) {
            if (!given->json) return list();
            for (const entry& e : formats::catalogue) std::cout << to_json(e).dump() << '\n';
            return;
        }
        const entry& e = entry_named(given->name);
        if (given->json)
            std::cout << to_json(e).dump() << '\n';
        else
            show(e);
    });
}

}  // namespace firn::cli
