// The 96, 128 and 160-bit formats: ids with known meaning, the largest and smallest, and what is rejected
// where.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "firn/codecs/batch.hpp"
#include "firn/formats/ksuid.hpp"
#include "firn/formats/object_id.hpp"
#include "firn/formats/ulid.hpp"
#include "firn/formats/uuidv7.hpp"
#include "firn/formats/xid.hpp"
#include "firn/rfc3339.hpp"

namespace {

using namespace firn::formats;
using firn::rfc3339;
using firn::text_fault;
using firn::codecs::spelling;

template <class Format>
void expect_rejected(std::string_view text, text_fault fault, std::uint32_t position,
                     spelling accept = spelling::canonical) {
    const auto p = Format::parse(text, accept);
    EXPECT_FALSE(p) << "accepted \"" << text << '"';
    EXPECT_STREQ(p.reason(), firn::reason_of(fault)) << '"' << text << '"';
    EXPECT_EQ(p.position, position) << '"' << text << '"';
    EXPECT_EQ(p.value, Format{}) << '"' << text << '"';
}

// RFC 9562, appendix A.6.
TEST(uuidv7_format, rfc_test_vector) {
    const std::string_view as_printed = "017F22E2-79B0-7CC3-98C4-DC0C0C07398F";
    const auto p = uuidv7::parse(as_printed, spelling::lenient);
    ASSERT_TRUE(p);
    EXPECT_EQ(p.value.unix_ms(), 1645557742000);
    EXPECT_EQ(rfc3339(p.value.time()), "2022-02-22T19:22:22.000Z");
    EXPECT_EQ(p.value.rand_a(), 0xCC3U);
    EXPECT_EQ(p.value.rand_b(), 0x18C4DC0C0C07398FU);
    EXPECT_EQ(p.value.as_uuid().version(), 7U);
    EXPECT_EQ(uuidv7::of(0x017F22E279B0, 0xCC3, 0x18C4DC0C0C07398F), p.value);
    EXPECT_EQ(p.value.format().view(), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
    EXPECT_EQ(uuidv7::parse(p.value.format()).value, p.value);
    // Canonical is lower case, so the appendix's own spelling needs the lenient reader.
    expect_rejected<uuidv7>(as_printed, text_fault::not_canonical, 3);
}

TEST(uuidv7_format, rejects) {
    expect_rejected<uuidv7>("", text_fault::empty, 0);
    expect_rejected<uuidv7>("017f22e2-79b0-4cc3-98c4-dc0c0c07398f", text_fault::other_kind, 14);
    expect_rejected<uuidv7>("017f22e2-79b0-7cc3-18c4-dc0c0c07398f", text_fault::other_kind, 19);
    expect_rejected<uuidv7>("017f22e2-79b0-7cc3-c8c4-dc0c0c07398f", text_fault::other_kind, 19);
    expect_rejected<uuidv7>("017f22e279b07cc398c4dc0c0c07398f", text_fault::bad_character, 8);
    expect_rejected<uuidv7>("{17f22e2-79b0-7cc3-98c4-dc0c0c07398}", text_fault::bad_character, 0);
    expect_rejected<uuidv7>("017f22e2-79b0-7cc3-98c4-dc0c0c07398", text_fault::too_short, 35);
    expect_rejected<uuidv7>("017f22e2-79b0-7cc3-98c4-dc0c0c07398f0", text_fault::too_long, 36);
    expect_rejected<uuidv7>("017f22e2-79b0-7cc3-98c4-dc0c0c07398g", text_fault::bad_character, 35);
    expect_rejected<uuidv7>("017f22e2-79b0-7cc3-98c4-dc0c0c-7398f", text_fault::bad_character, 30);
    // Any UUID is still a uuid.
    EXPECT_EQ(uuid::parse("919108f7-52d1-4320-9bac-f847db4148a8").value.version(), 4U);
    EXPECT_FALSE(uuid::parse("00000000-0000-0000-0000-000000000000").value.has_rfc_variant());
}

TEST(ulid_format, known_ids) {
    const auto p = ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
    ASSERT_TRUE(p);
    EXPECT_EQ(p.value.unix_ms(), 1469922850259);
    EXPECT_EQ(rfc3339(p.value.time()), "2016-07-30T23:54:10.259Z");
    EXPECT_EQ(p.value.format().view(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    EXPECT_EQ(ulid::parse("01arz3ndektsv4rrffq69g5fav", spelling::lenient).value, p.value);
    EXPECT_EQ(ulid::parse("O1ARZ3NDEKTSV4RRFFQ69G5FAV", spelling::lenient).value, p.value);
}

// "Overflow Errors when Parsing Base32 Strings" of the specification.
TEST(ulid_format, does_not_overflow) {
    const auto largest = ulid::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    ASSERT_TRUE(largest);
    EXPECT_EQ(largest.value.unix_ms(), 281474976710655);
    EXPECT_EQ(largest.value, ulid::of(0xffffffffffff, 0xffff, ~std::uint64_t{0}));
    expect_rejected<ulid>("80000000000000000000000000", text_fault::overflow, 0);
    expect_rejected<ulid>("ZZZZZZZZZZZZZZZZZZZZZZZZZZ", text_fault::overflow, 0);
}

TEST(ulid_format, rejects) {
    expect_rejected<ulid>("", text_fault::empty, 0);
    expect_rejected<ulid>("01arz3ndektsv4rrffq69g5fav", text_fault::not_canonical, 2);
    expect_rejected<ulid>("01ARZ3NDEKTSV4RRFFQ69G5FAU", text_fault::bad_character, 25, spelling::lenient);
    expect_rejected<ulid>("01ARZ3NDEKTSV4RRFFQ69G5FA", text_fault::too_short, 25);
    expect_rejected<ulid>("01ARZ3NDEKTSV4RRFFQ69G5FAV ", text_fault::too_long, 26);
}

// github.com/segmentio/ksuid, README: "Inspect the components of a KSUID".
TEST(ksuid_format, known_ids) {
    const auto p = ksuid::parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
    ASSERT_TRUE(p);
    EXPECT_EQ(p.value.seconds(), 107608047);
    EXPECT_EQ(rfc3339(p.value.time()), "2017-10-10T04:00:47.000Z");
    EXPECT_EQ(p.value.payload_high(), 0xB5A1CD34B5F99D11U);
    EXPECT_EQ(p.value.payload_low(), 0x54FB6853345C9735U);
    EXPECT_EQ(p.value.format().view(), "0ujtsYcgvSTl8PAuAdqWYSMnLOv");
    EXPECT_EQ(ksuid::parse("0ujzPyRiIAffKhBux4PvQdDqMHY").value.seconds(), 107610780);
}

TEST(ksuid_format, limits) {
    const auto largest = ksuid::parse("aWgEPTl1tmebfsQzFP4bxwgy80V");
    ASSERT_TRUE(largest);
    EXPECT_EQ(largest.value, ksuid::of(0xffffffff, ~std::uint64_t{0}, ~std::uint64_t{0}));
    EXPECT_EQ(ksuid{}.format().view(), "000000000000000000000000000");
    expect_rejected<ksuid>("aWgEPTl1tmebfsQzFP4bxwgy80W", text_fault::overflow, 26);
    expect_rejected<ksuid>("aWgEPTl1tmebfsQzFP4bxwgy90V", text_fault::overflow, 24);
    expect_rejected<ksuid>("b00000000000000000000000000", text_fault::overflow, 0);
    expect_rejected<ksuid>("0ujtsYcgvSTl8PAuAdqWYSMnLO", text_fault::too_short, 26);
    expect_rejected<ksuid>("0ujtsYcgvSTl8PAuAdqWYSMnLOvx", text_fault::too_long, 27);
    expect_rejected<ksuid>("0ujtsYcgvSTl8PAuAdqWYSMnLO-", text_fault::bad_character, 26);
    expect_rejected<ksuid>("", text_fault::empty, 0);
}

// github.com/rs/xid, id_test.go.
TEST(xid_format, known_ids) {
    const auto p = xid::parse("9m4e2mr0ui3e8a215n4g");
    ASSERT_TRUE(p);
    EXPECT_EQ(p.value.unix_s(), 1300816219);
    EXPECT_EQ(p.value.machine(), 0x60f486U);
    EXPECT_EQ(p.value.process(), 0xe428U);
    EXPECT_EQ(p.value.counter(), 4271561U);
    EXPECT_EQ(p.value, (xid{{{0x4d, 0x88, 0xe1, 0x5b, 0x60, 0xf4, 0x86, 0xe4, 0x28, 0x41, 0x2d, 0xc9}}}));
    EXPECT_EQ(p.value.format().view(), "9m4e2mr0ui3e8a215n4g");
    EXPECT_EQ(xid{}.format().view(), "00000000000000000000");
}

TEST(xid_format, rejects) {
    expect_rejected<xid>("", text_fault::empty, 0);
    expect_rejected<xid>("c6e52g2mrqcjl44hf179", text_fault::not_canonical, 19);
    expect_rejected<xid>("9m4e2mr0ui3e8a215n4h", text_fault::not_canonical, 19);
    expect_rejected<xid>("9M4E2MR0UI3E8A215N4G", text_fault::bad_character, 1);
    expect_rejected<xid>("9m4e2mr0ui3e8a215n4w", text_fault::bad_character, 19);
    expect_rejected<xid>("9m4e2mr0ui3e8a215n4", text_fault::too_short, 19);
    expect_rejected<xid>("9m4e2mr0ui3e8a215n4g0", text_fault::too_long, 20);
    EXPECT_EQ(xid::parse("vvvvvvvvvvvvvvvvvvvg").value, xid::of(0xffffffff, 0xffffff, 0xffff, 0xffffff));
}

TEST(object_id_format, known_ids) {
    const auto p = object_id::parse("507f1f77bcf86cd799439011");
    ASSERT_TRUE(p);
    EXPECT_EQ(rfc3339(p.value.time()), "2012-10-17T21:13:27.000Z");
    EXPECT_EQ(p.value.counter(), 4427793U);
    EXPECT_EQ(p.value.process(), 0xbcf86cd799U);
    EXPECT_EQ(p.value.format().view(), "507f1f77bcf86cd799439011");
}

// "Test Plan" of MongoDB's specification: the seconds are unsigned.
TEST(object_id_format, seconds_are_unsigned) {
    const std::array<std::pair<std::string_view, std::string_view>, 4> plan{
        {{"000000000000000000000000", "1970-01-01T00:00:00.000Z"},
         {"7fffffff0000000000000000", "2038-01-19T03:14:07.000Z"},
         {"800000000000000000000000", "2038-01-19T03:14:08.000Z"},
         {"ffffffff0000000000000000", "2106-02-07T06:28:15.000Z"}}};
    for (const auto& [text, time] : plan) EXPECT_EQ(rfc3339(object_id::parse(text).value.time()), time);
}

TEST(object_id_format, rejects) {
    expect_rejected<object_id>("", text_fault::empty, 0);
    expect_rejected<object_id>("507F1f77bcf86cd799439011", text_fault::not_canonical, 3);
    EXPECT_TRUE(object_id::parse("507F1F77BCF86CD799439011", spelling::lenient));
    expect_rejected<object_id>("507f1f77bcf86cd79943901g", text_fault::bad_character, 23);
    expect_rejected<object_id>("507f1f77bcf86cd79943901", text_fault::too_short, 23);
    expect_rejected<object_id>("507f1f77bcf86cd7994390110", text_fault::too_long, 24);
}

TEST(formats, work_at_compile_time_and_in_batches) {
    static_assert(ulid::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ").value.unix_ms() == 281474976710655);
    static_assert(object_id::parse("507f1f77bcf86cd799439011").value.counter() == 4427793);
    static_assert(xid::parse("9m4e2mr0ui3e8a215n4g").value.format() == "9m4e2mr0ui3e8a215n4g");

    const std::array<ksuid, 2> ids{ksuid::of(1, 2, 3), ksuid::of(4, 5, 6)};
    std::array<char, 64> out{};
    const auto w = firn::codecs::format_many<ksuid>(ids, out);
    EXPECT_EQ(w.count, 2U);
    EXPECT_EQ(w.size, 56U);
    std::array<ksuid, 3> back{};
    const auto r = firn::codecs::parse_many<ksuid>({out.data(), w.size}, back);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.count, 2U);
    EXPECT_EQ(back[0], ids[0]);
    EXPECT_EQ(back[1], ids[1]);
}

}  // namespace
