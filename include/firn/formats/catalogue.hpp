// firn::formats::catalogue: every id format that firn knows by name, as data: fields, life, limits, source.
//
// For commands and documents that list or guess formats. To read an id of a known format use the layout
// (layouts.hpp) or the format's type (uuidv7.hpp, ulid.hpp, ksuid.hpp, xid.hpp, object_id.hpp).
//
//     for (const auto& e : firn::formats::catalogue) std::cout << e.name << "  " << e.title << '\n';
//     const auto* e = firn::formats::find("instagram");
//     std::cout << "from " << firn::rfc3339(e->first) << " until " << firn::rfc3339(e->end);
//     for (const auto& f : e->fields_view()) std::cout << f.name << ':' << f.bits << ' ';
//     if (e->layout) when = e->layout->time_of(some_id);
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "firn/formats/ksuid.hpp"
#include "firn/formats/object_id.hpp"
#include "firn/formats/ulid.hpp"
#include "firn/formats/uuidv7.hpp"
#include "firn/formats/xid.hpp"
#include "firn/layouts.hpp"

namespace firn::formats {

/// What a field holds: the time, always the same number, or something else.
enum class field_role : std::uint8_t { other, time, fixed };

struct field {
    std::string_view name;
    unsigned bits = 0;
    field_role role = field_role::other;
    std::uint64_t fixed = 0;  ///< The number of a fixed field.
};

/// An id of any format, in the first entry::id_bits bits. Of two ids of one format the older is smaller.
using any_id = octets<20>;

/// Room for the text of an id of any format.
inline constexpr std::size_t text_max_size = uuid::max_size;

struct entry {
    std::string_view name;
    std::string_view also;  ///< another name that finds it; may be empty
    std::string_view title;
    const firn::layout* layout = nullptr;  ///< null for formats that are not 64-bit integers
    unsigned id_bits = 0;
    std::array<field, 6> fields{};  ///< from the highest bit down; those without bits are unused
    std::int64_t tick_us = 0;
    instant first{};             ///< the epoch
    instant end{};               ///< the first instant past its life
    instant signed_end{};        ///< from here on ids are negative as signed 64 bits; `end` when never
    instant since{};             ///< no real id is older: the format, or the vendor, was not there yet
    double ids_per_second = 0;   ///< of one machine or process at most; 0: bounded by chance alone
    std::uint64_t machines = 0;  ///< how many are kept apart by number; 0: by chance alone
    std::string_view text;       ///< how it is written
    /// Reads and writes that text; null where there is a layout: see codecs/forms.hpp for its texts.
    parsed_as<any_id> (*parse)(std::string_view text, codecs::spelling accept) noexcept = nullptr;
    char* (*write)(const any_id& i, char* out) noexcept = nullptr;
    std::string_view note;
    std::string_view source;

