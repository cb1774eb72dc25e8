// firn::audit::csv: RFC 4180 records: fields between commas, in quotes where they contain commas, quotes or
// line ends; a quote inside quotes is doubled.
//
// Not a general CSV reader: it finds one field of each record and copies nothing.
//
//     auto h = csv::read_header(text, "order_id", "orders.csv");         // h.column, h.bytes
//     csv::cursor at{text.substr(h.bytes)};
//     while (!at.done()) { csv::field f = at.next(h.column); use(f.text, f.line); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace firn::audit::csv {

/// How many bytes of `text`, which begins with a record, are whole records.
std::size_t whole_records(std::string_view text) noexcept;

struct header {
    std::size_t column = 0;   ///< The index of the column wanted.
    std::size_t bytes = 0;    ///< The header's own length, its line end included.
    std::uint64_t lines = 0;  ///< The header's own lines.
};

/// Finds `column` in the first record of `text`. A byte order mark before it is skipped.
/// Errors: failure, which names `file` and the columns that there are.
header read_header(std::string_view text, std::string_view column, const std::string& file);

enum class fault : std::uint8_t { none, too_few_fields, quote_inside, text_after_quote, not_closed };

/// The reason in words. Never null.
const char* reason_of(fault f) noexcept;

struct field {
    std::string_view
        text{};              ///< Without its quotes; quotes inside stay doubled. The whole record on a fault.
    std::uint64_t line = 0;  ///< The line on which the record begins, from 0.
    csv::fault fault = csv::fault::none;
};

/// Walks over the records of a text, from the beginning of one to the end of one.
class cursor {
  public:
    /// The byte after `text` must be a newline, as a chunk's is.
    explicit cursor(std::string_view text) noexcept : at_(text.data()), end_(text.data() + text.size()) {}

    bool done() const noexcept { return at_ >= end_; }
    /// Field `column` of the next record; at the end of a record that is faulty, too.
    field next(std::size_t column) noexcept;
    /// Every field in turn, for a header. False after the last one of a record.
    bool next_field(field& out) noexcept;
    const char* position() const noexcept { return at_; }
    /// The lines passed so far.
    std::uint64_t lines() const noexcept { return line_; }

  private:
    fault read_field(std::string_view& text) noexcept;
    fault read_quoted(std::string_view& text) noexcept;
    bool at_line_end() const noexcept;
    void pass_line_end() noexcept;

    const char* at_;
    const char* end_;
    std::uint64_t line_ = 0;
};

}  // namespace firn::audit::csv
