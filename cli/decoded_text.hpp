// What an id says, as `firn decode` writes it: for people, as JSON and as CSV.
//
//     std::string line;
//     append_json(line, "5", formats::decode(id{5}, layouts::standard, now), {});
//     out.line(line);
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "firn/formats/candidates.hpp"
#include "firn/formats/decode.hpp"

namespace firn::cli {

struct decoded_style {
    bool local = false;  ///< The time also where TZ is.
};

/// A block of lines without the last line feed. `title` says more of the format than its name.
void append_text(std::string& out, std::string_view input, const formats::decoded& d, std::string_view title,
                 decoded_style how);
/// Lines that go on after that: what else it may be. Empty when `all`, the first of which was the block, has
/// no other.
void append_others(std::string& out, std::span<const formats::candidate> all);

/// One object without a line feed: input, format, time, time_ms, epoch_ms, local, fields, warnings; and
/// candidates, when there are any.
void append_json(std::string& out, std::string_view input, const formats::decoded& d, decoded_style how,
                 std::span<const formats::candidate> all = {});

/// A row of CSV (RFC 4180) without a line feed: the same, a column for each field; warnings are joined by
/// "; ".
void append_csv(std::string& out, std::string_view input, const formats::decoded& d, decoded_style how);
/// The names of its columns.
void append_csv_header(std::string& out, const formats::decoded& d, decoded_style how);

}  // namespace firn::cli
