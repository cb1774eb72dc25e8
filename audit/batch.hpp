// firn::audit::batch: the ids of one chunk, where each stands, and what was no id.
//
//     batch b;                                          // reused: its memory stays
//     parse(c, input_form::lines, on_bad::stop, b);
//     for (std::size_t i = 0; i < b.ids().size(); ++i) use(b.ids()[i], b.line_of(i));
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace firn::audit {

/// Text that is no id: what it is and why. `line` counts from 0 at the beginning of the chunk.
struct bad_record {
    std::uint64_t line = 0;
    std::string what;
};

class batch {
  public:
    std::uint32_t file = 0;
    bool first_of_file = false;
    /// The number of the chunk's first line (or record, of raw input) in its file, from 1.
    std::uint64_t first_line = 1;
    std::uint64_t line_count = 0;
    std::uint64_t skipped = 0;      ///< Records that are no ids and were passed over.
    std::optional<bad_record> bad;  ///< Set when one was not passed over; it is the end of the batch.

    std::span<const std::uint64_t> ids() const noexcept { return {ids_.get(), count_}; }

    /// The line of id `index` in its file, once first_line is known.
    std::uint64_t line_of(std::size_t index) const noexcept {
        return first_line + (lines_.empty() ? index : lines_[index]);
    }

    /// Empties it and makes room for `ids_max` ids. The memory is not touched before it is used.
    void clear(std::size_t ids_max) {
        count_ = 0;
        line_count = skipped = 0;
        bad.reset();
        lines_.clear();
        if (ids_max <= capacity_) return;
        ids_ = std::make_unique_for_overwrite<std::uint64_t[]>(ids_max);
        capacity_ = ids_max;
    }

    /// Adds the id of line `line`, counted from 0. As long as every line so far had an id, no lines are kept.
    void add(std::uint64_t value, std::uint64_t line) {
        if (line != count_ || !lines_.empty()) keep_line(line);
        ids_[count_++] = value;
    }
    /// Adds ids that stand one a record.
    void add_all(const void* bytes, std::size_t count) noexcept {
        if (count != 0) std::memcpy(ids_.get() + count_, bytes, count * sizeof(std::uint64_t));
        count_ += count;
    }

  private:
    void keep_line(std::uint64_t line) {
        // Up to here each id stood on the line of its own number.
        while (lines_.size() < count_) lines_.push_back(static_cast<std::uint32_t>(lines_.size()));
        lines_.push_back(static_cast<std::uint32_t>(line));
    }

    std::unique_ptr<std::uint64_t[]> ids_;
    std::size_t capacity_ = 0;
    std::size_t count_ = 0;
    std::vector<std::uint32_t> lines_;
};

}  // namespace firn::audit
