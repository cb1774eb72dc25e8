// `firn encode`: the id that has these fields; the inverse of `firn decode`.
#include <algorithm>
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
#include "firn/formats/range_any.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::string time;
    std::vector<std::string> fields;
    std::string as = "standard";
    std::string epoch;
    std::string form;
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

[[noreturn]] void refuse_time(instant when, instant first, instant end) {
    throw error(errc::out_of_range, rfc3339(when) + " is no time of such ids, which there are from " +
                                        rfc3339(first) + " to before " + rfc3339(end));
}

std::string encode(const layout& l, instant when, const arguments& given) {
    numbers n;
    for (const std::string& text : given.fields) assign(n, l, text);
    const tick at = l.tick_of(when);
    if (at.count < 0 || at >= l.end_tick()) refuse_time(when, l.first_instant(), l.end_instant());
    const codecs::form& form = *codecs::form_named(given.form.empty() ? "decimal" : given.form);
    std::string text(form.max_size, '\0');
    text.resize(static_cast<std::size_t>(form.write(l.encode(at, n.machine, n.sequence).value, text.data()) -
                                         text.data()));
    return text;
}

/// Of a format that is no 64-bit integer.
std::string encode(const formats::entry& e, instant when, const arguments& given) {
    if (!given.epoch.empty() || !given.form.empty())
        throw bad_argument(given.epoch.empty() ? "--to" : "--epoch",
                           "goes with layouts of 64 bits, not with " + std::string{e.name},
                           "firn encode --as " + std::string{e.name});
    if (when < e.first || when >= e.end) refuse_time(when, e.first, e.end);
    formats::any_id i = formats::bound_of(e, tick{(when - e.first).count() / e.tick_us}, false);
    for (const std::string& text : given.fields) {
        const std::size_t equals = std::min(text.find('='), text.size());
        const std::string value = text.substr(std::min(equals + 1, text.size()));
        const auto p = formats::set_field(i, e, text.substr(0, equals), value);
        std::string known;
        for (const formats::field& f : e.fields_view())
            if (f.role == formats::field_role::other)
                known += (known.empty() ? "" : ", ") + std::string{f.name} + " (" + std::to_string(f.bits) +
                         (f.bits > 64 ? " bits, in hex)" : " bits)");
        if (!p || equals == text.size())
            throw bad_argument("--field", "takes NAME=VALUE with one of " + known + ", not '" + text + "'",
                               field_example);
        if (!*p)
            throw bad_argument("--field", "takes " + known + ", not '" + text + "': " + p->reason(),
                               field_example);
    }
    return formats::text_of(i, e);
}

void run(const arguments& given) {
    const instant when = given.time.empty()
                             ? std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now())
                             : time_argument("--time", given.time, "--time 2026-12-01T00:00:00Z");
    const formats::entry* named = formats::find(given.as);
    std::cout << (named != nullptr && named->layout == nullptr
                      ? encode(*named, when, given)
                      : encode(layout_argument("--as", given.as, given.epoch), when, given))
              << '\n';
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
                     "machine, a named part of it, or sequence; or what `firn layouts FORMAT` shows "
                     "(repeatable, applied "
                     "in order). Default: 0")
        ->type_name("NAME=VALUE");
    command->add_option("--as,--layout", given->as, format_help)->type_name("FORMAT")->capture_default_str();
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    command
        ->add_option(
            "--to", given->form,
            "How to write a number: decimal (unless given), hex, base32, base58, base58-flickr or base62")
        ->type_name("FORM")
        ->check(one_of(form_names(), "--to hex"));
    command->footer(
        "Examples:\n"
        "  firn encode --time 2022-11-18T11:50:20.644Z --field datacenter=11 --field worker=26 --field "
        "sequence=2 --as twitter\n"
        "  firn encode --time 1764547200000 --as 41/10/12 --epoch 0 --to base58\n"
        "  firn encode --time 2016-07-30T23:54:10.259Z --as ulid --field random=d6764c61efb99302bd5b\n\n"
        "Nothing keeps such an id from being handed out: use `firn next` for new ones.\n"
        "Exit status: 0; 1 when the time is none of the layout's; 2 wrong arguments.");
    command->callback([given] { run(*given); });
}

}  // namespace firn::cli
