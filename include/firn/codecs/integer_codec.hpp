// firn::codecs::integer_codec: 64-bit numbers in an alphabet. base32.hpp, base58.hpp and base62.hpp are made
// of it, and what it offers is documented here for all three.
//
// `shortest` texts have no leading zero digit and sort as text only among those of one length; `fixed` texts
// have always the same length, so that text order is id order.
//
//     using codec = firn::codecs::base58_flickr;
//     auto text = codec::format(firn::id{1593572310593806338});      // no allocation; converts to
//     string_view if (auto p = codec::parse(text)) use(firn::id{p.value}); else log(p.reason(), p.position);
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "firn/codecs/base_n.hpp"
#include "firn/codecs/spelling.hpp"
#include "firn/codecs/text_buffer.hpp"
#include "firn/id.hpp"
#include "firn/text.hpp"

namespace firn::codecs {

template <const auto& Alphabet, text_width Width>
class integer_codec {
    using engine = base_n<Alphabet>;
    static constexpr std::uint64_t largest = ~std::uint64_t{0};

  public:
    using value_type = std::uint64_t;

    /// The characters of the longest text; with a fixed width, of every text.
    static constexpr std::size_t max_size = engine::digits_of(largest);

    /// Writes the text to `out`, which has room for max_size characters; returns its end. No terminating
    /// zero. Threads: pure. Cost: no allocation.
    static constexpr char* write(std::uint64_t value, char* out) noexcept {
        if constexpr (Width == text_width::fixed)
            return engine::write_fixed(value, out, max_size);
        else
            return engine::write_shortest(value, out);
    }

    /// The text by value. Threads: pure. Cost: no allocation.
    static constexpr text_buffer<max_size> format(std::uint64_t value) noexcept {
        text_buffer<max_size> text;
        text.resize(static_cast<std::size_t>(write(value, text.data()) - text.data()));
        return text;
    }
    static constexpr text_buffer<max_size> format(id i) noexcept { return format(i.value); }

    /// Reads a number from 0 to options.max.
    /// Errors: empty; bad_character; not_canonical (a leading zero digit where the width is the shortest, at
    /// 0; an alias, unless lenient); too_short, too_long (fixed width); overflow, at the first digit that
    /// makes it too large. Threads: pure. Cost: no allocation.
    static constexpr parsed parse(std::string_view text, parse_options options = {}) noexcept {
        if (text.empty()) return {.fault = text_fault::empty};
        if constexpr (Width == text_width::fixed) {
            const parsed p = engine::read(text.substr(0, max_size), options.max, Width, options.accept);
            if (p.fault == text_fault::bad_character || p.fault == text_fault::not_canonical) return p;
            if (text.size() < max_size)
                return {.fault = text_fault::too_short, .position = static_cast<std::uint32_t>(text.size())};
            if (text.size() > max_size)
                return {.fault = text_fault::too_long, .position = static_cast<std::uint32_t>(max_size)};
            return p;
        } else {
            const parsed p = engine::read(text, options.max, Width, options.accept);
            if (p && text.size() > 1 && text[0] == Alphabet.digits[0])
                return {.fault = text_fault::not_canonical, .position = 0};
            return p;
        }
    }
};

}  // namespace firn::codecs
