// The 96, 128 and 160-bit formats and the rival generators against slow, obvious models.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "firn/formats/discord.hpp"
#include "firn/formats/ksuid.hpp"
#include "firn/formats/object_id.hpp"
#include "firn/formats/sonyflake.hpp"
#include "firn/formats/ulid.hpp"
#include "firn/formats/uuidv7.hpp"
#include "firn/formats/xid.hpp"

namespace {

using namespace firn::formats;
using firn::codecs::spelling;

/// Any bytes as an id of the format: a UUIDv7 has bits that are fixed.
template <class Format>
Format made_valid(const Format& id) {
    return id;
}
uuidv7 made_valid(const uuidv7& id) {
    return uuidv7::of(static_cast<std::uint64_t>(id.unix_ms()), id.rand_a(), id.rand_b());
}

template <class Format>
Format any_id() {
    Format id;
    for (auto& byte : id.bytes) byte = *rc::gen::arbitrary<std::uint8_t>();
    return made_valid(id);
}

/// The text of an id, in which nothing or one character is changed, lost or added.
template <class Format>
std::string near_text() {
    std::string text{any_id<Format>().format().view()};
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char other = *rc::gen::oneOf(rc::gen::elementOf(std::string{"0123456789abcdefvzABCFVZ-"}),
                                       rc::gen::arbitrary<char>());
    switch (*rc::gen::inRange(0, 4)) {
        case 0:
            text[at] = other;
            break;
        case 1:
            text.erase(at, 1);
            break;
        case 2:
            text.insert(at, 1, other);
            break;
        default:
            break;
    }
    return text;
}

template <class Format>
class text_forms : public testing::Test {};
using all_formats = testing::Types<uuid, uuidv7, ulid, ksuid, xid, object_id>;
TYPED_TEST_SUITE(text_forms, all_formats);

TYPED_TEST(text_forms, what_is_written_is_read) {
    EXPECT_TRUE(rc::check([] {
        const auto id = any_id<TypeParam>();
        RC_ASSERT(TypeParam::parse(id.format()).value == id);
        RC_ASSERT(TypeParam::parse(id.format()));
    }));
}

TYPED_TEST(text_forms, what_is_read_is_canonical) {
    EXPECT_TRUE(rc::check([] {
        const std::string text = near_text<TypeParam>();
        const auto p = TypeParam::parse(text);
        if (p)
            RC_ASSERT(p.value.format() == text);
        else
            RC_ASSERT(p.position <= text.size());
        const auto lenient = TypeParam::parse(text, spelling::lenient);
        if (p) RC_ASSERT(lenient.value == p.value);
    }));
}

TYPED_TEST(text_forms, lenient_is_only_another_spelling) {
    EXPECT_TRUE(rc::check([] {
        const auto p = TypeParam::parse(near_text<TypeParam>(), spelling::lenient);
        if (p) RC_ASSERT(TypeParam::parse(p.value.format()).value == p.value);
    }));
}

TYPED_TEST(text_forms, text_order_is_byte_order) {
    EXPECT_TRUE(rc::check([] {
        const auto a = any_id<TypeParam>();
        auto b = a;
        b.bytes[*rc::gen::inRange<std::size_t>(0, b.bytes.size())] = *rc::gen::arbitrary<std::uint8_t>();
        b = made_valid(b);
        RC_ASSERT((a < b) == (a.format().view() < b.format().view()));
        RC_ASSERT((a == b) == (a.format() == b.format()));
    }));
}

RC_GTEST_PROP(octets, fields_hold_what_is_put_there_and_nothing_else_moves, ()) {
    octets<16> o;
    for (auto& byte : o.bytes) byte = *rc::gen::arbitrary<std::uint8_t>();
    const auto before = o;
    const auto value = *rc::gen::arbitrary<std::uint64_t>();
    o.set_bits<13, 62>(value);
    RC_ASSERT((o.bits<13, 62>()) == (value & ((std::uint64_t{1} << 62) - 1)));
    RC_ASSERT((o.bits<0, 13>()) == (before.bits<0, 13>()));
    RC_ASSERT((o.bits<75, 53>()) == (before.bits<75, 53>()));
}

/// A clock that mostly creeps on, sometimes jumps and often steps back, in milliseconds.
std::vector<std::int64_t> any_clock() {
    std::int64_t now = 1'700'000'000'000;
    std::vector<std::int64_t> readings;
    for (const int step : *rc::gen::container<std::vector<int>>(rc::gen::oneOf(
             rc::gen::inRange(0, 2), rc::gen::inRange(-30, 30), rc::gen::inRange(-5000, 5000)))) {
        now += step;
        readings.push_back(now);
    }
    return readings;
}

constexpr firn::instant at_ms(std::int64_t ms) {
    return firn::instant{std::chrono::microseconds{ms * 1000}};
}

/// Asks again at the instant named, as a caller that waits does.
template <class Generator, class Source>
auto waited(Generator& g, firn::instant now, Source& source) {
    auto a = next(g, now, source);
    if (a.error() == firn::errc::tick_full) a = next(g, a.until(), source);
    return a;
}

template <class Generator>
void check_increasing(Generator g) {
    std::mt19937_64 source{*rc::gen::arbitrary<std::uint64_t>()};
    std::optional<typename Generator::id_type> last;
    for (const std::int64_t ms : any_clock()) {
        const auto a = waited(g, at_ms(ms), source);
        RC_ASSERT(a);
        if (last) RC_ASSERT(*last < *a);
        last = *a;
    }
}

// RFC 9562, section 6.2, "Monotonic Error Checking", and the ULID specification's "Monotonicity".
RC_GTEST_PROP(rivals, monotonic_ones_increase_whatever_the_clock_does, ()) {
    check_increasing(uuidv7_counter{});
    check_increasing(uuidv7_counter{{.counter_bits = 12, .guard_bits = 0, .when_full = rollover::ahead}});
    check_increasing(uuidv7_counter{{.counter_bits = 30}});
    check_increasing(uuidv7_monotonic{});
    check_increasing(uuidv7_monotonic{{.increment_bits = 61, .when_full = rollover::wait}});
    check_increasing(ulid_monotonic{});
    check_increasing(sonyflake{3});
}

/// Sonyflake's NextID, spelled out: what it returns after its sleep.
struct sonyflake_model {
    std::int64_t elapsed = 0;
    unsigned sequence = 255;

