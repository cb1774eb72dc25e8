// lab::place: one of the two places of a journal's records, on a simulated disk under a page cache.
//
// A write is visible at once and durable only after a sync. Until then the disk may hold the old bytes, any
// of the writes since, or a torn mixture; a power loss decides. Two things are taken for granted, as SQLite's
// "powersafe overwrite" does: bytes that a write does not change are not damaged by it, and a write to one
// place does not damage the other.
//
//     lab::place p;
//     p.write(record);                                       // visible
//     p.settle(lab::fate::torn, 0);                          // the power goes: neither old nor new
#pragma once

#include <array>
#include <cstdint>

#include "firn/layout.hpp"
#include "src/journal/record.hpp"

namespace firn::lab {

/// What a place holds, but for what is the same in every record of a world (layout, machine).
struct kept {
    detail::record_state state = detail::record_state::damaged;
    bool clean = false;
    std::uint32_t boot = 0;
    std::uint64_t number = 0;
    std::int64_t cursor = -1;
    std::int64_t ceiling = 0;

    friend bool operator==(const kept&, const kept&) noexcept = default;
};

/// The simulated kernel's name for its n-th boot, and back; 0 for a name that is none of its.
constexpr detail::boot_id boot_of(std::uint32_t n) noexcept {
    return {.high = 0xF19'1AB, .low = n};
}
constexpr std::uint32_t boot_number(std::uint64_t high, std::uint64_t low) noexcept {
    return high == boot_of(0).high && low < 0xFFFF'FFFF ? static_cast<std::uint32_t>(low) : 0;
}

detail::journal_record record_of(const kept& k, const layout& l, std::uint64_t machine) noexcept;
kept kept_of(const detail::journal_record& r) noexcept;

/// What becomes of the writes that were not synced.
enum class fate : std::uint8_t {
    old,     ///< The disk keeps what it had.
    first,   ///< Only the first of them arrived.
    newest,  ///< All arrived.
    torn     ///< The newest arrived in part.
};

struct place {
    kept durable;
    kept visible;
    /// The writes since the last sync, without repetitions.
    std::array<kept, 3> pending{};
    std::uint8_t count = 0;

    void write(const kept& k) noexcept;
    /// They are durable now.
    void synced() noexcept;
    /// Decides what the disk holds, and forgets the rest; what is visible stays. Torn: the first `cut` bytes
    /// of the newest over the old ones, as decode() reads that; 0: undecodable.
    void settle(fate f, unsigned cut, const layout& l, std::uint64_t machine) noexcept;
    /// Whether the disk may hold something else than `durable`.
    bool undecided() const noexcept;
};

}  // namespace firn::lab
