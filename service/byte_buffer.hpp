// firn::service::byte_buffer: bytes that come in at the end and go out at the front, without being zeroed
// first.
//
// Not for threads.
//
//     char* p = b.room(64);  p = write_something(p);  b.commit_to(p);
//     send(b.view());  b.drop(sent);
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace firn::service {

class byte_buffer {
  public:
    std::string_view view() const noexcept { return {data_.get() + begin_, end_ - begin_}; }
    std::size_t size() const noexcept { return end_ - begin_; }
    bool empty() const noexcept { return begin_ == end_; }
    std::size_t capacity() const noexcept { return capacity_; }

    /// At least `n` bytes to write to, at the end.
    char* room(std::size_t n) {
        if (capacity_ - end_ < n) make_room(n);
        return data_.get() + end_;
    }
    std::size_t room_size() const noexcept { return capacity_ - end_; }
    void commit(std::size_t n) noexcept { end_ += n; }
    void commit_to(const char* past) noexcept { end_ = static_cast<std::size_t>(past - data_.get()); }

    void append(std::string_view text) {
        std::memcpy(room(text.size()), text.data(), text.size());
        commit(text.size());
    }
    void append(char c) {
        *room(1) = c;
        commit(1);
    }

    void drop(std::size_t n) noexcept {
        begin_ += n;
        if (begin_ == end_) begin_ = end_ = 0;
    }
    void clear() noexcept { begin_ = end_ = 0; }
    /// Gives memory back once the buffer is empty and larger than `keep`.
    void shrink(std::size_t keep) {
        if (!empty() || capacity_ <= keep) return;
        data_.reset();
        capacity_ = begin_ = end_ = 0;
    }

  private:
    void make_room(std::size_t n) {
        const std::size_t used = size();
        if (capacity_ - used >= n && begin_ >= capacity_ / 2) {
            std::memmove(data_.get(), data_.get() + begin_, used);
        } else {
            capacity_ = std::max(used + n, capacity_ * 2);
            std::unique_ptr<char[]> larger(new char[capacity_]);
            if (used > 0) std::memcpy(larger.get(), data_.get() + begin_, used);
            data_ = std::move(larger);
        }
        begin_ = 0;
        end_ = used;
    }

    std::unique_ptr<char[]> data_;
    std::size_t capacity_ = 0;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace firn::service
