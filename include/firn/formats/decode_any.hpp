// firn::formats::decode for an entry of the catalogue: also for the formats that are no 64-bit integers,
// UUIDv7, ULID, KSUID, XID and ObjectId.
//
// For commands and services that show ids to people, as decode.hpp. A program that knows its format asks the
// type: uuidv7.hpp and the like.
//
//     const auto* e = firn::formats::find("ulid");
//     if (auto p = e->parse("01ARZ3NDEKTSV4RRFFQ69G5FAV", firn::codecs::spelling::lenient))
//         std::cout << firn::rfc3339(firn::formats::decode(p.value, *e, now).time) << '\n';
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "firn/formats/catalogue.hpp"
#include "firn/formats/decode.hpp"

namespace firn::formats {

/// Reads `i` as an id of `e`, which requires e.layout == nullptr. Whether that is plausible is told by the
/// warnings (fixed bits that are others, a date before the format was there, one past `now`). The time field
/// is among the fields, as a number of ticks. Threads: pure. Cost: allocates.
decoded decode(const any_id& i, const entry& e, instant now);

/// As decode(i, *e.layout, now), which requires that there is one, and with what the vendor's history says.
decoded decode(id i, const entry& e, instant now);

// ---- definitions ----

namespace detail {

/// The hex digits of `width` bits from bit `from` on; width is a multiple of 4.
inline std::string hex_of(const any_id& i, std::size_t from, std::size_t width) {
    std::string digits;
    for (std::size_t at = 0; at < width; at += 4) digits += "0123456789abcdef"[i.bits(from + at, 4)];
    return digits;
}

inline void warn_when_before_its_kind(decoded& d, const entry& e) {
    if (d.time < e.since)
        d.warnings.push_back("its date lies before there were such ids (" + rfc3339(e.since) +
                             "): another format may be the right one");
}

}  // namespace detail

inline decoded decode(id i, const entry& e, instant now) {
    decoded d = decode(i, *e.layout, now);
    detail::warn_when_before_its_kind(d, e);
    return d;
}

inline decoded decode(const any_id& i, const entry& e, instant now) {
    decoded d;
    d.format = e.name;
    d.epoch_ms = std::chrono::floor<std::chrono::milliseconds>(e.first).time_since_epoch().count();
    std::size_t from = 0;
    for (const field& f : e.fields_view()) {
        const std::uint64_t value = f.bits > 64 ? 0 : i.bits(from, f.bits);
        d.fields.push_back({std::string{f.name}, value,
                            f.bits > 64   ? detail::hex_of(i, from, f.bits)
                            : f.bits > 53 ? std::to_string(value)
                                          : std::string{}});
        if (f.role == field_role::time)
            d.time = e.first + std::chrono::microseconds{static_cast<std::int64_t>(value) * e.tick_us};
        if (f.role == field_role::fixed && value != f.fixed)
            d.warnings.push_back("its " + std::string{f.name} + " is " + std::to_string(value) + ", not " +
                                 std::to_string(f.fixed) + ": it is an id of another format");
        from += f.bits;
    }
    detail::warn_when_before_its_kind(d, e);
    if (d.time > now)
        d.warnings.push_back("its date lies in the future (now " + rfc3339(now) + ", read with the epoch " +
                             rfc3339(e.first) + "): another format may be the right one");
    return d;
}

}  // namespace firn::formats
