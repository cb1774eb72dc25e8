// firn::layouts: the layouts that have a name.
//
//     auto when = firn::layouts::twitter.time_of(firn::id{1593572310593806338});
#pragma once

#include "firn/layout.hpp"

namespace firn::layouts {

/// firn's own default: 41/10/12 from 2025-01-01T00:00:00Z. 69 years, 1024 machines, 4,096,000 ids per second
/// each.
inline constexpr layout standard = make_layout({.name = "standard", .epoch_ms = 1735689600000});

/// Twitter's Snowflake: epoch 2010-11-04T01:42:54.657Z, 5 bits of datacenter and 5 of worker.
/// Source: twitter-archive/snowflake, tag snowflake-2010, IdWorker.scala (twepoch, workerIdBits,
/// datacenterIdBits).
inline constexpr layout twitter = make_layout({.name = "twitter",
                                               .epoch_ms = 1288834974657,
                                               .machine_parts = {{{"datacenter", 5}, {"worker", 5}, {}}}});

}  // namespace firn::layouts
