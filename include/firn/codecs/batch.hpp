// firn::codecs::format_many, parse_many: many texts at once, between the caller's buffers, without an
// allocation.
//
// Work with every codec of codecs/ and every format of formats/. Each text is ended by a separator (a line
// feed by default), so a stream can be worked through a buffer at a time. Nothing is buffered in between.
//
//     std::array<char, 1 << 16> out;
//     auto w = firn::codecs::format_many<firn::codecs::base62>(ids, out);         // w.count ids, w.size
//     characters std::array<std::uint64_t, 4096> values; auto r =
//     firn::codecs::parse_many<firn::codecs::base62>(text, values); if (!r) std::cerr << r.reason() << " at "
//     << r.position;
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "firn/text.hpp"

namespace firn::codecs {

struct batch_written {
    std::size_t count = 0;  ///< values written
    std::size_t size = 0;   ///< characters written, separators included
};

/// Writes each value and a separator after it, as long as there is room for the longest text and a separator.
/// Threads: pure. Cost: no allocation.
template <class Codec>
constexpr batch_written format_many(std::span<const typename Codec::value_type> values, std::span<char> out,
                                    char separator = '\n') noexcept {
    batch_written done;
    for (; done.count < values.size() && out.size() - done.size >= Codec::max_size + 1; ++done.count) {
        char* const at = out.data() + done.size;
        char* const end = Codec::write(values[done.count], at);
        *end = separator;
        done.size += static_cast<std::size_t>(end - at) + 1;
    }
    return done;
}

struct batch_read {
    std::size_t count = 0;  ///< values read
    std::size_t size = 0;   ///< characters used up: everything before it has been read
    text_fault fault = text_fault::none;
    std::size_t position = 0;  ///< of the fault, in the whole text

    constexpr explicit operator bool() const noexcept { return fault == text_fault::none; }
    constexpr const char* reason() const noexcept { return reason_of(fault); }
};

/// Reads values, each ended by the separator, until `out` is full, the text ends or one is wrong. What
/// follows the last separator is left unread (size tells from where), since the rest of it may be still to
/// come. `options` is what the codec's own parse() takes. Errors: the codec's; the values before it have been
/// read. Threads: pure. Cost: no allocation.
template <class Codec, class... Options>
constexpr batch_read parse_many(std::string_view text, std::span<typename Codec::value_type> out,
                                char separator = '\n', Options... options) noexcept {
    batch_read done;
    while (done.count < out.size()) {
        const std::size_t end = text.find(separator, done.size);
        if (end == std::string_view::npos) break;
        const auto one = Codec::parse(text.substr(done.size, end - done.size), options...);
        if (!one) {
            done.fault = one.fault;
            done.position = done.size + one.position;
            break;
        }
        out[done.count++] = one.value;
        done.size = end + 1;
    }
    return done;
}

}  // namespace firn::codecs
