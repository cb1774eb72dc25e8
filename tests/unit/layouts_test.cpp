// Named layouts: ids whose meaning is public, first and last instants, and what the catalogue says of each
// format.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "firn/formats/catalogue.hpp"
#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"

namespace {

using firn::id;
using firn::layout;
using firn::rfc3339;
using firn::tick;

TEST(layouts, twitter_ids_with_known_meaning) {
    const layout& l = firn::layouts::twitter;
    const id a{1593572310593806338};
    EXPECT_EQ(rfc3339(l.time_of(a)), "2022-11-18T11:50:20.644Z");
    EXPECT_EQ(l.part_of(l.decode(a).machine, 0), 11U);  // datacenter
    EXPECT_EQ(l.part_of(l.decode(a).machine, 1), 26U);  // worker
    EXPECT_EQ(l.decode(a).sequence, 2U);
    const id b{1050118621198921728};
    EXPECT_EQ(rfc3339(l.time_of(b)), "2018-10-10T20:19:24.211Z");
    EXPECT_EQ(l.part_of(l.decode(b).machine, 0), 10U);
    EXPECT_EQ(l.part_of(l.decode(b).machine, 1), 27U);
    EXPECT_EQ(l.decode(b).sequence, 0U);
}

// Read with another epoch an id is a plausible wrong date; who prints a date has to say which epoch.
TEST(layouts, the_epoch_decides_the_date) {
    const id i{1633725669152133120};
    EXPECT_EQ(rfc3339(firn::layouts::twitter.time_of(i)), "2023-03-09T07:05:27.338Z");
    layout no_epoch = firn::layouts::twitter;
    no_epoch.epoch_ms = 0;
    EXPECT_EQ(rfc3339(no_epoch.time_of(i)), "1982-05-06T05:22:32.681Z");
    EXPECT_EQ(rfc3339(firn::layouts::discord.time_of(i)), "2027-05-06T05:22:32.681Z");
    EXPECT_EQ(firn::layouts::leaf.time_of(i), firn::layouts::twitter.time_of(i));
}

TEST(layouts, discord_documentation_examples) {
    const layout& l = firn::layouts::discord;
    const id documented{175928847299117063};
    EXPECT_EQ(rfc3339(l.time_of(documented)), "2016-04-30T11:18:25.796Z");
    EXPECT_EQ(l.part_of(l.decode(documented).machine, 0), 1U);  // worker
    EXPECT_EQ(l.part_of(l.decode(documented).machine, 1), 0U);  // process
    EXPECT_EQ(l.decode(documented).sequence, 7U);
    // discord.js documents 266241948824764416: worker 1, process 0, increment 0.
    EXPECT_EQ(l.decode(id{266241948824764416}).machine, 32U);
    EXPECT_EQ(l.decode(id{266241948824764416}).sequence, 0U);
    // twilight-util documents 105484726235607040: 2015-10-19T01:58:38.546Z.
    EXPECT_EQ(rfc3339(l.time_of(id{105484726235607040})), "2015-10-19T01:58:38.546Z");
}

TEST(layouts, sonyflake_has_the_machine_last) {
    const layout& l = firn::layouts::sonyflake;
    const id i = l.encode(tick{1}, 0xbeef, 0x12);
    EXPECT_EQ(i.value, 0x112beefU);
    EXPECT_EQ(rfc3339(l.time_of(i)), "2014-09-01T00:00:00.010Z");
    EXPECT_EQ(l.decode(i).machine, 0xbeefU);
    EXPECT_EQ(l.decode(i).sequence, 0x12U);
}

// The example in Instagram's article: 1387263000 ms after its epoch, shard 1341, sequence 5001 % 1024.
TEST(layouts, instagram_article_example) {
    const layout& l = firn::layouts::instagram;
    const id i = l.encode(tick{1387263000}, 1341, 5001 % 1024);
    EXPECT_EQ(i.value, (1387263000ULL << 23) | (1341ULL << 10) | 905ULL);
    EXPECT_EQ(l.decode(i).machine, 1341U);
    EXPECT_EQ(l.decode(i).sequence, 905U);
}

TEST(layouts, mastodon_times_are_unix_times) {
    const id i{110368129515784116};  // a status of May 2023
    EXPECT_EQ(rfc3339(firn::layouts::mastodon.time_of(i)).substr(0, 10), "2023-05-14");
    EXPECT_EQ(firn::layouts::mastodon.decode(i).machine, 0U);
}

struct life {
    std::string_view name, first, end, signed_end;
};

TEST(layouts, first_and_last_instants) {
    const life lives[] = {
        {"standard", "2025-01-01T00:00:00.000Z", "2094-09-07T15:47:35.552Z", "2094-09-07T15:47:35.552Z"},
        {"js53", "2025-01-01T00:00:00.000Z", "2094-09-07T15:47:35.552Z", "2094-09-07T15:47:35.552Z"},
        {"twitter", "2010-11-04T01:42:54.657Z", "2080-07-10T17:30:30.209Z", "2080-07-10T17:30:30.209Z"},
        {"discord", "2015-01-01T00:00:00.000Z", "2154-05-15T07:35:11.104Z", "2084-09-06T15:47:35.552Z"},
        {"sonyflake", "2014-09-01T00:00:00.000Z", "2188-11-16T03:28:58.880Z", "2188-11-16T03:28:58.880Z"},
        {"instagram", "2011-08-24T21:07:01.721Z", "2081-04-30T12:54:37.273Z", "2046-06-27T17:00:49.497Z"},
        {"baidu", "2016-05-19T16:00:00.000Z", "2024-11-20T13:24:16.000Z", "2024-11-20T13:24:16.000Z"},
        {"leaf", "2010-11-04T01:42:54.657Z", "2080-07-10T17:30:30.209Z", "2080-07-10T17:30:30.209Z"},
        {"tsid", "2020-01-01T00:00:00.000Z", "2159-05-15T07:35:11.104Z", "2089-09-06T15:47:35.552Z"}};
    for (const life& l : lives) {
        const layout* found = firn::layouts::find(l.name);
        ASSERT_NE(found, nullptr) << l.name;
        EXPECT_EQ(rfc3339(found->first_instant()), l.first) << l.name;
        EXPECT_EQ(rfc3339(found->end_instant()), l.end) << l.name;
        EXPECT_EQ(rfc3339(firn::layouts::signed_end_of(*found)), l.signed_end) << l.name;
    }
    EXPECT_EQ(firn::layouts::find("nosuch"), nullptr);
    EXPECT_EQ(firn::layouts::find(""), nullptr);
}

TEST(layouts, every_layout_makes_sense_and_has_its_own_name) {
    std::set<std::string_view> names;
    for (const layout* l : firn::layouts::all) {
        EXPECT_EQ(firn::fault_of(*l), nullptr) << l->name.view();
        EXPECT_TRUE(names.insert(l->name.view()).second) << l->name.view();
        EXPECT_EQ(firn::layouts::find(l->name.view()), l);
    }
}

// The last id of a layout that ended was followed by negative ones in production: here it is an error.
TEST(layouts, baidu_has_ended) {
    const layout& l = firn::layouts::baidu;
    const auto last = l.encode(tick{(std::int64_t{1} << 28) - 1}, l.machine_max(), l.sequence_max());
    EXPECT_EQ(last.value, 0x7fffffffffffffffU);
    EXPECT_EQ(rfc3339(l.time_of(last)), "2024-11-20T13:24:15.000Z");
    EXPECT_THROW((void)l.encode(tick{std::int64_t{1} << 28}, 0, 0), firn::error);
}

// The smallest id at a time before the epoch is an error, not a negative number.
TEST(layouts, before_the_epoch_is_an_error) {
    for (const layout* l : firn::layouts::all) {
        const tick before = l->tick_of(l->first_instant() - std::chrono::microseconds{1});
        EXPECT_EQ(before.count, -1) << l->name.view();
        EXPECT_THROW((void)l->encode(before, 0, 0), firn::error) << l->name.view();
    }
}

// Beyond 2^53 JavaScript and Lua lose digits.
TEST(layouts, js53_survives_a_double) {
    const layout& l = firn::layouts::js53;
    const id largest = l.encode(tick{l.end_tick().count - 1}, l.machine_max(), l.sequence_max());
    EXPECT_EQ(largest.value, (std::uint64_t{1} << 53) - 1);
    EXPECT_EQ(static_cast<std::uint64_t>(static_cast<double>(largest.value)), largest.value);
    EXPECT_NE(static_cast<std::uint64_t>(static_cast<double>(std::uint64_t{1593572310593806338})),
              1593572310593806338U);
    const auto* e = firn::formats::find("js53");
    ASSERT_NE(e, nullptr);
    EXPECT_EQ(e->ids_per_second, 128'000);
    EXPECT_EQ(e->machines, 32U);
}

TEST(catalogue, fields_fill_every_format) {
    std::set<std::string_view> names;
    for (const auto& e : firn::formats::catalogue) {
        unsigned bits = 0;
        for (const auto& f : e.fields_view()) {
            EXPECT_FALSE(f.name.empty()) << e.name;
            bits += f.bits;
        }
        EXPECT_EQ(bits, e.id_bits) << e.name;
        EXPECT_TRUE(names.insert(e.name).second) << e.name;
        EXPECT_TRUE(e.also.empty() || names.insert(e.also).second) << e.also;
        EXPECT_LT(e.first, e.end) << e.name;
        EXPECT_LE(e.first, e.since) << e.name;
        EXPECT_LT(e.since, e.end) << e.name;
        EXPECT_LE(e.signed_end, e.end) << e.name;
        EXPECT_FALSE(e.title.empty() || e.note.empty() || e.source.empty() || e.text.empty()) << e.name;
        EXPECT_EQ(firn::formats::find(e.name), &e);
        EXPECT_EQ(firn::layouts::find(e.name), e.layout) << e.name;
    }
    for (const layout* l : firn::layouts::all) EXPECT_NE(firn::formats::find(l->name.view()), nullptr);
    EXPECT_EQ(firn::formats::find("mongodb"), firn::formats::find("objectid"));
    EXPECT_EQ(firn::formats::find("snowflake"), firn::formats::find("twitter"));
    EXPECT_EQ(firn::formats::find(""), nullptr);
}

TEST(catalogue, limits) {
    EXPECT_EQ(firn::formats::find("sonyflake")->ids_per_second, 25'600);
    EXPECT_EQ(firn::formats::find("baidu")->ids_per_second, 8192);
    EXPECT_EQ(firn::formats::find("twitter")->ids_per_second, 4'096'000);
    EXPECT_EQ(firn::formats::find("instagram")->machines, 8192U);
    EXPECT_EQ(firn::formats::find("mastodon")->machines, 1U);
    EXPECT_EQ(rfc3339(firn::formats::find("objectid")->end), "2106-02-07T06:28:16.000Z");
    EXPECT_EQ(rfc3339(firn::formats::find("ksuid")->first), "2014-05-13T16:53:20.000Z");
}

// The fields of a 96, 128 or 160-bit id are found by the catalogue's widths, and its text is the format's
// own.
TEST(catalogue, reads_and_writes_the_texts_of_formats_without_a_layout) {
    struct known {
        std::string_view format, text, field;
        std::uint64_t value;
    };
    for (const known& k :
         {known{"objectid", "507f1f77bcf86cd799439011", "counter", 4427793},
          known{"uuidv7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "milliseconds", 1645557742000},
          known{"uuidv7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "random_b", 0x18C4DC0C0C07398F},
          known{"ulid", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "milliseconds", 1469922850259},
          known{"ksuid", "0ujtsYcgvSTl8PAuAdqWYSMnLOv", "seconds", 107608047},
          known{"xid", "9m4e2mr0ui3e8a215n4g", "process", 0xe428}}) {
        const firn::formats::entry* e = firn::formats::find(k.format);
        ASSERT_NE(e, nullptr);
        const auto p = e->parse(k.text, firn::codecs::spelling::canonical);
        ASSERT_TRUE(p) << k.text;
        std::array<char, firn::formats::text_max_size> out{};
        EXPECT_EQ(std::string_view(out.data(),
                                   static_cast<std::size_t>(e->write(p.value, out.data()) - out.data())),
                  k.text);
        std::size_t at = 0;
        bool found = false;
        for (const auto& f : e->fields_view()) {
            if (f.role == firn::formats::field_role::fixed) {
                EXPECT_EQ(p.value.bits(at, f.bits), f.fixed) << f.name;
            }
            if (f.name == k.field) {
                found = true;
                EXPECT_EQ(p.value.bits(at, f.bits), k.value) << k.format << ' ' << f.name;
                auto changed = p.value;
                changed.set_bits(at, f.bits, 0);
                EXPECT_NE(changed, p.value);
                changed.set_bits(at, f.bits, k.value);
                EXPECT_EQ(changed, p.value) << "the bits beside it are unchanged";
            }
            at += f.bits;
        }
        EXPECT_TRUE(found) << k.format << ' ' << k.field;
    }
    for (const auto& e : firn::formats::catalogue) {
        EXPECT_EQ(e.layout == nullptr, e.parse != nullptr) << e.name;
        EXPECT_EQ(e.layout == nullptr, e.write != nullptr) << e.name;
    }
    const auto wrong = firn::formats::find("ulid")->parse("01ARZ3NDEK", firn::codecs::spelling::canonical);
    EXPECT_EQ(wrong.fault, firn::text_fault::too_short);
    EXPECT_EQ(wrong.position, 10U);
}

}  // namespace
