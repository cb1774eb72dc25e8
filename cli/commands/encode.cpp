// `firn encode`: the id that has these fields; the inverse of `firn decode`.
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/form_names.hpp"
#include "cli/layout_argument.hpp"
#include "cli/time_argument.hpp"
#include "firn/codecs/forms.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::string time;
    std::vector<std::string> fields;
    std::string as = "standard";
    std::string epoch;
    std::string form = "decimal";
};

constexpr const char* field_example = "--field machine=7";

/// What --field may name: the machine, or its parts where it has any, and the sequence.
struct numbers {
    std::uint64_t machine = 0;
    std::uint32_t sequence = 0;
};

void refuse_value(const std::string& name, std::uint64_t most, const std::string& value) {
    throw bad_argument("--field", name + " takes 0 to " + std::to_string(most) + ", not '" + value + "'",
                       "--field " + name + "=0");
}

std::uint64_t number(const std::string& name, const std::string& value, std::uint64_t most) {
    const parsed p = parse_decimal(value, most);
    if (!p) refuse_value(name, most, value);
    return p.value;
}

/// One NAME=VALUE. A part of the machine takes its place in it.
void assign(numbers& to, const layout& l, const std::string& text) {
    const std::size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const std::string value = equals == std::string::npos ? std::string{} : text.substr(equals + 1);
    if (name == "machine") {
        to.machine = number(name, value, l.machine_max());
        return;
    }
    if (name == "sequence") {
        to.sequence = static_cast<std::uint32_t>(number(name, value, l.sequence_max()));
        return;
    }
    std::string known = "machine, sequence";
    for (std::size_t part = 0; part < l.machine_parts.size(); ++part) {
        if (l.machine_parts[part].bits == 0) continue;
        const std::string part_name{l.machine_parts[part].name.view()};
        if (name == part_name) {
            to.machine = l.with_part(to.machine, part, number(name, value, l.part_max(part)));
            return;
        }
        known += ", " + part_name;
    }
    throw bad_argument("--field", "takes NAME=VALUE with one of " + known + ", not '" + text + "'",
                       field_example);
}

void run(const arguments& given) {
    const layout l = layout_argument("--as", given.as, given.epoch);
    const instant when = given.time.empty()
                             ? std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now())
                             : time_argument("--time", given.time, "--time 2026-12-01T00:00:00Z");
    numbers n;
    for (const std::string& text : given.fields) assign(n, l, text);
    const tick at = l.tick_of(when);
    if (at.count < 0 || at >= l.end_tick())
        throw error(errc::out_of_range,
                    rfc3339(when) + " is no time of this layout, which has ids from " +
                        rfc3339(l.first_instant()) + " to before " + rfc3339(l.end_instant()),
                    at.count);
    const codecs::form& form = *codecs::form_named(given.form);
    std::string text(form.max_size, '\0');
    text.resize(static_cast<std::size_t>(form.write(l.encode(at, n.machine, n.sequence).value, text.data()) -
                                         text.data()));
    std::cout << text << '\n';
}

}  // namespace

void add_encode(CLI::App& app) {
    auto* command =
        app.add_subcommand("encode", "Print the id that has these fields (for tests and queries)");
    auto given = std::make_shared<arguments>();
    command
        ->add_option("--time", given->time,
                     "RFC 3339, or milliseconds since 1970; its tick counts. Default: now")
        ->type_name("TIME");
    command
        ->add_option("--field", given->fields,
                     "machine, a named part of it, or sequence (repeatable, applied in order). Default: 0")
        ->type_name("NAME=VALUE");
    command->add_option("--as", given->as, layout_help)->type_name("LAYOUT")->capture_default_str();
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    command
        ->add_option("--to", given->form,
                     "How to write it: decimal, hex, base32, base58, base58-flickr or base62")
        ->type_name("FORM")
        ->capture_default_str()
        ->check(one_of(form_names(), "--to hex"));
    command->footer(
        "Examples:\n"
        "  firn encode --time 2022-11-18T11:50:20.644Z --field datacenter=11 --field worker=26 --field "
        "sequence=2 --as twitter\n"
        "  firn encode --time 1764547200000 --as 41/10/12 --epoch 0 --to base58\n\n"
        "Nothing keeps such an id from being handed out: use `firn next` for new ones.\n"
        "Exit status: 0; 1 when the time is none of the layout's; 2 wrong arguments.");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
