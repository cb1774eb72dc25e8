// firn::audit::chunk: some whole records of one input, as bytes.
//
//     chunk c;                                  // reused: its memory stays
//     while (source.next(c)) parse(c.text());
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

#include "audit/decimal.hpp"

namespace firn::audit {

class chunk {
  public:
    std::uint32_t file = 0;          ///< Which input.
    bool first_of_file = false;      ///< Line numbers begin again.
    std::uint64_t lines_before = 0;  ///< Lines of the chunk that come before text(): the header of a CSV.
    std::size_t column = 0;          ///< CSV: which field has the id, from 0.

    /// The records. The byte past the end is a newline, and read_padding bytes past it can be read.
    std::string_view text() const noexcept { return {bytes_.get() + begin_, size_ - begin_}; }

    std::size_t size() const noexcept { return size_; }
    std::size_t capacity() const noexcept { return capacity_; }

    /// Room for `bytes`, keeping what is there.
    void reserve(std::size_t bytes) {
        if (bytes <= capacity_) return;
        auto larger = std::make_unique_for_overwrite<char[]>(bytes + read_padding);
        if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
        bytes_ = std::move(larger);
        capacity_ = bytes;
    }
    /// What lies after the bytes that are there, up to the capacity.
    std::span<char> free_space() noexcept { return {bytes_.get() + size_, capacity_ - size_}; }
    /// Keeps the first `bytes`, and ends them as text() promises.
    void set_size(std::size_t bytes) noexcept {
        size_ = bytes;
        std::memset(bytes_.get() + size_, 0, read_padding);
        bytes_[size_] = '\n';
    }
    void grow_by(std::size_t bytes) noexcept { size_ += bytes; }
    void clear() noexcept { size_ = begin_ = 0; }
    /// Takes `bytes` away from the beginning of text().
    void drop(std::size_t bytes) noexcept { begin_ += bytes; }

  private:
    std::unique_ptr<char[]> bytes_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t size_ = 0;
};

}  // namespace firn::audit
