// firn::instant: a point in Unix time, as layouts and texts tell it.
//
// Not for measuring how long something took: that is a steady clock's.
//
//     firn::instant when = firn::layouts::twitter.time_of(some_id);
#pragma once

#include <chrono>

namespace firn {

/// An instant in Unix time. Microseconds reach 292,000 years either way, past the end of every layout here.
using instant = std::chrono::sys_time<std::chrono::microseconds>;

}  // namespace firn
