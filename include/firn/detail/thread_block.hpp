// A thread's own block of slots, claimed with one atomic step. Not for users: see order in issuer.hpp.
//
// A block belongs to one issuer, one thread of one process and one reading of the clock, and what is left of
// it is dropped when any of them changes. It starts at one slot and doubles while it is used up within a
// tick, so that an idle thread burns no sequence numbers and low bits do not pile up.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "firn/slot.hpp"

namespace firn::detail {

struct alignas(64) thread_block {
    std::uint64_t owner = 0;    ///< Which issuer's (high half), in which process (fork epoch); 0 is nobody's.
    std::uint64_t begin = 0;    ///< The reading of the clock that it belongs to holds from this count on …
    std::uint64_t length = 0;   ///< … for so many counts.
    std::int64_t watched = 0;   ///< What the issuer's watched word read when it was claimed.
    std::uint64_t next_id = 0;  ///< The next id of the run: the slots of the block that lie in one tick.
    std::uint64_t end_id = 0;   ///< Where the run ends.

    // Looked at when the run is over only.
    std::int64_t claimed_at = 0;  ///< The tick that the clock read when it was claimed.
    std::int64_t last = 0;        ///< Its last slot.
    std::uint32_t beyond = 0;     ///< How many slots the block has after the run.
    std::uint32_t size = 0;       ///< As claimed.
};

/// A number that no other issuer of this process has or had. Its low half is 0: a fork epoch goes there.
/// Visible, so that it is one count for all shared libraries, whose code may meet one thread's block.
[[gnu::visibility("default")]] inline std::uint64_t new_owner() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return (last.fetch_add(1, std::memory_order_relaxed) + 1) << 32;
}

/// How many issuers a thread can use by turns without losing a block at each turn. More is slower, never
/// wrong.
inline constexpr std::size_t block_places = 8;

/// The calling thread's block in a place.
inline thread_block& block_at(std::size_t place) noexcept {
    static thread_local constinit std::array<thread_block, block_places> blocks{};
    return blocks[place];
}

}  // namespace firn::detail
