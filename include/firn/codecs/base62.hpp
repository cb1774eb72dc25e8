// firn::codecs::base62: ids in base 62, digits first (0-9, A-Z, a-z: the order of ASCII), at most 11
// characters.
//
// Texts are the shortest there are, without leading zeros, so they sort as ids do only among texts of one
// length. There are base 62 alphabets with letters first: nothing in a text tells them apart, and they are
// not read.
//
//     firn::codecs::base62::format(firn::id{1593572310593806338});
//     firn::codecs::base62::parse("LygHa16AHYF").value;                // 18446744073709551615
//     firn::codecs::base62::parse("LygHa16AHYG");                      // overflow, position 10
//     firn::codecs::base62::parse("01");                               // not_canonical, position 0
#pragma once

#include "firn/codecs/integer_codec.hpp"

namespace firn::codecs {

inline constexpr auto base62_alphabet =
    make_alphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");

using base62 = integer_codec<base62_alphabet, text_width::shortest>;
static_assert(base62::max_size == 11);

}  // namespace firn::codecs
