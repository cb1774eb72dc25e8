// firn::codecs::base32: ids in Crockford's base 32, always 13 characters, so that text order is id order.
//
// No letter is taken for another (I, L, O and U are not used). Not RFC 4648's base32, and no check symbol.
// Hyphens, which Crockford lets readers skip, are not accepted in either spelling: one id has one text.
// Canonical is upper case; lenient also reads lower case, and I and L as 1, O as 0.
// Source: D. Crockford, "Base 32", https://www.crockford.com/base32.html (symbol table, decode column).
//
//     firn::codecs::base32::format(firn::id{1593572310593806338});     // "1C7C1JB4DF802"
//     firn::codecs::base32::parse("1C7C1JB4DF802").value;              // 1593572310593806338
//     firn::codecs::base32::parse("1c7c1jb4df8o2");                    // not_canonical, position 1
//     firn::codecs::base32::parse("1c7c1jb4df8o2", {.accept = firn::codecs::spelling::lenient});
#pragma once

#include "firn/codecs/integer_codec.hpp"

namespace firn::codecs {

inline constexpr auto crockford_alphabet = make_alphabet("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
                                               .with_either_case()
                                               .with_alias('I', '1')
                                               .with_alias('i', '1')
                                               .with_alias('L', '1')
                                               .with_alias('l', '1')
                                               .with_alias('O', '0')
                                               .with_alias('o', '0');

using base32 = integer_codec<crockford_alphabet, text_width::fixed>;
static_assert(base32::max_size == 13);

}  // namespace firn::codecs
