// A thread's own block of slots, for order::thread_blocks. Not for users.
//
// A block is claimed with one atomic step, belongs to one thread of one process and one tick, and what is
// left of it is dropped when any of the three changes. It starts at one slot and doubles while it is used up
// within a tick, so that an idle thread burns no sequence numbers and low bits do not pile up.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "firn/slot.hpp"

namespace firn::detail {

struct thread_block {
    static constexpr std::uint32_t largest = 1024;

    std::uint64_t owner = 0;  ///< Which issuer's; 0 is nobody's.
    std::uint64_t fork_epoch = 0;
    tick claimed_at{-1};  ///< What the wall read when it was claimed.
    slot next;
    slot end;
    std::uint32_t size = 0;  ///< As claimed.
};

/// The calling thread's block of issuer `owner`. A thread that uses more issuers than there are places shares
/// them by turns, and loses a block at each turn: slower, never wrong.
inline thread_block& block_of(std::uint64_t owner) noexcept {
    static constexpr std::size_t places = 8;
    static thread_local constinit std::array<thread_block, places> blocks{};
    return blocks[owner % places];
}

/// A number that no other issuer of this process has or had.
inline std::uint64_t new_owner() noexcept {
    static std::atomic<std::uint64_t> last{0};
    return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

}  // namespace firn::detail
