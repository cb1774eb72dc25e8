// firn::layouts: the layouts that have a name, as other systems publish them, and one by name.
//
// Only 64-bit ids with fields are layouts; UUIDs, ObjectIds and the like are in formats/, and
// formats/catalogue.hpp lists both with their lives, limits and sources. `standard` is what to use for a new
// system; the others are for reading ids that exist and for staying compatible with them.
//
//     auto when = firn::layouts::twitter.time_of(firn::id{1593572310593806338});
//     auto f = firn::layouts::discord.decode(firn::id{175928847299117063});       // f.machine, f.sequence
//     if (const firn::layout* l = firn::layouts::find("sonyflake")) use(*l);
#pragma once

#include <array>
#include <string_view>

#include "firn/layout.hpp"

namespace firn::layouts {

/// firn's own default: 41/10/12 from 2025-01-01T00:00:00Z. 69 years, 1024 machines, 4,096,000 ids per second
/// each.
inline constexpr layout standard = make_layout({.name = "standard", .epoch_ms = 1735689600000});

/// Ids that JavaScript, Lua and JSON readers keep: below 2^53 for all of its 69 years from
/// 2025-01-01T00:00:00Z. 41/5/7: what that leaves is 32 machines of 128,000 ids per second each.
/// Number.MAX_SAFE_INTEGER is 2^53 - 1 (ECMA-262, Number.MAX_SAFE_INTEGER).
inline constexpr layout js53 = make_layout({.name = "js53",
                                            .reserved_bits = 11,
                                            .timestamp_bits = 41,
                                            .machine_bits = 5,
                                            .sequence_bits = 7,
                                            .epoch_ms = 1735689600000});

/// Twitter's Snowflake: epoch 2010-11-04T01:42:54.657Z, 5 bits of datacenter and 5 of worker.
/// Source: twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala (twepoch, workerIdBits,
/// datacenterIdBits).
inline constexpr layout twitter = make_layout({.name = "twitter",
                                               .epoch_ms = 1288834974657,
                                               .machine_parts = {{{"datacenter", 5}, {"worker", 5}, {}}}});

/// Discord: 42 bits of milliseconds from 2015-01-01T00:00:00Z, 5 bits of worker, 5 of process, 12 of
/// increment. All 64 bits are used: read as signed, ids are negative from 2084-09-06 on. Source: Discord
/// developer documentation, Reference, "Snowflakes", https://discord.com/developers/docs/reference.
inline constexpr layout discord = make_layout({.name = "discord",
                                               .reserved_bits = 0,
                                               .timestamp_bits = 42,
                                               .epoch_ms = 1420070400000,
                                               .machine_parts = {{{"worker", 5}, {"process", 5}, {}}}});

/// Sonyflake: 39 bits of 10 ms from 2014-09-01T00:00:00Z, 8 of sequence, then 16 of machine.
/// Source: github.com/sony/sonyflake (version 1), sonyflake.go (BitLenTime, BitLenSequence,
/// sonyflakeTimeUnit, toID).
inline constexpr layout sonyflake = make_layout({.name = "sonyflake",
                                                 .timestamp_bits = 39,
                                                 .machine_bits = 16,
                                                 .sequence_bits = 8,
                                                 .order = field_order::time_sequence_machine,
                                                 .tick_us = 10'000,
                                                 .epoch_ms = 1409529600000});

/// Instagram: 41 bits of milliseconds from 2011-08-24T21:07:01.721Z, 13 of logical shard, 10 of sequence. All
/// 64 bits are used: PostgreSQL's bigint is negative from 2046-06-27 on. Source: Instagram Engineering,
/// "Sharding & IDs at Instagram" (2012), the PL/pgSQL function (our_epoch, shifts).
inline constexpr layout instagram = make_layout({.name = "instagram",
                                                 .reserved_bits = 0,
                                                 .timestamp_bits = 41,
                                                 .machine_bits = 13,
                                                 .sequence_bits = 10,
                                                 .epoch_ms = 1314220021721,
                                                 .machine_parts = {{{"shard", 13}, {}, {}}}});

/// Mastodon: 48 bits of milliseconds from 1970, 16 of sequence, no machine: one database makes them. The
/// sequence is the table's own plus a hash of the time, so it tells no order within a millisecond. Source:
/// github.com/mastodon/mastodon, lib/mastodon/snowflake.rb (timestamp_id).
inline constexpr layout mastodon = make_layout({.name = "mastodon",
                                                .reserved_bits = 0,
                                                .timestamp_bits = 48,
                                                .machine_bits = 0,
                                                .sequence_bits = 16,
                                                .epoch_ms = 0});

/// Baidu's uid-generator as it comes: 28 bits of seconds from 2016-05-20T00:00:00 in Asia/Shanghai
/// (2016-05-19T16:00:00Z), 22 of worker, 13 of sequence. Its life ended at 2024-11-20T13:24:16Z.
/// Source: github.com/baidu/uid-generator, DefaultUidGenerator.java (timeBits, workerBits, seqBits,
/// epochSeconds).
inline constexpr layout baidu = make_layout({.name = "baidu",
                                             .timestamp_bits = 28,
                                             .machine_bits = 22,
                                             .sequence_bits = 13,
                                             .tick_us = 1'000'000,
                                             .epoch_ms = 1463673600000,
                                             .machine_parts = {{{"worker", 22}, {}, {}}}});

/// Meituan's Leaf in its snowflake mode: Twitter's widths and, unless configured, Twitter's epoch; one worker
/// number. The sequence of a millisecond starts at random, from 0 to 99. Source:
/// github.com/Meituan-Dianping/Leaf, SnowflakeIDGenImpl.java (twepoch 1288834974657L, workerIdBits).
inline constexpr layout leaf =
    make_layout({.name = "leaf", .epoch_ms = 1288834974657, .machine_parts = {{{"worker", 10}, {}, {}}}});

/// TSID: 42 bits of milliseconds from 2020-01-01T00:00:00Z and 22 bits that are, unless configured otherwise,
/// 10 of node and 12 of counter, which starts at random. All 64 bits are used: read as signed, ids are
/// negative from 2089-09-06 on. Its text is Crockford's base 32, codecs/base32.hpp. Source:
/// github.com/f4b6a3/tsid-creator, Tsid.java (TSID_EPOCH, RANDOM_BITS), TsidFactory.java (NODE_BITS_1024).
inline constexpr layout tsid = make_layout({.name = "tsid",
                                            .reserved_bits = 0,
                                            .timestamp_bits = 42,
                                            .epoch_ms = 1577836800000,
                                            .machine_parts = {{{"node", 10}, {}, {}}}});

/// All of them, in no particular order.
inline constexpr std::array<const layout*, 10> all{&standard,  &js53,     &twitter, &discord, &sonyflake,
                                                   &instagram, &mastodon, &baidu,   &leaf,    &tsid};

/// The layout of that name, or null. Threads: any. Cost: a few comparisons.
constexpr const layout* find(std::string_view name) noexcept {
    for (const layout* l : all)
        if (l->name.view() == name) return l;
    return nullptr;
}

/// The first instant whose ids are negative when read as signed 64 bits, or the layout's end when there is
/// none before it. Databases without unsigned integers meet it first.
constexpr instant signed_end_of(const layout& l) noexcept {
    if (l.reserved_bits > 0) return l.end_instant();
    const tick half{std::int64_t{1} << (l.timestamp_bits - 1U)};
    return half < l.end_tick() ? l.time_of(half) : l.end_instant();
}

}  // namespace firn::layouts
