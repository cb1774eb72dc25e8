// firn::codecs::text_buffer: a text of at most N characters, by value, without an allocation.
//
// What the codecs return. Not a string class: it holds a text and gives it as a string_view, which lives as
// long as the buffer does.
//
//     auto text = firn::codecs::base62::format(firn::id{175928847299117063});
//     std::cout << text << '\n';
//     std::string copy{text.view()};
#pragma once

#include <array>
#include <cstddef>
#include <ostream>
#include <string_view>

namespace firn::codecs {

template <std::size_t N>
class text_buffer {
  public:
    constexpr text_buffer() noexcept = default;

    constexpr std::string_view view() const noexcept { return {characters_.data(), size_}; }
    constexpr operator std::string_view() const noexcept { return view(); }
    constexpr std::size_t size() const noexcept { return size_; }

    /// For writers: N characters of room, and how many of them are the text.
    constexpr char* data() noexcept { return characters_.data(); }
    constexpr void resize(std::size_t size) noexcept { size_ = size; }

    friend constexpr bool operator==(const text_buffer& a, const text_buffer& b) noexcept {
        return a.view() == b.view();
    }
    friend constexpr bool operator==(const text_buffer& a, std::string_view b) noexcept {
        return a.view() == b;
    }
    friend std::ostream& operator<<(std::ostream& out, const text_buffer& text) { return out << text.view(); }

  private:
    std::array<char, N> characters_{};
    std::size_t size_ = 0;
};

}  // namespace firn::codecs