    std::uint64_t next(std::int64_t now_ms) {
        const std::int64_t current = now_ms / 10 - 140'952'960'000;
        if (elapsed < current) {
            elapsed = current;
            sequence = 0;
        } else {
            sequence = (sequence + 1) & 255;
            if (sequence == 0) ++elapsed;  // and it sleeps until then
        }
        return static_cast<std::uint64_t>(elapsed) << 24 | std::uint64_t{sequence} << 16 | 7;
    }
};

RC_GTEST_PROP(rivals, sonyflake_does_what_the_original_does, ()) {
    sonyflake g{7};
    sonyflake_model model;
    std::mt19937_64 unused;
    // Often many calls at one reading, so that the sequence runs full.
    for (const std::int64_t ms : any_clock()) {
        const int calls = *rc::gen::element(1, 1, 2, 300);
        for (int i = 0; i < calls; ++i) RC_ASSERT(waited(g, at_ms(ms), unused)->value == model.next(ms));
    }
}

RC_GTEST_PROP(rivals, discord_counts_every_id, ()) {
    discord g{{.worker = 3, .process = 4}};
    std::uint64_t n = 0;
    for (const std::int64_t ms : any_clock()) {
        const auto f = firn::layouts::discord.decode(*g.next(at_ms(ms)));
        RC_ASSERT(f.sequence == (n++ & 4095));
        RC_ASSERT(f.machine == (3U << 5 | 4U));
        RC_ASSERT(firn::layouts::discord.time_of(f.tick) == at_ms(ms));
    }
}

RC_GTEST_PROP(rivals, counters_of_a_process_keep_ids_apart_under_any_clock, ()) {
    std::mt19937_64 source{*rc::gen::arbitrary<std::uint64_t>()};
    object_id_generator o{source};
    xid_generator x{{.machine = 1, .process = 2}, source};
    std::set<object_id> object_ids;
    std::set<xid> xids;
    const auto clock = any_clock();
    for (const std::int64_t ms : clock) {
        object_ids.insert(*o.next(at_ms(ms)));
        xids.insert(*x.next(at_ms(ms)));
    }
    RC_ASSERT(object_ids.size() == clock.size());
    RC_ASSERT(xids.size() == clock.size());
}

}  // namespace
