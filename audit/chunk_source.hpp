// firn::audit::chunk_source: the inputs, one after the other, cut into chunks of whole records.
//
// Not for more than one thread at once: scan.hpp takes turns.
//
//     chunk_source source{{"a.txt", "-"}, {.form = input_form::lines}};
//     chunk c;
//     while (source.next(c, stop)) …
//     source.rewind();                                  // and all of it again
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/chunk.hpp"
#include "audit/input.hpp"

namespace firn::audit {

enum class input_form : std::uint8_t {
    lines,  ///< Text: a decimal number on each line.
    csv,    ///< RFC 4180, with a header; a decimal number in the column named.
    raw     ///< 8 bytes each, little-endian.
};

struct source_options {
    input_form form = input_form::lines;
    std::string column{};                ///< CSV: the column's name in the header.
    std::size_t chunk_bytes = 1U << 20;  ///< A chunk is longer only when a record is.
    std::size_t record_bytes_max = 1U << 24;
    input_options files{};
};

class chunk_source {
  public:
    chunk_source(const std::vector<std::string>& paths, source_options options);

    /// Fills `out` with the next records; false when there are no more.
    /// Errors: failure (which input, what and where); interrupted.
    bool next(chunk& out, const interruption& stop);

    /// Starts again with the first input.
    void rewind() noexcept;

    const std::string& name_of(std::uint32_t file) const { return inputs_[file].name(); }
    input_form form() const noexcept { return options_.form; }
    /// How much of all inputs was read since the last rewind(). Threads: any.
    std::uint64_t bytes_read() const noexcept { return bytes_read_.load(std::memory_order_relaxed); }
    /// How much there is; nothing when one of them is a pipe.
    std::optional<std::uint64_t> bytes_total() const;

  private:
    bool fill(chunk& out, const interruption& stop);
    std::size_t whole_records(const chunk& c) const;
    void take_header(chunk& out);
    void end_of_file(const chunk& last);

    source_options options_;
    std::vector<input> inputs_;
    std::vector<char> carry_;  // The start of a record whose end was not read yet.
    std::size_t current_ = 0;
    bool open_ = false;
    bool first_ = false;
    std::size_t column_ = 0;  // CSV: of the current file.
    std::uint64_t file_bytes_ = 0;
    std::atomic<std::uint64_t> bytes_read_{0};
};

}  // namespace firn::audit
