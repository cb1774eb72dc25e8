// firn::formats::decode: what a 64-bit id says when it is read with a layout, and what is odd about that.
//
// For commands and services that show ids to people. A program that knows its layout asks it directly:
// layout::decode() and layout::time_of() cost a few instructions and no allocation.
//
//     const auto d = firn::formats::decode(firn::id{1593572310593806338}, firn::layouts::twitter, now);
//     std::cout << d.format << ' ' << firn::rfc3339(d.time) << '\n';      // twitter 2022-11-18T11:50:20.644Z
//     for (const auto& f : d.fields) std::cout << f.name << ' ' << f.value << '\n';
//     for (const auto& w : d.warnings) std::cerr << w << '\n';            // "its date lies in the future: …"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firn/layout.hpp"
#include "firn/rfc3339.hpp"

namespace firn::formats {

struct decoded {
    struct field {
        std::string name;
        std::uint64_t value = 0;
        /// Of a field of more than 53 bits, whose number a reader of JSON may spoil: in decimal up to 64
        /// bits, in hex beyond, where `value` is 0.
        std::string digits{};
    };

    std::string format;                 ///< The layout's name, or its widths: "41/10/12".
    instant time;                       ///< When the id's tick began.
    std::int64_t epoch_ms = 0;          ///< The epoch that `time` was told with, in Unix milliseconds.
    std::vector<field> fields;          ///< tick, machine, the machine's named parts, sequence.
    std::vector<std::string> warnings;  ///< Whole sentences; none when nothing is odd.
};

/// "41/10/12": the bits of time, machine and sequence, in the order in which an id has them.
std::string widths_of(const layout& l);
/// The layout's name, or its widths when it has none.
std::string name_of(const layout& l);

/// Reads `i` with `l`. Every 64 bits say something in every layout: whether it is plausible is told by the
/// warnings, for which `now` is the present. Threads: pure. Cost: allocates.
decoded decode(id i, const layout& l, instant now);

// ---- definitions ----

inline std::string widths_of(const layout& l) {
    const bool machine_first = l.order == field_order::time_machine_sequence;
    const unsigned second = machine_first ? l.machine_bits : l.sequence_bits;
    const unsigned third = machine_first ? l.sequence_bits : l.machine_bits;
    return std::to_string(l.timestamp_bits) + '/' + std::to_string(second) + '/' + std::to_string(third);
}

inline std::string name_of(const layout& l) {
    return l.name.view().empty() ? widths_of(l) : std::string{l.name.view()};
}

inline decoded decode(id i, const layout& l, instant now) {
    const firn::fields f = l.decode(i);
    decoded d;
    d.format = name_of(l);
    d.time = l.time_of(i);
    d.epoch_ms = l.epoch_ms;
    d.fields.reserve(3 + l.machine_parts.size());
    d.fields.push_back({"tick", static_cast<std::uint64_t>(f.tick.count)});
    d.fields.push_back({"machine", f.machine});
    for (std::size_t part = 0; part < l.machine_parts.size(); ++part)
        if (l.machine_parts[part].bits > 0)
            d.fields.push_back({std::string{l.machine_parts[part].name.view()}, l.part_of(f.machine, part)});
    d.fields.push_back({"sequence", f.sequence});

    if (l.reserved_bits > 0 && (i.value >> (64U - l.reserved_bits)) != 0)
        d.warnings.emplace_back("it has bits set that this layout keeps at 0: it was made with another one");
    else if (f.tick >= l.end_tick())
        d.warnings.push_back("it lies past the life of the layout (which ends at " +
                             rfc3339(l.end_instant()) + ")");
    if (d.time > now)
        d.warnings.push_back("its date lies in the future (now " + rfc3339(now) + ", read with the epoch " +
                             rfc3339(l.first_instant()) + "): another layout or epoch may be the right one");
    return d;
}

}  // namespace firn::formats
