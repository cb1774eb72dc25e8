#include "src/journal/record.hpp"

#include <bit>
#include <cstring>

namespace firn::detail {

namespace {

constexpr std::array<char, 8> magic{'f', 'i', 'r', 'n', 'j', 'r', 'n', 'l'};

/// The bytes as they lie in the file, little-endian, every field aligned so that there is no padding.
struct on_disk {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t checksum;  // of the whole sector, with this field 0
    std::uint64_t number;
    std::uint64_t boot_high;
    std::uint64_t boot_low;
    std::uint8_t reserved_bits;
    std::uint8_t timestamp_bits;
    std::uint8_t machine_bits;
    std::uint8_t sequence_bits;
    std::uint8_t order;
    std::uint8_t clean;
    std::uint16_t zero;
    std::int64_t tick_us;
    std::int64_t epoch_ms;
    std::uint64_t machine;
    std::int64_t cursor;
    std::int64_t ceiling;
};
static_assert(sizeof(on_disk) == 88 && std::has_unique_object_representations_v<on_disk>);
static_assert(std::endian::native == std::endian::little,
              "firn: the journal's format is little-endian, and so are the machines it is written for");

constexpr auto crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
        table[byte] = crc;
    }
    return table;
}();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes) noexcept {
    std::uint32_t crc = ~0U;
    for (const std::byte b : bytes)
        crc = (crc >> 8) ^ crc_table[(crc ^ std::to_integer<std::uint32_t>(b)) & 0xFF];
    return ~crc;
}

record_bytes encode(const journal_record& r) noexcept {
    on_disk d{};
    d.magic = magic;
    d.version = format_version;
    d.number = r.number;
    d.boot_high = r.boot.high;
    d.boot_low = r.boot.low;
    d.reserved_bits = r.layout.reserved_bits;
    d.timestamp_bits = r.layout.timestamp_bits;
    d.machine_bits = r.layout.machine_bits;
    d.sequence_bits = r.layout.sequence_bits;
    d.order = static_cast<std::uint8_t>(r.layout.order);
    d.clean = r.clean ? 1 : 0;
    d.tick_us = r.layout.tick_us;
    d.epoch_ms = r.layout.epoch_ms;
    d.machine = r.machine;
    d.cursor = r.cursor.value;
    d.ceiling = r.ceiling.value;

    record_bytes bytes{};
    std::memcpy(bytes.data(), &d, sizeof d);
    d.checksum = crc32c(bytes);
    std::memcpy(bytes.data(), &d, sizeof d);
    return bytes;
}

record_read decode(std::span<const std::byte, record_size> bytes) noexcept {
    on_disk d{};
    std::memcpy(&d, bytes.data(), sizeof d);
    if (d.magic != magic) return {.state = record_state::damaged, .record = {}};

    record_bytes copy{};
    std::memcpy(copy.data(), bytes.data(), record_size);
    std::memset(copy.data() + offsetof(on_disk, checksum), 0, sizeof d.checksum);
    if (crc32c(copy) != d.checksum) return {.state = record_state::damaged, .record = {}};
    // Every version keeps magic, version and checksum where they are, so that a later one can be told from
    // damage.
    if (d.version > format_version) return {.state = record_state::newer, .record = {}, .version = d.version};

    record_read read{.state = record_state::intact, .record = {}, .version = d.version};
    read.record = {.number = d.number,
                   .boot = {.high = d.boot_high, .low = d.boot_low},
                   .layout = {.reserved_bits = d.reserved_bits,
                              .timestamp_bits = d.timestamp_bits,
                              .machine_bits = d.machine_bits,
                              .sequence_bits = d.sequence_bits,
                              .order = static_cast<field_order>(d.order),
                              .tick_us = d.tick_us,
                              .epoch_ms = d.epoch_ms},
                   .machine = d.machine,
                   .cursor = slot{d.cursor},
                   .ceiling = slot{d.ceiling},
                   .clean = d.clean != 0};
    // An intact checksum over nonsense is a bug of a writer, not of a disk; it is refused all the same.
    const bool sensible = d.version >= 1 && d.order <= 1 && fault_of(read.record.layout) == nullptr &&
                          d.machine <= read.record.layout.machine_max() && d.cursor >= no_slot.value &&
                          d.ceiling > d.cursor && slot{d.ceiling} <= read.record.layout.end_slot();
    if (!sensible) read.state = record_state::damaged;
    return read;
}

bool same_identity(const journal_record& r, const layout& l, std::uint64_t machine) noexcept {
    layout mine = l;
    mine.name = {};
    mine.machine_parts = {};
    layout theirs = r.layout;
    theirs.name = {};
    theirs.machine_parts = {};
    return mine == theirs && machine == r.machine;
}

}  // namespace firn::detail
