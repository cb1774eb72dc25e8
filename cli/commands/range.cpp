// `firn range`: the smallest and the largest id of a span of time.
#include <chrono>
#include <cstdint>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/layout_argument.hpp"
#include "cli/time_argument.hpp"
#include "firn/formats/decode.hpp"
#include "firn/formats/range.hpp"
#include "firn/formats/range_any.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::string from;
    std::string to;
    std::string as = "standard";
    std::string epoch;
    std::string column;
    bool json = false;
};

/// The two bounds as text, and what a query has to know of them.
struct bounds {
    std::string format;
    std::string title;
    std::string smallest;
    std::string largest;
    std::int64_t epoch_ms;
    std::int64_t ticks;
    bool number;  ///< Of 64 bits; else a text, which goes into quotes.
    bool signed_fits = true;
};

bounds bounds_of(const arguments& given, instant from, instant to) {
    if (const formats::entry* e = formats::find(given.as); e != nullptr && e->layout == nullptr) {
        if (!given.epoch.empty())
            throw bad_argument("--epoch", "goes with layouts of 64 bits, not with " + std::string{e->name},
                               "firn range --as " + std::string{e->name} + " --from TIME --to TIME");
        const formats::any_range r = formats::range_of(*e, from, to);
        return {
            .format = std::string{e->name},
            .title = std::string{e->title},
            .smallest = formats::text_of(r.smallest, *e),
            .largest = formats::text_of(r.largest, *e),
            .epoch_ms = std::chrono::floor<std::chrono::milliseconds>(e->first).time_since_epoch().count(),
            .ticks = r.last.count - r.first.count + 1,
            .number = false};
    }
    const layout l = layout_argument("--as", given.as, given.epoch);
    const formats::id_range r = formats::range_of(l, from, to);
    return {.format = formats::name_of(l),
            .title = describe(l),
            .smallest = std::to_string(r.smallest.value),
            .largest = std::to_string(r.largest.value),
            .epoch_ms = l.epoch_ms,
            .ticks = r.last.count - r.first.count + 1,
            .number = true,
            .signed_fits = r.largest.value <= codecs::max_signed};
}

void run(const arguments& given) {
    const instant from = time_argument("--from", given.from, "--from 2026-12-01T00:00:00Z");
    const instant to = time_argument("--to", given.to, "--to 2026-12-02T00:00:00Z");
    const bounds b = bounds_of(given, from, to);

    if (!given.column.empty()) {
        if (!b.signed_fits)
            throw error(errc::out_of_range,
                        "the largest id, " + b.largest +
                            ", is negative in a signed BIGINT: without --sql the bounds are printed",
                        0);
        const std::string quote = b.number ? "" : "'";
        std::cout << given.column << " BETWEEN " << quote << b.smallest << quote << " AND " << quote
                  << b.largest << quote << '\n';
    } else if (given.json) {
        // Strings: past 2^53 many a reader of JSON loses digits.
        std::cout << nlohmann::ordered_json{{"format", b.format},     {"from", rfc3339(from)},
                                            {"to", rfc3339(to)},      {"epoch_ms", b.epoch_ms},
                                            {"smallest", b.smallest}, {"largest", b.largest},
                                            {"ticks", b.ticks}}
                         .dump()
                  << '\n';
    } else {
        std::cout << "layout    " << b.title << '\n'
                  << "smallest  " << b.smallest << "   the first id from " << rfc3339(from) << " on\n"
                  << "largest   " << b.largest << "   the last id before " << rfc3339(to) << '\n';
    }
}

}  // namespace

void add_range(CLI::App& app) {
    auto* command = app.add_subcommand("range", "Print the smallest and the largest id of a span of time");
    auto given = std::make_shared<arguments>();
    command
        ->add_option("--from", given->from, "The first instant of it: RFC 3339, or milliseconds since 1970")
        ->type_name("TIME")
        ->required();
    command->add_option("--to", given->to, "The first instant past it")->type_name("TIME")->required();
    command->add_option("--as,--layout", given->as, format_help)->type_name("FORMAT")->capture_default_str();
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    auto* sql = command->add_option("--sql", given->column, "Print a condition on this column, for a query")
                    ->type_name("COLUMN");
    command
        ->add_flag("--json", given->json,
                   "One object: format, from, to, epoch_ms, smallest and largest (strings), ticks")
        ->excludes(sql);
    command->footer(
        "Examples:\n"
        "  firn range --from 2026-12-01T00:00:00Z --to 2026-12-02T00:00:00Z\n"
        "  firn range --from 2022-11-18T00:00:00Z --to 2022-11-19T00:00:00Z --as twitter --sql tweet_id\n\n"
        "Every machine's ids are between the two. An id's time is the beginning of its tick. Texts are "
        "compared\n"
        "as bytes, which a column does with COLLATE \"C\" or as uuid.\n"
        "Exit status: 0; 1 before the epoch, past the layout's end, or nothing in between; 2 wrong "
        "arguments.");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