    constexpr std::span<const field> fields_view() const noexcept {
        std::size_t n = 0;
        while (n < fields.size() && fields[n].bits > 0) ++n;
        return {fields.data(), n};
    }
};

namespace detail {

template <class Format>
constexpr parsed_as<any_id> parse_as(std::string_view text, codecs::spelling accept) noexcept {
    const parsed_as<Format> p = Format::parse(text, accept);
    if (!p) return {.fault = p.fault, .position = p.position};
    any_id i;
    std::copy(p.value.bytes.begin(), p.value.bytes.end(), i.bytes.begin());
    return {.value = i};
}

template <class Format>
constexpr char* write_as(const any_id& i, char* out) noexcept {
    Format f;
    std::copy_n(i.bytes.begin(), f.bytes.size(), f.bytes.begin());
    return Format::write(f, out);
}

template <class Format>
constexpr void set_text_of(entry& e, std::string_view text) noexcept {
    e.id_bits = 8 * sizeof(Format::bytes);
    e.text = text;
    e.parse = &parse_as<Format>;
    e.write = &write_as<Format>;
}

}  // namespace detail

/// What a layout already says. The entry refers to the layout and to its names.
constexpr entry entry_of(const layout& l) noexcept {
    entry e;
    e.name = l.name.view();
    e.layout = &l;
    e.id_bits = 64;
    std::size_t n = 0;
    if (l.reserved_bits > 0) e.fields[n++] = {"zero", l.reserved_bits, field_role::fixed};
    e.fields[n++] = {"time", l.timestamp_bits, field_role::time};
    const field sequence{"sequence", l.sequence_bits};
    if (l.order == field_order::time_sequence_machine) e.fields[n++] = sequence;
    if (l.machine_parts[0].bits > 0) {
        for (const machine_part& part : l.machine_parts)
            if (part.bits > 0) e.fields[n++] = {part.name.view(), part.bits};
    } else if (l.machine_bits > 0) {
        e.fields[n++] = {"machine", l.machine_bits};
    }
    if (l.order == field_order::time_machine_sequence) e.fields[n++] = sequence;
    e.tick_us = l.tick_us;
    e.first = l.first_instant();
    e.end = l.end_instant();
    e.signed_end = layouts::signed_end_of(l);
    e.since = e.first;
    e.ids_per_second = (static_cast<double>(l.sequence_max()) + 1) * 1e6 / static_cast<double>(l.tick_us);
    e.machines = l.machine_max() + 1;
    e.text = "decimal";
    return e;
}

namespace detail {

constexpr std::int64_t first_of_2015_s = 1'420'070'400;
constexpr std::int64_t first_of_2016_s = 1'451'606'400;
constexpr std::int64_t first_of_2017_s = 1'483'228'800;
constexpr std::int64_t first_of_2021_s = 1'609'459'200;

constexpr std::array<entry, 15> make_catalogue() noexcept {
    std::array<entry, 15> all{};
    std::size_t n = 0;
    const auto add = [&](entry e, std::string_view also, std::string_view title, std::string_view note,
                         std::string_view source) {
        e.also = also;
        e.title = title;
        e.note = note;
        e.source = source;
        all[n++] = e;
    };

    add(entry_of(layouts::standard), "firn", "firn's default",
        "for new systems; never handed out twice across restarts with a journal", "firn/layouts.hpp");
    add(entry_of(layouts::js53), "", "firn's layout below 2^53",
        "JavaScript, Lua and JSON readers keep every digit", "firn/layouts.hpp");
    add(entry_of(layouts::twitter), "snowflake", "Twitter Snowflake", "the layout that most ports copy",
        "github.com/twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala");
    add(entry_of(layouts::discord), "", "Discord snowflake", "the increment is per process and never reset",
        "https://discord.com/developers/docs/reference#snowflakes");
    add(entry_of(layouts::sonyflake), "", "Sonyflake", "the machine number stands last",
        "github.com/sony/sonyflake, sonyflake.go");
    add(entry_of(layouts::instagram), "", "Instagram",
        "the sequence is the table's own modulo 1024, so it does not start anew in a millisecond",
        "Instagram Engineering, \"Sharding & IDs at Instagram\"");

    entry mastodon = entry_of(layouts::mastodon);
    // db/migrate/20170920024819_status_ids_to_timestamp_ids.rb; statuses from elsewhere keep their older
    // date.
    mastodon.since = from_unix_s(first_of_2016_s);
    add(mastodon, "", "Mastodon status",
        "made by one database; the sequence tells no order within a millisecond; firn's own life for it ends "
        "with 62 bits of slot",
        "github.com/mastodon/mastodon, lib/mastodon/snowflake.rb");

    add(entry_of(layouts::baidu), "uid-generator", "Baidu uid-generator",
        "its life has ended: later ids of the default configuration are negative or refused",
        "github.com/baidu/uid-generator, DefaultUidGenerator.java");

    entry leaf = entry_of(layouts::leaf);
    leaf.since = from_unix_s(first_of_2017_s);  // "Leaf", Meituan's technical blog, 2017-04
    add(leaf, "", "Meituan Leaf, snowflake mode", "looks like Twitter's; the epoch can be configured",
        "github.com/Meituan-Dianping/Leaf, SnowflakeIDGenImpl.java");

    entry tsid = entry_of(layouts::tsid);
    tsid.text = "decimal, or 13 characters of Crockford's base 32";
    add(tsid, "", "TSID", "node and counter share 22 bits; 10 and 12 are the default",
        "github.com/f4b6a3/tsid-creator, Tsid.java");

    entry mongo;
    mongo.name = "objectid";
    mongo.fields = {field{"seconds", 32, field_role::time}, field{"process", 40}, field{"counter", 24}};
    mongo.tick_us = 1'000'000;
    mongo.end = mongo.signed_end = from_unix_s(object_id::end_s);
    mongo.since = from_unix_s(1'230'768'000);  // 2009: MongoDB's first release
    mongo.ids_per_second = 16'777'216;
    set_text_of<object_id>(mongo, "24 hex digits");
    add(mongo, "mongodb", "MongoDB ObjectId",
        "the process number is random; before 2018 it was machine and process id",
        "github.com/mongodb/specifications, source/bson-objectid/objectid.md");

    entry v7;
    v7.name = "uuidv7";
    v7.fields = {field{"milliseconds", 48, field_role::time}, field{"version", 4, field_role::fixed, 7},
                 field{"random_a", 12}, field{"variant", 2, field_role::fixed, 2}, field{"random_b", 62}};
    v7.tick_us = 1000;
    v7.end = v7.signed_end = from_unix_ms(uuidv7::end_ms);
    v7.since =
        from_unix_s(first_of_2021_s);  // draft-peabody-dispatch-new-uuid-format, 2021; RFC 9562, May 2024
    set_text_of<uuidv7>(v7, "36 characters: hex digits and hyphens");
    add(v7, "uuid", "UUID version 7",
        "version is 7, variant 2; a counter may stand in random_a or random_b (section 6.2)",
        "RFC 9562, sections 5.7 and 6.2");

    entry ul;
    ul.name = "ulid";
    ul.fields = {field{"milliseconds", 48, field_role::time}, field{"random", 80}};
    ul.tick_us = 1000;
    ul.end = ul.signed_end = from_unix_ms(ulid::end_ms);
    ul.since = from_unix_s(first_of_2016_s);  // github.com/ulid/javascript: first published in 2016
    set_text_of<ulid>(ul, "26 characters of Crockford's base 32");
    add(ul, "", "ULID", "within a millisecond a monotonic generator counts the random part up",
        "github.com/ulid/spec");

    entry ks;
    ks.name = "ksuid";
    ks.fields = {field{"seconds", 32, field_role::time}, field{"random", 128}};
    ks.tick_us = 1'000'000;
    ks.first = from_unix_s(ksuid::epoch_s);
    ks.end = ks.signed_end = from_unix_s(ksuid::epoch_s + ksuid::end_s);
    ks.since = from_unix_s(first_of_2017_s);  // published by Segment in 2017
    set_text_of<ksuid>(ks, "27 characters of base 62");
    add(ks, "", "KSUID", "no order within a second", "github.com/segmentio/ksuid");

    entry x;
    x.name = "xid";
    x.fields = {field{"seconds", 32, field_role::time}, field{"machine", 24}, field{"process", 16},
                field{"counter", 24}};
    x.tick_us = 1'000'000;
    x.end = x.signed_end = from_unix_s(xid::end_s);
    x.since = from_unix_s(first_of_2015_s);  // github.com/rs/xid: first commit in 2015
    x.ids_per_second = 16'777'216;
    set_text_of<xid>(x, "20 characters of base32hex, lower case");
    add(x, "", "xid", "machine and process are hashes and process ids: they may collide",
        "github.com/rs/xid");

    return all;
}

}  // namespace detail

inline constexpr std::array<entry, 15> catalogue = detail::make_catalogue();

/// The entry of that name or other name, or null. Threads: any. Cost: a few comparisons.
constexpr const entry* find(std::string_view name) noexcept {
    if (name.empty()) return nullptr;
    for (const entry& e : catalogue)
        if (e.name == name || e.also == name) return &e;
    return nullptr;
}

}  // namespace firn::formats
