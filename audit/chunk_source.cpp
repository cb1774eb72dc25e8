#include "audit/chunk_source.hpp"

#include <algorithm>
#include <cstring>

#include "audit/csv.hpp"
#include "audit/error.hpp"

namespace firn::audit {

chunk_source::chunk_source(const std::vector<std::string>& paths, source_options options)
    : options_(std::move(options)) {
    for (const auto& path : paths) inputs_.emplace_back(path, options_.files);
}

void chunk_source::rewind() noexcept {
    if (open_) inputs_[current_].close();
    open_ = false;
    current_ = 0;
    carry_.clear();
    bytes_read_.store(0, std::memory_order_relaxed);
}

std::optional<std::uint64_t> chunk_source::bytes_total() const {
    std::uint64_t total = 0;
    for (const auto& in : inputs_) {
        const auto size = in.size();
        if (!size) return std::nullopt;
        total += *size;
    }
    return total;
}

bool chunk_source::next(chunk& out, const interruption& stop) {
    while (current_ < inputs_.size()) {
        if (!open_) {
            inputs_[current_].open();
            open_ = first_ = true;
            file_bytes_ = 0;
        }
        out.clear();
        out.file = static_cast<std::uint32_t>(current_);
        out.first_of_file = first_;
        out.lines_before = 0;
        const bool more = fill(out, stop);
        if (options_.form == input_form::csv && (first_ || out.size() != 0)) take_header(out);
        first_ = false;
        if (!more) end_of_file(out);
        if (out.size() != 0) return true;
    }
    return false;
}

/// Reads until the chunk is full and ends with a record. False when the input has ended.
bool chunk_source::fill(chunk& out, const interruption& stop) {
    out.reserve(std::max(options_.chunk_bytes, carry_.size() + 1));
    std::copy(carry_.begin(), carry_.end(), out.free_space().begin());
    out.grow_by(carry_.size());
    carry_.clear();
    for (;;) {
        while (out.size() < out.capacity()) {
            const auto n = inputs_[current_].read(out.free_space(), stop);
            if (n == 0) {
                out.set_size(out.size());
                return false;
            }
            out.grow_by(n);
            file_bytes_ += n;
            bytes_read_.fetch_add(n, std::memory_order_relaxed);
        }
        if (const auto whole = whole_records(out); whole != 0) {
            const char* begin = out.text().data();
            carry_.assign(begin + whole, begin + out.size());
            out.set_size(whole);
            return true;
        }
        if (out.capacity() >= options_.record_bytes_max)
            throw failure(inputs_[current_].name() + ": no end of a record within " +
                          std::to_string(out.size()) + " bytes, at byte " +
                          std::to_string(file_bytes_ - out.size()) +
                          (options_.form == input_form::csv ? "; is there a quote without its pair?"
                                                            : "; is this text, one id a line?"));
        out.reserve(std::min(out.capacity() * 2, options_.record_bytes_max));
    }
}

/// How many bytes from the beginning are whole records; 0 when there is none.
std::size_t chunk_source::whole_records(const chunk& c) const {
    const std::string_view all = c.text();
    if (options_.form == input_form::raw) return all.size() / 8 * 8;
    if (options_.form == input_form::csv) return csv::whole_records(all);
    return all.rfind('\n') + 1;  // npos + 1 is 0.
}

void chunk_source::take_header(chunk& out) {
    if (!first_) {
        out.column = column_;
        return;
    }
    const csv::header header = csv::read_header(out.text(), options_.column, inputs_[out.file].name());
    out.column = column_ = header.column;
    out.drop(header.bytes);
    out.lines_before = header.lines;
}

void chunk_source::end_of_file(const chunk& last) {
    if (options_.form == input_form::raw && last.size() % 8 != 0)
        throw failure(inputs_[current_].name() + ": ends in the middle of an id: " +
                      std::to_string(file_bytes_) + " bytes are no multiple of 8");
    inputs_[current_].close();
    open_ = false;
    ++current_;
}

}  // namespace firn::audit
