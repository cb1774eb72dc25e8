// The audit's readers take any bytes: lines agree with reading them one by one with the strict reader, CSV
// gives the same ids however it is cut into chunks, and nothing is read outside of the text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "audit/csv.hpp"
#include "audit/error.hpp"
#include "audit/parse.hpp"
#include "firn/text.hpp"

namespace {

using namespace firn::audit;

void require(bool holds) {
    if (!holds) std::abort();
}

/// In memory of its own, so that a sanitizer sees a step past the padding.
chunk chunk_of(std::string_view text) {
    chunk c;
    c.reserve(text.size() + 1);
    if (!text.empty()) std::memcpy(c.free_space().data(), text.data(), text.size());
    c.set_size(text.size());
    return c;
}

struct found {
    std::vector<std::uint64_t> ids;
    std::vector<std::uint64_t> lines;
    std::uint64_t skipped = 0;
    std::uint64_t line_count = 0;

    bool operator==(const found&) const = default;
};

found parsed_by_audit(std::string_view text, input_form form) {
    batch b;
    parse(chunk_of(text), form, on_bad::skip, b);
    found all{.ids = {b.ids().begin(), b.ids().end()},
              .lines = {},
              .skipped = b.skipped,
              .line_count = b.line_count};
    for (std::size_t i = 0; i < all.ids.size(); ++i) all.lines.push_back(b.line_of(i));
    return all;
}

void check_lines(std::string_view text) {
    found obvious;
    std::string_view rest = text;
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        ++obvious.line_count;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (const auto p = firn::parse_decimal(line)) {
            obvious.ids.push_back(p.value);
            obvious.lines.push_back(obvious.line_count);
        } else {
            require(!describe_bad_id(line).empty());
            ++obvious.skipped;
        }
    }
    require(parsed_by_audit(text, input_form::lines) == obvious);
    // Stopping instead of skipping stops at the first one.
    batch b;
    parse(chunk_of(text), input_form::lines, on_bad::stop, b);
    require(b.bad.has_value() == (obvious.skipped != 0));
}

void check_csv(std::string_view text, std::size_t cut_before) {
    const found whole = parsed_by_audit(text, input_form::csv);
    require(whole.ids.size() + whole.skipped <= whole.line_count);
    const std::size_t cut = csv::whole_records(text.substr(0, std::min(cut_before, text.size())));
    require(cut <= text.size());
    if (whole.skipped == 0) {  // A stray quote may mean something else in another chunk.
        found parts = parsed_by_audit(text.substr(0, cut), input_form::csv);
        const found second = parsed_by_audit(text.substr(cut), input_form::csv);
        parts.ids.insert(parts.ids.end(), second.ids.begin(), second.ids.end());
        for (const auto line : second.lines) parts.lines.push_back(parts.line_count + line);
        parts.line_count += second.line_count;
        require(parts == whole);
    }
    try {
        const chunk c = chunk_of(text);
        const csv::header h = csv::read_header(c.text(), "id", "x");
        require(h.bytes <= text.size());
    } catch (const failure&) {
        // There is no such column.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text{reinterpret_cast<const char*>(data) + 1, size - 1};
    check_lines(text);
    check_csv(text, data[0]);
    return 0;
}
