#include "service/core/decode.hpp"

#include "firn/rfc3339.hpp"
#include "firn/text.hpp"
#include "service/core/layout_text.hpp"

namespace firn::service {

std::vector<named_value> decode(id i, const layout& l, instant now) {
    const fields f = l.decode(i);
    const instant when = l.time_of(f.tick);
    const auto number = [](const std::string& name, auto value) {
        return named_value{.name = name, .text = std::to_string(value), .number = true};
    };
    std::vector<named_value> all;
    all.push_back({.name = "id", .text = to_decimal(i)});
    all.push_back({.name = "hex", .text = to_hex(i)});
    all.push_back({.name = "layout", .text = text_of(l)});
    all.push_back({.name = "epoch", .text = rfc3339(l.first_instant())});
    all.push_back({.name = "time", .text = rfc3339(when)});
    all.push_back(
        number("unix_ms", std::chrono::floor<std::chrono::milliseconds>(when).time_since_epoch().count()));
    all.push_back(number("tick", f.tick.count));
    all.push_back(number("machine", f.machine));
    for (std::size_t part = 0; part < l.machine_parts.size(); ++part)
        if (l.machine_parts[part].bits > 0)
            all.push_back(number(std::string{l.machine_parts[part].name.view()}, l.part_of(f.machine, part)));
    all.push_back(number("sequence", f.sequence));
    all.push_back({.name = "future", .text = when > now ? "true" : "false", .boolean = true});
    return all;
}

}  // namespace firn::service
