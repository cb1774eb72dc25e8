// firn::audit::parse: from a chunk's bytes to ids.
//
// Strict: what firn::parse_decimal (text.hpp) takes, one on a line; a line ends with \n or \r\n. Numbers of
// all 64 bits are taken: a duplicate is a duplicate, whatever the layout says of its highest bit.
//
//     batch b;
//     parse(c, input_form::csv, on_bad::skip, b);
#pragma once

#include <string>
#include <string_view>

#include "audit/batch.hpp"
#include "audit/chunk.hpp"
#include "audit/chunk_source.hpp"

namespace firn::audit {

enum class on_bad : std::uint8_t {
    stop,  ///< The first record that is no id ends the batch, and batch::bad says why.
    skip   ///< They are counted.
};

/// Replaces what is in `out` by the ids of `c`. Threads: pure. Cost: allocates when `out` has to grow.
void parse(const chunk& c, input_form form, on_bad policy, batch& out);

/// Why `text` is no id, in words, with the text itself (shortened, control characters shown).
std::string describe_bad_id(std::string_view text);

}  // namespace firn::audit
