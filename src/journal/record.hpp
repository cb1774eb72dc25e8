// A journal's durable record: which slots are reserved, for which layout and machine. docs/formats.md has the
// bytes.
//
// Not for users. Two records alternate in the file `ceiling`, so that a torn write leaves the other one.
//
//     const auto bytes = firn::detail::encode(record);
//     const auto read = firn::detail::decode(bytes);         // read.state says whether to believe it
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firn/layout.hpp"
#include "firn/slot.hpp"

namespace firn::detail {

/// The kernel's random name for one boot (/proc/sys/kernel/random/boot_id), as two words. Zero: unknown.
struct boot_id {
    std::uint64_t high = 0;
    std::uint64_t low = 0;

    friend constexpr bool operator==(const boot_id&, const boot_id&) noexcept = default;
};

struct journal_record {
    std::uint64_t number = 0;  ///< Rises by one with each record; the higher intact one counts.
    boot_id boot;              ///< The boot in which it was written.
    firn::layout layout;       ///< Its name and machine_parts do not count and are not kept.
    std::uint64_t machine = 0;
    slot cursor = no_slot;  ///< The cursor when it was written.
    slot ceiling{0};        ///< The first slot that it does not reserve.
    bool clean = false;     ///< Written by the last user at a clean stop: nothing above `cursor` was issued.

    friend constexpr bool operator==(const journal_record&, const journal_record&) noexcept = default;
};

/// One disk sector: the unit that a disk writes whole or not at all, in the hopeful case. The checksum is for
/// the other one.
inline constexpr std::size_t record_size = 512;
/// Records lie a page apart, so that writing one never touches the page of the other.
inline constexpr std::size_t record_stride = 4096;
inline constexpr std::uint32_t format_version = 1;

using record_bytes = std::array<std::byte, record_size>;

enum class record_state : std::uint8_t {
    absent,   ///< There is no file.
    damaged,  ///< The checksum, or a field, is wrong.
    newer,    ///< Intact, by a later version of the format.
    intact
};

struct record_read {
    record_state state = record_state::absent;
    journal_record record;
    std::uint32_t version = 0;  ///< As found, when intact or newer.
};

record_bytes encode(const journal_record& r) noexcept;
record_read decode(std::span<const std::byte, record_size> bytes) noexcept;

/// CRC-32C (Castagnoli; RFC 3720, appendix B.4 has test vectors).
std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept;

/// Whether the two name the same ids: all that decides a slot's meaning, and nothing else.
bool same_identity(const journal_record& r, const layout& l, std::uint64_t machine) noexcept;

}  // namespace firn::detail
