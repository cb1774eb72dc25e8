// lab::host: one computer, as far as a journal sees it. Plain data; world.hpp says what happens to it.
//
// Its mapped page survives a kill and not a power loss; its locks are freed when their holder dies; its disk
// is two places of records (place.hpp) and the name of the journal in its directory.
#pragma once

#include <array>
#include <cstdint>

#include "lab/journal/place.hpp"

namespace firn::lab {

/// The words of detail::journal_page. boot is 0 when the stamp is no boot of this host's.
struct page_words {
    std::int64_t cursor = -1;
    std::int64_t ceiling = 0;
    std::uint64_t durable_number = 0;
    std::uint32_t boot = 0;

    friend bool operator==(const page_words&, const page_words&) noexcept = default;
};

struct host {
    static constexpr std::int8_t nobody = -1;

    std::uint32_t boot = 1;
    page_words page;
    std::array<place, 2> places{};
    std::int8_t lock = nobody;  ///< Who has it.

    bool exists = false;        ///< The journal's name can be seen.
    bool name_durable = false;  ///< It outlives a power loss.

    bool records_error = false;  ///< A write-back failed, and no sync has said so yet.
    bool page_error = false;     ///< The same of the mapped page,
    bool page_stale = false;  ///< and it was not stored to since: dropped from memory, an older one is read.
    bool page_trouble = false;  ///< Any of that in this boot.
};

}  // namespace firn::lab
