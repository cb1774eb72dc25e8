#include "service/core/decode.hpp"

#include "firn/formats/decode.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"
#include "service/core/layout_text.hpp"

namespace firn::service {

std::vector<named_value> decode(id i, const layout& l, instant now) {
    const formats::decoded d = formats::decode(i, l, now);
    const auto number = [](const std::string& name, auto value) {
        return named_value{.name = name, .text = std::to_string(value), .number = true};
    };
    std::vector<named_value> all;
    all.push_back({.name = "id", .text = to_decimal(i)});
    all.push_back({.name = "hex", .text = to_hex(i)});
    all.push_back({.name = "layout", .text = text_of(l)});
    all.push_back({.name = "epoch", .text = rfc3339(l.first_instant())});
    all.push_back({.name = "time", .text = rfc3339(d.time)});
    all.push_back(
        number("unix_ms", std::chrono::floor<std::chrono::milliseconds>(d.time).time_since_epoch().count()));
    for (const formats::decoded::field& f : d.fields) all.push_back(number(f.name, f.value));
    all.push_back({.name = "future", .text = d.time > now ? "true" : "false", .boolean = true});
    return all;
}

}  // namespace firn::service
