// `firn decode`: what is in an id, and of which format it may be.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/decoded_text.hpp"
#include "cli/form_names.hpp"
#include "cli/layout_argument.hpp"
#include "cli/output.hpp"
#include "firn/codecs/forms.hpp"
#include "firn/formats/candidates.hpp"

namespace firn::cli {
namespace {

struct arguments {
    std::vector<std::string> inputs;
    std::vector<std::string> files;
    std::string as;
    std::string epoch;
    std::string form;
    bool json = false;
    bool csv = false;
    decoded_style how;
};

/// How ids are read when --as names their format.
class reader {
  public:
    explicit reader(const arguments& given) : entry_(formats::find(given.as)) {
        if (entry_ != nullptr && entry_->layout == nullptr) {
            if (!given.epoch.empty() || !given.form.empty())
                throw bad_argument(given.epoch.empty() ? "--format" : "--epoch",
                                   "goes with layouts of 64 bits, not with " + std::string{entry_->name},
                                   "firn decode --as " + std::string{entry_->name} + " ID");
            title_ = entry_->title;
            return;
        }
        layout_ =
            layout_argument("--as", entry_ != nullptr ? std::string{entry_->name} : given.as, given.epoch);
        if (!given.epoch.empty()) entry_ = nullptr;  // the vendor's history is that of its own epoch
        form_ = codecs::form_named(given.form.empty() ? "decimal" : given.form);
        title_ = describe(*layout_);
    }

    /// Nothing: `input` is no id of it, and `fault` says why.
    std::optional<formats::decoded> read(std::string_view input, instant now, parsed& fault) const {
        if (!layout_) {
            const auto p = entry_->parse(input, codecs::spelling::lenient);
            if (p) return formats::decode(p.value, *entry_, now);
            fault = {.fault = p.fault, .position = p.position};
            return std::nullopt;
        }
        fault = form_->parse(input, {});
        if (!fault) return std::nullopt;
        return entry_ != nullptr ? formats::decode(id{fault.value}, *entry_, now)
                                 : formats::decode(id{fault.value}, *layout_, now);
    }

    std::string_view title() const { return title_; }
    /// Of what `input` is no id.
    std::string_view kind() const { return form_ != nullptr ? form_->name : entry_->name; }

