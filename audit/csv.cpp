#include "audit/csv.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "audit/error.hpp"

namespace firn::audit::csv {
namespace {

// What ends a field without quotes, and the quote that must not be in it.
constexpr auto special = [] {
    std::array<bool, 256> table{};
    for (const char c : {',', '\n', '"'}) table[static_cast<unsigned char>(c)] = true;
    return table;
}();

}  // namespace

std::size_t whole_records(std::string_view text) noexcept {
    // Outside of quotes, the number of quotes before is even: a doubled one changes nothing.
    auto quotes = std::count(text.begin(), text.end(), '"');
    for (std::size_t i = text.size(); i > 0; --i) {
        if (text[i - 1] == '"') --quotes;
        if (text[i - 1] == '\n' && quotes % 2 == 0) return i;
    }
    return 0;
}

const char* reason_of(fault f) noexcept {
    switch (f) {
        case fault::none:
            return "no fault";
        case fault::too_few_fields:
            return "the record has too few fields";
        case fault::quote_inside:
            return "a quote in a field that does not begin with one";
        case fault::text_after_quote:
            return "text after the closing quote";
        case fault::not_closed:
            return "a quoted field without its closing quote";
    }
    return "unknown";
}

bool cursor::at_line_end() const noexcept {
    return at_ >= end_ || *at_ == '\n' || (*at_ == '\r' && at_ + 1 <= end_ && at_[1] == '\n');
}

void cursor::pass_line_end() noexcept {
    if (at_ < end_ && *at_ == '\r') ++at_;
    ++at_;  // At the end of the text this passes the newline that stands after it.
    ++line_;
}

fault cursor::read_quoted(std::string_view& text) noexcept {
    const char* begin = ++at_;
    for (;;) {
        const auto* quote =
            at_ < end_ ? static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)))
                       : nullptr;
        const char* stop = quote == nullptr ? end_ : quote;
        line_ += static_cast<std::uint64_t>(std::count(at_, std::max(at_, stop), '\n'));
        if (quote == nullptr) {
            at_ = end_;
            return fault::not_closed;
        }
        at_ = quote + 1;
        if (at_ < end_ && *at_ == '"') {
            ++at_;
            continue;
        }
        text = {begin, static_cast<std::size_t>(quote - begin)};
        return at_line_end() || *at_ == ',' ? fault::none : fault::text_after_quote;
    }
}

fault cursor::read_field(std::string_view& text) noexcept {
    if (at_ < end_ && *at_ == '"') return read_quoted(text);
    const char* begin = at_;
    while (!special[static_cast<unsigned char>(*at_)]) ++at_;  // The newline past the end stops it.
    const char* stop = at_;
    if (stop > begin && *stop == '\n' && stop[-1] == '\r') at_ = --stop;
    text = {begin, static_cast<std::size_t>(stop - begin)};
    return *at_ == '"' ? fault::quote_inside : fault::none;
}

field cursor::next(std::size_t column) noexcept {
    const char* record = at_;
    field out{.line = line_};
    for (std::size_t i = 0;; ++i) {
        std::string_view text;
        out.fault = read_field(text);
        if (out.fault != fault::none) break;
        if (i == column) out.text = text;
        if (at_line_end()) {
            if (i < column) out.fault = fault::too_few_fields;
            break;
        }
        ++at_;  // The comma.
    }
    if (out.fault != fault::none) {
        while (at_ < end_ && *at_ != '\n') ++at_;
        out.text = {record, static_cast<std::size_t>(std::min(at_, end_) - record)};
    }
    pass_line_end();
    return out;
}

bool cursor::next_field(field& out) noexcept {
    out.line = line_;
    out.fault = read_field(out.text);
    if (out.fault != fault::none) return false;
    if (at_line_end()) {
        pass_line_end();
        return false;
    }
    ++at_;
    return true;
}

header read_header(std::string_view text, std::string_view column, const std::string& file) {
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    const std::size_t mark = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
    cursor at{text.substr(mark)};
    std::string names;
    std::size_t found = 0;
    std::size_t matches = 0;
    field name;
    bool more = !at.done();
    for (std::size_t i = 0; more; ++i) {
        more = at.next_field(name);
        if (name.fault != fault::none) throw failure(file + ":1: " + reason_of(name.fault));
        names += (i == 0 ? "" : ", ") + std::string{name.text.substr(0, 40)};
        if (name.text != column) continue;
        found = i;
        ++matches;
    }
    if (matches == 1)
        return {.column = found,
                .bytes = std::min(text.size(), static_cast<std::size_t>(at.position() - text.data())),
                .lines = at.lines()};
    throw failure(file + ":1: " + (matches == 0 ? "no column" : "more than one column") + " is named '" +
                  std::string{column} + "'; the header names: " + names.substr(0, 400));
}

}  // namespace firn::audit::csv
