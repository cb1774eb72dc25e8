// `firn decode`: what is in an id.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/form_names.hpp"
#include "cli/layout_argument.hpp"
#include "cli/output.hpp"
#include "firn/codecs/forms.hpp"
#include "firn/formats/catalogue.hpp"
#include "firn/formats/decode_any.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::vector<std::string> inputs;
    std::string as = "standard";
    std::string epoch;
    std::string form;
    bool json = false;
};

std::string to_json(std::string_view input, const formats::decoded& d) {
    nlohmann::ordered_json fields = nlohmann::ordered_json::object();
    for (const auto& f : d.fields) {
        if (f.digits.empty())
            fields[f.name] = f.value;
        else
            fields[f.name] = f.digits;
    }
    return nlohmann::ordered_json{
        {"input", input},
        {"format", d.format},
        {"time", rfc3339(d.time)},
        {"time_ms", std::chrono::floor<std::chrono::milliseconds>(d.time).time_since_epoch().count()},
        {"epoch_ms", d.epoch_ms},
        {"fields", fields},
        {"warnings", d.warnings}}
        .dump();
}

std::string to_text(std::string_view input, const formats::decoded& d, const std::string& format) {
    const auto line = [](std::string_view name, const std::string& value) {
        return "  " + std::string{name} + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') + value +
               '\n';
    };
    std::string out{input};
    out += '\n' + line("time", rfc3339(d.time));
    out += line("layout", format);
    out += line("epoch", rfc3339(instant{std::chrono::milliseconds{d.epoch_ms}}) + " (" +
                             std::to_string(d.epoch_ms) + " ms)");
    for (const auto& f : d.fields) out += line(f.name, f.digits.empty() ? std::to_string(f.value) : f.digits);
    for (const auto& w : d.warnings) out += line("warning", w);
    out.pop_back();
    return out;
}

/// One input after the other, as it comes; true when each was an id.
class decoder {
  public:
    explicit decoder(const arguments& given)
        : other_(without_layout(given)),
          layout_(other_ != nullptr ? layouts::standard : layout_argument("--as", given.as, given.epoch)),
          form_(*codecs::form_named(given.form.empty() ? "decimal" : given.form)),
          format_(other_ != nullptr ? std::string{other_->title} : describe(layout_)),
          json_(given.json) {}

    void one(std::string_view input) {
        const auto now = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
        if (other_ != nullptr) {
            if (const auto p = other_->parse(input, codecs::spelling::lenient))
                print(input, formats::decode(p.value, *other_, now));
            else
                refuse(input, other_->name, p);
        } else {
            if (const parsed p = form_.parse(input, {}))
                print(input, formats::decode(id{p.value}, layout_, now));
            else
                refuse(input, form_.name, p);
        }
    }

    void lines_of(std::istream& in) {
        for (std::string line; out_.open() && std::getline(in, line);) one(line);
    }

    bool finish() {
        out_.flush();
        return all_ids_;
    }

  private:
    /// The format that --as names, when it is none of 64 bits.
    static const formats::entry* without_layout(const arguments& given) {
        const formats::entry* named = formats::find(given.as);
        if (named == nullptr || named->layout != nullptr) return nullptr;
        if (!given.epoch.empty() || !given.form.empty())
            throw bad_argument(given.epoch.empty() ? "--format" : "--epoch",
                               "goes with layouts of 64 bits, not with " + std::string{named->name},
                               "firn decode --as " + std::string{named->name} + " ID");
        return named;
    }

    void print(std::string_view input, const formats::decoded& d) {
        out_.line(json_ ? to_json(input, d) : to_text(input, d, format_));
    }

    template <class Parsed>
    void refuse(std::string_view input, std::string_view form, const Parsed& p) {
        out_.flush();  // what is said here comes after what was printed before it
        std::cerr << "firn: '" << printable(input) << "' is no " << form << " id: " << p.reason();
        if (p.fault != text_fault::empty) std::cerr << " (at character " << p.position + 1 << ')';
        std::cerr << '\n';
        all_ids_ = false;
    }

    /// A terminal shall not obey what somebody put into an id.
    static std::string printable(std::string_view text) {
        constexpr std::size_t enough = 60;
        std::string out;
        for (const char c : text.substr(0, enough)) {
            const auto byte = static_cast<unsigned char>(c);
            if (byte >= 0x20 && byte != 0x7f) {
                out += c;
            } else {
                out += "\\x";
                out += "0123456789abcdef"[byte >> 4];
                out += "0123456789abcdef"[byte & 15];
            }
        }
        return text.size() > enough ? out + "..." : out;
    }

    output out_;
    const formats::entry* other_;
    layout layout_;
    const codecs::form& form_;
    std::string format_;
    bool json_;
    bool all_ids_ = true;
};

/// CLI11 takes "-1" for an option. It is an input, which decode refuses as any other that is no id.
std::vector<std::string> negative_numbers_of(const CLI::App& command) {
    std::vector<std::string> extras = command.remaining();
    for (const std::string& e : extras)
        if (e.size() < 2 || e[1] < '0' || e[1] > '9') throw CLI::ExtrasError("decode", {e});
    return extras;
}

void run(const CLI::App& command, arguments given) {
    for (auto& number : negative_numbers_of(command)) given.inputs.push_back(number);
    if (given.inputs.empty())
        throw bad_argument("ID", "is missing: one or more ids, or - to read them from standard input",
                           "firn decode 1593572310593806338 --as twitter");
    decoder d{given};
    for (const std::string& input : given.inputs) {
        if (input == "-")
            d.lines_of(std::cin);
        else
            d.one(input);
    }
    if (!d.finish()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_decode(CLI::App& app) {
    auto* command =
        app.add_subcommand("decode", "Say what is in ids: time, machine, sequence, and the epoch used");
    auto given = std::make_shared<arguments>();
    command->add_option("ID", given->inputs, "Ids; - reads them from standard input, one a line");
    command
        ->add_option("--as", given->as,
                     std::string{layout_help} + "; or objectid, uuidv7, ulid, ksuid, xid in their own texts")
        ->type_name("FORMAT")
        ->capture_default_str();
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    command
        ->add_option("--format", given->form,
                     "How the ids are written: decimal (unless given), hex, base32, base58, base58-flickr or "
                     "base62")
        ->type_name("FORM")
        ->check(one_of(form_names(), "--format hex"));
    command->add_flag("--json", given->json,
                      "One object a line: input, format, time, time_ms, epoch_ms, fields, warnings");
    command->allow_extras();
    command->footer(
        "Examples:\n"
        "  firn decode 1593572310593806338 --as twitter\n"
        "  firn decode 29360128 --as 41/10/12 --epoch 2025-01-01T00:00:00Z --json\n"
        "  firn decode 01ARZ3NDEKTSV4RRFFQ69G5FAV --as ulid\n"
        "  firn next -n 3 | firn decode -\n\n"
        "Exit status: 0; 1 when an input was no id (the others are printed); 2 wrong arguments.");
    command->callback([command, given] { run(*command, *given); });
}

}  // namespace firn::cli
