// The journal's durable record: what is written is what is read, and nothing else is believed.
#include "src/journal/record.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <string_view>
#include <vector>

#include "firn/layouts.hpp"

namespace firn::detail {
namespace {

journal_record some_record() {
    return {.number = 0x0102030405060708,
            .boot = {.high = 0x1111111122222222, .low = 0x3333333344444444},
            .layout = layouts::twitter,
            .machine = 7,
            .cursor = slot{123'456'789},
            .ceiling = slot{123'999'999},
            .clean = true};
}

/// As decode() gives it back: a name is not kept.
journal_record nameless(journal_record r) {
    r.layout.name = {};
    r.layout.machine_parts = {};
    return r;
}

void set_checksum(record_bytes& bytes) {
    constexpr std::size_t at = 12;
    std::memset(bytes.data() + at, 0, 4);
    const std::uint32_t sum = crc32c(bytes);
    std::memcpy(bytes.data() + at, &sum, sizeof sum);
}

std::uint32_t crc_of(const std::vector<unsigned>& values) {
    std::vector<std::byte> bytes;
    for (const unsigned v : values) bytes.push_back(static_cast<std::byte>(v));
    return crc32c(bytes);
}

// RFC 3720, appendix B.4. The RFC prints the bytes as they are sent, least significant first.
TEST(Crc32c, VectorsOfRfc3720) {
    EXPECT_EQ(crc_of(std::vector<unsigned>(32, 0x00)), 0x8A9136AAU);
    EXPECT_EQ(crc_of(std::vector<unsigned>(32, 0xFF)), 0x62A8AB43U);
    std::vector<unsigned> rising(32);
    std::iota(rising.begin(), rising.end(), 0U);
    EXPECT_EQ(crc_of(rising), 0x46DD794EU);
    EXPECT_EQ(crc_of({rising.rbegin(), rising.rend()}), 0x113FDB5CU);
    // An iSCSI SCSI Read (10) command PDU.
    EXPECT_EQ(crc_of({0x01, 0xC0, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                      0x00, 0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0x00,
                      0x00, 0x00, 0x00, 0x14, 0x00, 0x00, 0x00, 0x18, 0x28, 0x00, 0x00, 0x00,
                      0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}),
              0xD9963A56U);
    EXPECT_EQ(crc_of({}), 0U);
}

TEST(Record, ReadsBackWhatWasWritten) {
    for (const layout& l : {layouts::twitter, layouts::discord, layouts::sonyflake}) {
        journal_record r = some_record();
        r.layout = l;
        const record_read read = decode(encode(r));
        ASSERT_EQ(read.state, record_state::intact) << l.name.view();
        EXPECT_EQ(read.record, nameless(r)) << l.name.view();
        EXPECT_EQ(read.version, format_version);
        EXPECT_TRUE(same_identity(read.record, l, 7));
    }
}

TEST(Record, BytesAreThoseOfTheFormat) {
    const record_bytes bytes = encode(some_record());
    EXPECT_EQ(std::string_view(reinterpret_cast<const char*>(bytes.data()), 8), "firnjrnl");
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(bytes[i]); };
    EXPECT_EQ(byte(8), 1U);      // version, little-endian
    EXPECT_EQ(byte(16), 0x08U);  // number
    EXPECT_EQ(byte(23), 0x01U);
    EXPECT_EQ(byte(40), 1U);  // widths
    EXPECT_EQ(byte(41), 41U);
    EXPECT_EQ(byte(42), 10U);
    EXPECT_EQ(byte(43), 12U);
    EXPECT_EQ(byte(45), 1U);  // clean
    EXPECT_EQ(byte(64), 7U);  // machine
    for (std::size_t i = 88; i < record_size; ++i) EXPECT_EQ(byte(i), 0U) << i;
}

TEST(Record, NothingHandedOutYetCanBeTold) {
    const journal_record first{.number = 1, .boot = {}, .layout = layouts::twitter, .machine = 0};
    const record_read read = decode(encode(first));
    EXPECT_EQ(read.state, record_state::intact);
    EXPECT_EQ(read.record.cursor, no_slot);
    EXPECT_EQ(read.record.ceiling, slot{0});
}

TEST(Record, EveryFlippedBitIsNoticed) {
    const record_bytes good = encode(some_record());
    for (std::size_t bit = 0; bit < record_size * 8; ++bit) {
        record_bytes bad = good;
        bad[bit / 8] ^= std::byte{1} << (bit % 8);
        ASSERT_EQ(decode(bad).state, record_state::damaged) << "bit " << bit;
    }
}

// A write that was cut short anywhere leaves the old record, the new one, or one that is not believed.
TEST(Record, EveryTornPrefixIsOldOrNewOrDamaged) {
    journal_record older = some_record();
    journal_record newer = some_record();
    older.number -= 2;
    older.cursor = slot{5};
    newer.boot.low += 1;
    const record_bytes was = encode(older);
    const record_bytes is = encode(newer);
    unsigned damaged = 0;
    for (std::size_t written = 0; written <= record_size; ++written) {
        record_bytes torn = was;
        std::copy_n(is.begin(), written, torn.begin());
        const record_read read = decode(torn);
        if (read.state == record_state::damaged) {
            ++damaged;
            continue;
        }
        ASSERT_EQ(read.state, record_state::intact) << written;
        EXPECT_TRUE(read.record == nameless(older) || read.record == nameless(newer)) << written;
    }
    EXPECT_GT(damaged, 50U);
    // … and over a place that was never written.
    for (std::size_t written = 0; written < 88; ++written) {
        record_bytes torn{};
        std::copy_n(is.begin(), written, torn.begin());
        const record_read read = decode(torn);
        EXPECT_TRUE(read.state == record_state::damaged || read.record == nameless(newer)) << written;
    }
}

TEST(Record, EmptyPlaceIsNoRecord) {
    EXPECT_EQ(decode(record_bytes{}).state, record_state::damaged);
}

TEST(Record, LaterVersionIsToldFromDamage) {
    record_bytes bytes = encode(some_record());
    bytes[8] = std::byte{2};
    EXPECT_EQ(decode(bytes).state, record_state::damaged);  // its checksum is of version 1
    bytes[400] = std::byte{99};                             // whatever it may keep where we keep nothing
    set_checksum(bytes);
    const record_read read = decode(bytes);
    EXPECT_EQ(read.state, record_state::newer);
    EXPECT_EQ(read.version, 2U);
}

TEST(Record, NonsenseWithAGoodChecksumIsNotBelieved) {
    const auto state_with = [](std::size_t at, unsigned value) {
        record_bytes bytes = encode(some_record());
        bytes[at] = static_cast<std::byte>(value);
        set_checksum(bytes);
        return decode(bytes).state;
    };
    EXPECT_EQ(state_with(8, 1), record_state::intact);
    EXPECT_EQ(state_with(8, 0), record_state::damaged);      // version 0
    EXPECT_EQ(state_with(41, 40), record_state::damaged);    // 63 bits
    EXPECT_EQ(state_with(44, 2), record_state::damaged);     // an order of fields that there is not
    EXPECT_EQ(state_with(79, 0xFF), record_state::damaged);  // a cursor below none
    EXPECT_EQ(state_with(87, 0x7F), record_state::damaged);  // a ceiling past the layout's end

    journal_record r = some_record();
    r.ceiling = r.cursor;
    EXPECT_EQ(decode(encode(r)).state, record_state::damaged);
    r.machine = 1024;
    r.ceiling = slot{r.cursor.value + 1};
    EXPECT_EQ(decode(encode(r)).state, record_state::damaged);
}

TEST(Record, IdentityIsAllThatDecidesASlotsMeaning) {
    const journal_record r = decode(encode(some_record())).record;
    layout l = layouts::twitter;
    EXPECT_TRUE(same_identity(r, l, 7));
    l.name = "another name";
    EXPECT_TRUE(same_identity(r, l, 7));
    EXPECT_FALSE(same_identity(r, l, 8));
    l.epoch_ms += 1;
    EXPECT_FALSE(same_identity(r, l, 7));
    l = layouts::twitter;
    l.tick_us = 10'000;
    EXPECT_FALSE(same_identity(r, l, 7));
    l = layouts::twitter;
    l.order = field_order::time_sequence_machine;
    EXPECT_FALSE(same_identity(r, l, 7));
    l = layouts::twitter;
    l.machine_bits -= 1;
    l.sequence_bits += 1;
    EXPECT_FALSE(same_identity(r, l, 7));
}

}  // namespace
}  // namespace firn::detail
