#include "service/core/layout_text.hpp"

#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"

namespace firn::service {

namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view takes, std::string_view seen) {
    throw std::invalid_argument(std::string{what} + " takes " + std::string{takes} + "; not '" +
                                std::string{seen} + "'");
}

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

std::string names_of_layouts() {
    std::string names;
    for (const layout* one : layouts::all) names += std::string{one->name.view()} + ", ";
    return names;
}

std::int64_t epoch_from(std::string_view text) {
    if (const parsed p = parse_decimal(text, 253'402'300'799'999)) return static_cast<std::int64_t>(p.value);
    if (const auto when = parse_rfc3339(text); when && when->time_since_epoch().count() >= 0)
        return std::chrono::floor<std::chrono::milliseconds>(*when).time_since_epoch().count();
    refuse("epoch", "an instant from 1970 on, as 2025-01-01T00:00:00Z, or milliseconds since 1970", text);
}

template <class Value, std::size_t Size>
Value one_of(std::string_view what, std::string_view text,
             const std::array<std::pair<std::string_view, Value>, Size>& choices) {
    std::string names;
    for (const auto& [name, value] : choices) {
        if (name == text) return value;
        names += (names.empty() ? "" : " or ") + std::string{name};
    }
    refuse(what, names, text);
}

using namespace std::string_view_literals;
constexpr std::array rewinds{std::pair{"clamp"sv, rewind_policy::clamp},
                             std::pair{"refuse"sv, rewind_policy::refuse}};
constexpr std::array overflows{std::pair{"borrow"sv, overflow_policy::borrow},
                               std::pair{"spin"sv, overflow_policy::spin}};
constexpr std::array starts{std::pair{"zero"sv, sequence_start::zero},
                            std::pair{"rolling"sv, sequence_start::rolling},
                            std::pair{"random"sv, sequence_start::random}};
constexpr std::array orders{std::pair{"strict"sv, order::strict},
                            std::pair{"thread-blocks"sv, order::thread_blocks}};

}  // namespace

layout layout_from(std::string_view text, std::string_view epoch, std::string_view tick) {
    layout l;
    if (const layout* known = layouts::find(text))
        l = *known;
    else if (const auto widths = from_widths(text))
        l = *widths;
    else
        refuse("layout", names_of_layouts() + "or the bits of time/machine/sequence, as 41/10/12", text);
    if (!epoch.empty()) l.epoch_ms = epoch_from(epoch);
    if (!tick.empty()) l.tick_us = duration_from("tick", tick).count();
    if (const char* fault = fault_of(l)) throw std::invalid_argument(std::string{"layout: "} + fault);
    return l;
}

std::string text_of(const layout& l) {
    std::string out{l.name.view()};
    if (!out.empty()) out += ": ";
    const std::string machine = std::to_string(l.machine_bits);
    const std::string sequence = std::to_string(l.sequence_bits);
    const bool usual = l.order == field_order::time_machine_sequence;
    out += std::to_string(l.timestamp_bits) + '/' +
           (usual ? machine + '/' + sequence : sequence + '/' + machine);
    if (!usual) out += " (time/sequence/machine)";
    out += ", ticks of " + (l.tick_us % 1000 == 0 ? std::to_string(l.tick_us / 1000) + " ms"
                                                  : std::to_string(l.tick_us) + " us");
    return out + " from " + rfc3339(l.first_instant());
}

std::chrono::microseconds duration_from(std::string_view what, std::string_view text) {
    constexpr std::string_view takes = "a number with its unit (us, ms, s, m, h or d), as 250ms or 3s";
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') ++digits;
    const parsed p = parse_decimal(text.substr(0, digits), 1'000'000'000);
    if (!p) refuse(what, takes, text);
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> units{{{"us", 1},
                                                                              {"ms", 1000},
                                                                              {"s", 1'000'000},
                                                                              {"m", 60'000'000},
                                                                              {"h", 3'600'000'000},
                                                                              {"d", 86'400'000'000}}};
    for (const auto& [unit, us] : units)
        if (text.substr(digits) == unit) {
            if (p.value > 3'155'760'000'000'000 / static_cast<std::uint64_t>(us)) refuse(what, takes, text);
            return std::chrono::microseconds{static_cast<std::int64_t>(p.value) * us};
        }
    refuse(what, takes, text);
}

std::uint64_t machine_from(std::string_view text, std::string_view host) {
    if (text == "ordinal") {
        const std::size_t dash = host.rfind('-');
        const parsed p = dash == std::string_view::npos ? parsed{.fault = text_fault::empty}
                                                        : parse_decimal(host.substr(dash + 1), 0xFFFF'FFFF);
        if (!p)
            throw std::invalid_argument(
                "machine 'ordinal' takes the number after the last '-' of the host's name, as in firn-7; "
                "this "
                "host is '" +
                std::string{host} + "': give the number itself");
        return p.value;
    }
    const parsed p = parse_decimal(text, 0xFFFF'FFFF);
    if (!p)
        refuse("machine", "digits only, from 0 to what the layout's field holds, as 7, or 'ordinal'", text);
    return p.value;
}

bool is_space_name(std::string_view name) noexcept {
    if (name.empty() || name.size() > 64 || name[0] == '.' || name[0] == '-' || name[0] == ':') return false;
    for (const char c : name) {
        const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          c == '_' || c == '.' || c == ':' || c == '-';
        if (!fine) return false;
    }
    return true;
}

void set_key(space_settings& s, std::string_view key, std::string_view value, std::string_view host) {
    if (key == "layout")
        s.ids.layout = layout_from(value, "", "");
    else if (key == "epoch")
        s.ids.layout.epoch_ms = epoch_from(value);
    else if (key == "tick")
        s.ids.layout.tick_us = duration_from(key, value).count();
    else if (key == "machine")
        s.ids.machine = machine_from(value, host);
    else if (key == "rewind")
        s.ids.rewind = one_of(key, value, rewinds);
    else if (key == "overflow")
        s.ids.overflow = one_of(key, value, overflows);
    else if (key == "start")
        s.ids.start = one_of(key, value, starts);
    else if (key == "order")
        s.ids.order = one_of(key, value, orders);
    else if (key == "ahead-max")
        s.ids.ahead_max = duration_from(key, value);
    else if (key == "window")
        s.ids.window = duration_from(key, value);
    else if (key == "min-life")
        s.ids.min_life = duration_from(key, value);
    else
        refuse("space",
               "the keys layout, epoch, tick, machine, rewind, overflow, start, order, ahead-max, window and "
               "min-life, as orders,layout=twitter,machine=7",
               key);
}

space_settings space_from(std::string_view text, const space_settings& defaults, std::string_view host) {
    const std::size_t comma = std::min(text.find(','), text.size());
    space_settings s = defaults.named(std::string{text.substr(0, comma)});
    if (!is_space_name(s.name))
        throw std::invalid_argument(std::string{space_name_rule} + "; not '" + s.name + "'");
    text.remove_prefix(std::min(comma + 1, text.size()));
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view pair = text.substr(0, end);
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos) refuse("space", "KEY=VALUE after its name, as machine=7", pair);
        set_key(s, pair.substr(0, equals), pair.substr(equals + 1), host);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (const char* fault = fault_of(s.ids.layout))
        throw std::invalid_argument("space " + s.name + ": " + fault);
    return s;
}

}  // namespace firn::service
