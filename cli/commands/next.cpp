// `firn next`: ids from the real clock.
//
// What a command that starts afresh each time has to do so that its ids are not handed out twice, without a
// journal: it never runs ahead of the wall (overflow is spin), and hands out nothing in the tick in which it
// starts, which the run before it may have used. Two that run at once need two machine numbers, or a journal.
#include <chrono>
#include <iostream>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/form_names.hpp"
#include "cli/layout_argument.hpp"
#include "cli/output.hpp"
#include "firn/codecs/forms.hpp"
#include "firn/counter_clock.hpp"
#include "firn/generator.hpp"
#include "firn/journal.hpp"
#include "firn/text.hpp"

namespace firn::cli {
namespace {

constexpr std::uint64_t most_ids = std::uint64_t{1} << 62;
constexpr std::uint64_t most_days = 365'000;

struct arguments {
    std::string count = "1";
    std::string layout = "standard";
    std::string epoch;
    std::string machine;
    bool machine_given = false;
    std::string form = "decimal";
    std::string journal;
    std::string min_life_days = "365";
    bool json = false;
};

void note(const std::string& text) {
    std::cerr << "firn: note: " << text << '\n';
}

std::uint64_t machine_of(const arguments& given, const layout& l) {
    if (!given.machine_given) {
        note("no --machine given: this is machine 0. Two generators that run at once need different numbers");
        return 0;
    }
    const parsed p = parse_decimal(given.machine, l.machine_max());
    if (!p)
        throw bad_argument("--machine",
                           "takes a whole number from 0 to " + std::to_string(l.machine_max()) + ", not '" +
                               given.machine + "'",
                           "--machine 7");
    return p.value;
}

layout layout_of(const arguments& given) {
    const layout l = layout_argument("--layout", given.layout, given.epoch);
    const bool bits = l.name.view().empty();
    if (bits && l.reserved_bits != 1)
        throw bad_argument(
            "--layout",
            "takes a name, or bits of time/machine/sequence that add up to 63, with the sign bit to 64; "
            "not '" +
                given.layout + "'",
            "--layout 41/10/12");
    if (bits && given.epoch.empty())
        note("no --epoch given: time counts from 1970, the last tick of this layout begins at " +
             rfc3339(l.time_of(tick{l.end_tick().count - 1})));
    return l;
}

/// Makes it; what the layout and the present do not agree on is the fault of an argument.
template <class Make>
auto made(Make make) {
    try {
        return make();
    } catch (const error& e) {
        switch (e.code()) {
            case errc::epoch_in_future:
            case errc::life_ended:
                throw bad_argument("--layout, --epoch", e.what(), "--epoch 2025-01-01T00:00:00Z");
            case errc::life_ends_soon:
                throw bad_argument("--layout, --epoch", e.what(), "--min-life-days 0");
            default:
                throw;
        }
    }
}

/// Waits until the tick is over in which this process was started.
void leave_first_tick(clock& c, const layout& l) {
    if (l.tick_us > 1'000'000) {
        note(
            "a tick of this layout is longer than a second: of two runs within one, the ids are the same. "
            "Use --journal");
        return;
    }
    const tick started = c.now();
    while (c.now() <= started) c.sleep_towards(tick{started.count + 1}, std::chrono::seconds{2});
}

void print(issuer<packer>& ids, const arguments& given) {
    const codecs::form& form = *codecs::form_named(given.form);
    const std::uint64_t count = parse_decimal(given.count).value;
    std::uint64_t left = count == 0 ? std::numeric_limits<std::uint64_t>::max() : count;
    output out;
    std::vector<id> batch(1024);
    std::string line;
    while (left > 0 && out.open()) {
        const std::span<id> some{batch.data(),
                                 static_cast<std::size_t>(std::min<std::uint64_t>(left, batch.size()))};
        // A wall that was set back is waited out for as long as one can be expected to mend it.
        ids.next(some, std::chrono::minutes{10});
        for (const id i : some) {
            std::array<char, codecs::form_max_size> text;
            const std::string_view written{
                text.data(), static_cast<std::size_t>(form.write(i.value, text.data()) - text.data())};
            if (given.json)
                out.line(line.assign("{\"id\":\"").append(written).append("\"}"));
            else
                out.line(written);
        }
        if (count != 0) left -= some.size();
    }
    out.flush();
}

void run(const arguments& given) {
    const layout l = layout_of(given);
    generator_options o{
        .layout = l,
        .machine = machine_of(given, l),
        .overflow = overflow_policy::spin,
        .min_life = std::chrono::hours{24} * parse_decimal(given.min_life_days, most_days).value};
    if (!given.journal.empty()) {
        journal ids = made([&] { return journal::open(given.journal, o); });
        return print(ids, given);
    }
    o.clock = std::make_shared<counter_clock>(l);
    generator ids = made([&] { return generator{o}; });
    leave_first_tick(*o.clock, l);
    print(ids, given);
}

}  // namespace

void add_next(CLI::App& app) {
    auto* command = app.add_subcommand("next", "Print new ids from the real clock");
    auto given = std::make_shared<arguments>();
    command->add_option("-n,--count", given->count, "How many; 0 goes on until the output is closed")
        ->type_name("N")
        ->capture_default_str()
        ->check(whole_number(0, most_ids, "-n 10"));
    const CLI::Option* machine =
        command
            ->add_option(
                "--machine", given->machine,
                "The number that tells this generator apart from the others of its layout; 0 unless given")
            ->type_name("N")
            ->envname("FIRN_MACHINE");
    command->add_option("--layout", given->layout, layout_help)->type_name("LAYOUT")->capture_default_str();
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    command
        ->add_option("--format", given->form,
                     "How to write them: decimal, hex, base32, base58, base58-flickr or base62")
        ->type_name("FORM")
        ->capture_default_str()
        ->check(one_of(form_names(), "--format hex"));
    command
        ->add_option("--journal", given->journal,
                     "Keep the cursor in this directory: any number of runs, at once or after kill -9 or a "
                     "power cut, never print an id twice")
        ->type_name("DIR");
    command
        ->add_option("--min-life-days", given->min_life_days,
                     "Refuse a layout whose timestamp field ends sooner")
        ->type_name("N")
        ->capture_default_str()
        ->check(whole_number(0, most_days, "--min-life-days 0"));
    command->add_flag("--json", given->json, "One object a line: {\"id\":\"...\"}");
    command->footer(
        "Examples:\n"
        "  firn next --machine 7\n"
        "  firn next -n 1000 --machine 7 --journal state/orders\n"
        "  firn next -n 0 --machine 7 --format base62 | head\n"
        "  firn next --layout twitter --machine 7 | firn decode - --as twitter\n\n"
        "Without --journal, ids are unique as long as each run ends before the next begins, the clock is not "
        "set "
        "back in between, and no two that run at once have one machine number.");
    command->callback([given, machine] {
        given->machine_given = machine->count() > 0;
        run(*given);
    });
}

}  // namespace firn::cli