  private:
    const formats::entry* entry_;
    std::optional<layout> layout_;
    const codecs::form* form_ = nullptr;
    std::string title_;
};

std::string title_of(const formats::entry& e) {
    return e.layout != nullptr ? describe(*e.layout) : std::string{e.title};
}

/// A terminal shall not obey what somebody put into an id.
std::string printable(std::string_view text) {
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

/// One input after the other, as it comes.
class decoder {
  public:
    explicit decoder(const arguments& given) : how_(given.how), json_(given.json), csv_(given.csv) {
        if (!given.as.empty())
            reader_.emplace(given);
        else if (!given.epoch.empty())
            throw bad_argument("--epoch", "needs a layout", "--as 41/10/12 --epoch " + given.epoch);
        else if (given.csv)
            throw bad_argument("--csv", "needs a format, whose fields are its columns", "--as twitter --csv");
        if (!given.form.empty()) only_ = codecs::form_named(given.form);
    }

    void one(std::string_view input, std::string_view where = {}) {
        const auto now = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
        line_.clear();
        if (reader_) {
            parsed fault;
            if (const auto d = reader_->read(input, now, fault))
                print(input, *d);
            else
                refuse(input, where, reader_->kind(), fault);
        } else if (const auto all = formats::candidates(input, now, only_); !all.empty()) {
            guess(input, all);
        } else {
            const codecs::form& form = only_ != nullptr ? *only_ : *codecs::form_named("decimal");
            refuse(input, where, form.name, form.parse(input, {}));
        }
    }

    /// `name` is for errors.
    void lines_of(std::istream& in, const std::string& name) {
        std::uint64_t number = 0;
        for (std::string line; out_.open() && std::getline(in, line);) {
            ++number;
            if (line.ends_with('\r')) line.pop_back();
            one(line, name_and_number(name, number));
        }
        if (in.bad()) throw std::runtime_error("cannot read " + name + ": " + std::strerror(errno));
    }

    /// True when each input was an id.
    bool finish() {
        out_.flush();
        return all_ids_;
    }

  private:
    /// Only looked at when something is wrong.
    std::string_view name_and_number(const std::string& name, std::uint64_t number) {
        line_name_ = &name;
        line_number_ = number;
        return name;
    }

    void print(std::string_view input, const formats::decoded& d) {
        if (json_) {
            append_json(line_, input, d, how_);
        } else if (csv_) {
            if (!header_written_) {
                append_csv_header(line_, d, how_);
                line_ += '\n';
                header_written_ = true;
            }
            append_csv(line_, input, d, how_);
        } else {
            append_text(line_, input, d, reader_->title(), how_);
        }
        out_.line(line_);
    }

    void guess(std::string_view input, const std::vector<formats::candidate>& all) {
        const formats::candidate& best = all.front();
        if (json_) {
            append_json(line_, input, best.reading, how_, all);
        } else {
            append_text(line_, input, best.reading, title_of(*best.format), how_);
            append_others(line_, all);
        }
        out_.line(line_);
    }

    void refuse(std::string_view input, std::string_view where, std::string_view kind, const parsed& p) {
        out_.flush();  // what is said here comes after what was printed before it
        std::cerr << "firn: ";
        if (!where.empty()) std::cerr << *line_name_ << ':' << line_number_ << ": ";
        std::cerr << '\'' << printable(input) << "' is no " << kind << " id";
        if (!reader_ && only_ == nullptr) std::cerr << ", nor one of another format";
        std::cerr << ": " << p.reason();
        if (p.fault != text_fault::empty) std::cerr << " (at character " << p.position + 1 << ')';
        std::cerr << '\n';
        all_ids_ = false;
    }

    output out_;
    std::optional<reader> reader_;
    const codecs::form* only_ = nullptr;
    decoded_style how_;
    bool json_;
    bool csv_;
    bool header_written_ = false;
    bool all_ids_ = true;
    std::string line_;
    const std::string* line_name_ = nullptr;
    std::uint64_t line_number_ = 0;
};

/// CLI11 takes "-1" for an option. It is an input, which decode refuses as any other that is no id.
std::vector<std::string> negative_numbers_of(const CLI::App& command) {
    std::vector<std::string> extras = command.remaining();
    for (const std::string& e : extras)
        if (e.size() < 2 || e[1] < '0' || e[1] > '9') throw CLI::ExtrasError("decode", {e});
    return extras;
}

void read_file(decoder& d, const std::string& path) {
    if (path == "-") {
        d.lines_of(std::cin, "standard input");
        return;
    }
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot open " + path + ": " + std::strerror(errno));
    d.lines_of(in, path);
}

void run(const CLI::App& command, arguments given) {
    for (auto& number : negative_numbers_of(command)) given.inputs.push_back(number);
    if (given.inputs.empty() && given.files.empty()) {
        if (::isatty(STDIN_FILENO) == 1)
            throw bad_argument("ID", "is missing: ids, --file, or a pipe with one id a line",
                               "firn decode 1593572310593806338");
        given.files.emplace_back("-");
    }
    std::ios::sync_with_stdio(false);
    decoder d{given};
    for (const std::string& input : given.inputs) {
        if (input == "-")
            read_file(d, input);
        else
            d.one(input);
    }
    for (const std::string& path : given.files) read_file(d, path);
    if (!d.finish()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_decode(CLI::App& app) {
    auto* command = app.add_subcommand(
        "decode", "Say what is in ids: format, time, machine, sequence, and the epoch used");
    auto given = std::make_shared<arguments>();
    command->add_option(
        "ID", given->inputs,
        "Ids; - reads them from standard input, one a line, as does a pipe when there is no ID");
    command->add_option("--file", given->files, "Read ids from it, one a line (repeatable)")
        ->type_name("FILE");
    command
        ->add_option("--as,--layout", given->as,
                     std::string{format_help} + ". Default: every one that may be, the most plausible first")
        ->type_name("FORMAT");
    command->add_option("--epoch", given->epoch, epoch_help)->type_name("TIME");
    command
        ->add_option("--format", given->form,
                     "How the ids are written: decimal (unless given, with --as), hex, base32, base58, "
                     "base58-flickr or base62")
        ->type_name("FORM")
        ->check(one_of(form_names(), "--format hex"));
    auto* json =
        command->add_flag("--json", given->json,
                          "One object a line: input, format, time, time_ms, epoch_ms, fields, warnings; "
                          "without --as, candidates too");
    command->add_flag("--csv", given->csv, "With --as: a header, and a row for each id")->excludes(json);
    command->add_flag("--local", given->how.local, "The time where TZ is, too");
    command->allow_extras();
    command->footer(
        "Examples:\n"
        "  firn decode 175928847299117063\n"
        "  firn decode 1593572310593806338 --as twitter --local\n"
        "  firn decode 29360128 --as 41/10/12 --epoch 2025-01-01T00:00:00Z --json\n"
        "  firn decode --as ulid --csv --file ulids.txt\n"
        "  firn next -n 3 | firn decode\n\n"
        "Exit status: 0; 1 when an input was no id (the others are printed) or could not be read;\n"
        "2 wrong arguments.");
    command->callback([command, given] { run(*command, *given); });
}

}  // namespace firn::cli
