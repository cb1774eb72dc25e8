// `firn range`: the smallest and the largest id of a span of time.
#include <iostream>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/layout_argument.hpp"
#include "cli/time_argument.hpp"
#include "firn/formats/decode.hpp"
#include "firn/formats/range.hpp"

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

void run(const arguments& given) {
    const layout l = layout_argument("--as", given.as, given.epoch);
    const instant from = time_argument("--from", given.from, "--from 2026-12-01T00:00:00Z");
    const instant to = time_argument("--to", given.to, "--to 2026-12-02T00:00:00Z");
    const formats::id_range r = formats::range_of(l, from, to);
    const std::string smallest = std::to_string(r.smallest.value);
    const std::string largest = std::to_string(r.largest.value);

    if (!given.column.empty()) {
        if (r.largest.value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
            throw error(errc::out_of_range,
                        "the largest id, " + largest +
                            ", is negative in a signed BIGINT: without --sql the bounds are printed",
                        0);
        std::cout << given.column << " BETWEEN " << smallest << " AND " << largest << '\n';
    } else if (given.json) {
        // Strings: past 2^53 many a reader of JSON loses digits.
        std::cout << nlohmann::ordered_json{{"format", formats::name_of(l)},
                                            {"from", rfc3339(from)},
                                            {"to", rfc3339(to)},
                                            {"epoch_ms", l.epoch_ms},
                                            {"smallest", smallest},
                                            {"largest", largest},
                                            {"ticks", r.last.count - r.first.count + 1}}
                         .dump()
                  << '\n';
    } else {
        std::cout << "layout    " << describe(l) << '\n'
                  << "smallest  " << smallest << "   the first id from " << rfc3339(from) << " on\n"
                  << "largest   " << largest << "   the last id before " << rfc3339(to) << '\n';
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
    command->add_option("--as", given->as, layout_help)->type_name("LAYOUT")->capture_default_str();
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
        "Every machine's ids are between the two. An id's time is the beginning of its tick.\n"
        "Exit status: 0; 1 before the epoch, past the layout's end, or nothing in between; 2 wrong "
        "arguments.");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
