// firn::audit::locate: reads the inputs again and tells where some ids stand.
//
//     source.rewind();
//     auto places = locate(source, {.threads = 2}, repeats, 10, stop);
//     places[0].found;  places[0].first[0].line;
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/repeats.hpp"
#include "audit/scan.hpp"

namespace firn::audit {

struct place {
    std::uint32_t file = 0;
    std::uint64_t line = 0;  ///< From 1; of raw input the number of the record.

    friend constexpr auto operator<=>(const place&, const place&) noexcept = default;
};

struct places {
    std::uint64_t found = 0;   ///< How often the id was seen.
    std::vector<place> first;  ///< The first of them, in the order of the input.
};

/// For each of `ids`, up to `most` places. Memory: about 16 bytes a place and thread.
/// Errors: those of scan().
std::vector<places> locate(chunk_source& source, const scan_options& options, std::span<const repeat> ids,
                           std::size_t most, interruption& stop);

}  // namespace firn::audit
