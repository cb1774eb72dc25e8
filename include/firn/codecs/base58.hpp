// firn::codecs::base58_bitcoin, base58_flickr: ids in base 58, at most 11 characters, no look-alikes (0, O,
// I, l).
//
// The two differ in whether capitals or small letters come first, and nothing in a text tells them apart: say
// which one is meant. Texts are the shortest there are, without leading zero digits ("1"), so they sort as
// ids do only among texts of one length. Not Base58Check: no version, no checksum, and bytes have another
// meaning of "1". Sources: Bitcoin, src/base58.cpp (pszBase58); Flickr, "flic.kr" short photo URLs.
//
//     firn::codecs::base58_flickr::format(firn::id{9223372036854775807});                       //
//     "npL6MjP8Qfc" firn::codecs::base58_flickr::parse("npL6MjP8Qfd", {.max = firn::codecs::max_signed}); //
//     overflow, 10 firn::codecs::base58_flickr::parse("JPwcyDCgEuq"); // overflow: 2^64
//     firn::codecs::base58_flickr::parse("1npL6MjP8Qfc");                                       //
//     not_canonical, 0
#pragma once

#include "firn/codecs/integer_codec.hpp"

namespace firn::codecs {

inline constexpr auto bitcoin_alphabet =
    make_alphabet("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
inline constexpr auto flickr_alphabet =
    make_alphabet("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ");

using base58_bitcoin = integer_codec<bitcoin_alphabet, text_width::shortest>;
using base58_flickr = integer_codec<flickr_alphabet, text_width::shortest>;
static_assert(base58_bitcoin::max_size == 11 && base58_flickr::max_size == 11);

}  // namespace firn::codecs
