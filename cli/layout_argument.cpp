#include "cli/layout_argument.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "cli/arguments.hpp"
#include "cli/time_argument.hpp"
#include "firn/formats/decode.hpp"
#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"

namespace firn::cli {
namespace {

std::optional<layout> from_widths(std::string_view text) {
    std::array<std::uint8_t, 3> widths{};
    unsigned sum = 0;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        const std::size_t slash = i + 1 < widths.size() ? text.find('/') : text.size();
        if (slash == std::string_view::npos) return std::nullopt;
        const parsed p = parse_decimal(text.substr(0, slash), 64);
        if (!p) return std::nullopt;
        widths[i] = static_cast<std::uint8_t>(p.value);
        sum += widths[i];
        text.remove_prefix(std::min(slash + 1, text.size()));
    }
    if (sum > 64) return std::nullopt;
    layout l;
    l.reserved_bits = static_cast<std::uint8_t>(64 - sum);
    l.timestamp_bits = widths[0];
    l.machine_bits = widths[1];
    l.sequence_bits = widths[2];
    return l;
}

}  // namespace

layout layout_argument(const std::string& name, const std::string& text, const std::string& epoch) {
    layout l;
    if (const layout* known = layouts::find(text)) {
        l = *known;
    } else if (const auto widths = from_widths(text)) {
        l = *widths;
    } else {
        std::string names;
        for (const layout* one : layouts::all) names += std::string{one->name.view()} + ", ";
        throw bad_argument(
            name, "takes " + names + "or at most 64 bits as time/machine/sequence, not '" + text + "'",
            name + " 41/10/12");
    }
    if (!epoch.empty())
        l.epoch_ms = std::chrono::floor<std::chrono::milliseconds>(
                         time_argument("--epoch", epoch, "--epoch 2025-01-01T00:00:00Z"))
                         .time_since_epoch()
                         .count();
    if (const char* fault = fault_of(l)) throw bad_argument(name, fault, name + " 41/10/12");
    return l;
}

std::string describe(const layout& l) {
    std::string out{l.name.view()};
    if (!out.empty()) out += ": ";
    out += formats::widths_of(l);
    if (l.order == field_order::time_sequence_machine) out += " (time/sequence/machine)";
    const bool whole = l.tick_us % 1000 == 0;
    out += ", ticks of " +
           (whole ? std::to_string(l.tick_us / 1000) + " ms" : std::to_string(l.tick_us) + " us");
    return out + " from " + rfc3339(l.first_instant());
}

}  // namespace firn::cli
