#include "audit/parse.hpp"

#include <cstring>

#include "audit/csv.hpp"
#include "audit/decimal.hpp"
#include "firn/text.hpp"

namespace firn::audit {
namespace {

/// The text in quotes, at most 40 characters of it, with control characters and bytes past ASCII as \xNN.
std::string shown(std::string_view text) {
    constexpr std::size_t most = 40;
    std::string out = "'";
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F) {
            out += c;
        } else {
            out += "\\x";
            out += "0123456789abcdef"[byte >> 4];
            out += "0123456789abcdef"[byte & 15];
        }
    }
    return out + (text.size() > most ? "…'" : "'");
}

/// True when the policy says to go on.
bool pass_over(batch& out, on_bad policy, std::uint64_t line, const auto& why) {
    if (policy == on_bad::skip) {
        ++out.skipped;
        return true;
    }
    out.bad = bad_record{line, why()};
    return false;
}

void parse_lines(std::string_view text, on_bad policy, batch& out) {
    const char* at = text.data();
    const char* end = at + text.size();
    std::uint64_t line = 0;
    for (; at < end; ++line) {
        std::uint64_t value = 0;
        const char* rest = read_decimal(at, value);
        if (rest != nullptr && (*rest == '\n' || (*rest == '\r' && rest[1] == '\n'))) [[likely]] {
            out.add(value, line);
            at = rest + (*rest == '\r' ? 2 : 1);
            continue;
        }
        // The byte past the end is a newline: it is always found.
        const char* stop =
            static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at) + 1));
        std::string_view whole{at, static_cast<std::size_t>(stop - at)};
        if (whole.ends_with('\r')) whole.remove_suffix(1);
        if (!pass_over(out, policy, line, [&] { return describe_bad_id(whole); })) break;
        at = stop + 1;
    }
    out.line_count = line;
}

void parse_csv(const chunk& c, on_bad policy, batch& out) {
    csv::cursor at{c.text()};
    while (!at.done()) {
        const csv::field f = at.next(c.column);
        const std::uint64_t line = c.lines_before + f.line;
        if (f.fault != csv::fault::none) {
            const auto why = [&] { return csv::reason_of(f.fault) + (": " + shown(f.text)); };
            if (pass_over(out, policy, line, why)) continue;
            break;
        }
        // A field always ends at a comma, a quote or a line end, inside what can be read.
        std::uint64_t value = 0;
        const char* rest = f.text.empty() ? nullptr : read_decimal(f.text.data(), value);
        if (rest == f.text.data() + f.text.size() && !f.text.empty()) {
            out.add(value, line);
        } else if (!pass_over(out, policy, line, [&] { return describe_bad_id(f.text); })) {
            break;
        }
    }
    out.line_count = c.lines_before + at.lines();
}

}  // namespace

std::string describe_bad_id(std::string_view text) {
    const parsed p = parse_decimal(text);
    std::string why = shown(text) + " is no id: ";
    switch (p.fault) {
        case text_fault::empty:
            return why + "the line is empty";
        case text_fault::not_canonical:
            return why + "it begins with a zero";
        case text_fault::overflow:
            return why + "it is larger than 18446744073709551615";
        default:
            break;
    }
    why += "character " + std::to_string(p.position + 1) + " is no digit";
    if (text.find(',') != std::string_view::npos) why += " (of a CSV, name the column with --column)";
    return why;
}

void parse(const chunk& c, input_form form, on_bad policy, batch& out) {
    const std::string_view text = c.text();
    out.file = c.file;
    out.first_of_file = c.first_of_file;
    // The shortest record is a digit and its line end.
    out.clear(form == input_form::raw ? text.size() / 8 : text.size() / 2 + 1);
    switch (form) {
        case input_form::lines:
            return parse_lines(text, policy, out);
        case input_form::csv:
            return parse_csv(c, policy, out);
        case input_form::raw:
            out.line_count = text.size() / 8;
            return out.add_all(text.data(), text.size() / 8);
    }
}

}  // namespace firn::audit
