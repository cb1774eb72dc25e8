// firn::codecs::decimal, firn::codecs::hex: the two plain forms of an id as codecs, for code that works with
// any.
//
// The texts are those of text.hpp, which is what to use when the form is known: this is the same thing with
// the codecs' interface and without an allocation.
//
//     firn::codecs::decimal::format(firn::id{175928847299117063});     // "175928847299117063"
//     firn::codecs::hex::format(firn::id{255});                        // "00000000000000ff"
//     firn::codecs::hex::parse("00000000000000FF");                    // not_canonical, position 14
//     firn::codecs::hex::parse("00000000000000FF", {.accept = firn::codecs::spelling::lenient}).value;   //
//     255
#pragma once

#include "firn/codecs/integer_codec.hpp"

namespace firn::codecs {

inline constexpr auto decimal_alphabet = make_alphabet("0123456789");

using decimal = integer_codec<decimal_alphabet, text_width::shortest>;
using hex = integer_codec<hex_alphabet, text_width::fixed>;
static_assert(decimal::max_size == 20 && hex::max_size == 16);

}  // namespace firn::codecs
