#include "lab/scenario_parameters.hpp"

#include <array>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "firn/text.hpp"

namespace firn::lab {

namespace {

constexpr std::int64_t most_ms = 100'000'000'000;
constexpr const char* takes_ms = "milliseconds from 0 to 10^11, with at most 6 decimals";

template <class Value, std::size_t Size>
bool parse_name(Value& to, const std::string& text, const std::pair<const char*, Value> (&names)[Size]) {
    for (const auto& [name, value] : names) {
        if (text != name) continue;
        to = value;
        return true;
    }
    return false;
}

bool append_ms(std::vector<std::int64_t>& to, const std::string& text) {
    std::int64_t ns = 0;
    if (!parse_ms(ns, text)) return false;
    to.push_back(ns);
    return true;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts{""};
    for (const char c : text) {
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

/// A span of time that may be negative, in ms.
bool parse_shift(std::int64_t& to_ns, const std::string& text) {
    const bool negative = text.starts_with('-');
    if (!parse_ms(to_ns, negative ? text.substr(1) : text)) return false;
    if (negative) to_ns = -to_ns;
    return true;
}

/// What happens to the wall: see the parameter `clock` below.
bool append_clock(std::vector<clock_event>& to, const std::string& text) {
    const std::vector<std::string> part = split(text, ':');
    clock_event e;
    if (part.size() < 3 || !parse_ms(e.at_ns, part[1])) return false;
    const std::string& kind = part[0];
    if (kind == "step" && part.size() == 3) {
        if (!parse_shift(e.by_ns, part[2])) return false;
        to.push_back(e);
        return true;
    }
    if (kind == "slew" && part.size() == 4) {
        if (!parse_shift(e.by_ns, part[2]) || !parse_ms(e.over_ns, part[3]) || e.over_ns == 0) return false;
        to.push_back(e);
        return true;
    }
    if (kind == "drift" && part.size() == 3) {
        const auto ppb = parse_fixed(part[2], 0);
        if (!ppb || *ppb < -1'000'000'000 || *ppb > 1'000'000'000) return false;
        to.push_back({.at_ns = e.at_ns, .by_ns = *ppb, .over_ns = 1'000'000'000, .endless = true});
        return true;
    }
    if (kind == "jump" && part.size() == 4) {
        std::int64_t for_ns = 0;
        if (!parse_shift(e.by_ns, part[2]) || !parse_ms(for_ns, part[3])) return false;
        to.push_back(e);
        to.push_back({.at_ns = e.at_ns + for_ns, .by_ns = -e.by_ns});
        return true;
    }
    if (kind == "stop" && part.size() == 3) {
        if (!parse_ms(e.over_ns, part[2]) || e.over_ns == 0) return false;
        e.by_ns = -e.over_ns;
        to.push_back(e);
        return true;
    }
    return false;
}

std::vector<parameter<scenario>> make_parameters() {
    using s = scenario;
    using text = std::string;
    return {
        {"policy", "NAME", "blind, refuse or clamp", "refuse", "what to do when the clock steps back",
         [](s& to, const text& v) {
             return parse_name<rewind_policy>(to.rules.rewind, v,
                                              {{"blind", rewind_policy::unsafe_blind},
                                               {"refuse", rewind_policy::refuse},
                                               {"clamp", rewind_policy::clamp}});
         }},
        {"overflow", "NAME", "spin or borrow", "borrow", "what to do when a millisecond is spent",
         [](s& to, const text& v) {
             return parse_name<overflow_policy>(
                 to.rules.overflow, v,
                 {{"spin", overflow_policy::spin}, {"borrow", overflow_policy::borrow}});
         }},
        {"variant", "NAME", "strict, inclusive or free-running", "inclusive",
         "the decision, or the study's variants of it",
         [](s& to, const text& v) {
             return parse_name<decision_variant>(to.rules.variant, v,
                                                 {{"strict", decision_variant::strict},
                                                  {"inclusive", decision_variant::inclusive},
                                                  {"free-running", decision_variant::free_running}});
         }},
        {"rate", "N", "requests per ms from 0.000000001 to 1000000, with at most 9 decimals", "8",
         "requests per millisecond", [](s& to, const text& v) { return parse_rate(to.rate, v); }},
        {"duration", "MS", takes_ms, "200", "how long requests are offered",
         [](s& to, const text& v) { return parse_ms(to.duration_ns, v); }},
        {"arrivals", "NAME", "even or random", "random", "evenly spaced, or uniform over the duration",
         [](s& to, const text& v) {
             return parse_name<arrival_kind>(
                 to.arrivals, v, {{"even", arrival_kind::even}, {"random", arrival_kind::random}});
         }},
        {"seed", "N", "a whole number from 0 to 2^64 - 1", "7", "of the random arrivals",
         [](s& to, const text& v) { return parse_count(to.seed, v); }},
        {"step-at", "MS", takes_ms, "100", "true time at which the wall steps back",
         [](s& to, const text& v) { return parse_ms(to.step_at_ns, v); }},
        {"rewind", "MS", takes_ms, "50", "how far it steps back; 0: not at all",
         [](s& to, const text& v) { return parse_ms(to.rewind_ns, v); }},
        {"clock", "EVENT",
         "step:AT:BY, slew:AT:BY:OVER, stop:AT:FOR, jump:AT:BY:FOR (there and back) or drift:AT:PPB, times "
         "in "
         "ms",
         "slew:100:-5:1000", "one more thing that happens to the wall (repeatable; they add up)",
         [](s& to, const text& v) { return append_clock(to.clock, v); }, [](s& to) { to.clock.clear(); }},
        {"probe", "K", "a whole number of failures, 0 for no probe", "10",
         "failures in a row after which the supervisor replaces the process",
         [](s& to, const text& v) { return parse_count(to.probe, v); }},
        {"deploy-at", "MS", takes_ms, "120", "replace the process at this true time (repeatable)",
         [](s& to, const text& v) { return append_ms(to.deploys_ns, v); },
         [](s& to) { to.deploys_ns.clear(); }},
        {"kill-at", "MS", takes_ms, "120.5",
         "kill it at this true time, the request it works on included (repeatable)",
         [](s& to, const text& v) { return append_ms(to.kills_ns, v); }, [](s& to) { to.kills_ns.clear(); }},
        {"start-rule", "NAME", "amnesia, resume, skip, journal or reserve", "resume",
         "what a new process starts with",
         [](s& to, const text& v) {
             return parse_name<start_rule>(to.start, v,
                                           {{"amnesia", start_rule::amnesia},
                                            {"resume", start_rule::resume},
                                            {"skip", start_rule::skip},
                                            {"journal", start_rule::journal},
                                            {"reserve", start_rule::reserve}});
         }},
        {"window", "MS", "whole milliseconds from 1 to 86400000", "30",
         "how far ahead of use a journal reserves (start rules journal and reserve)",
         [](s& to, const text& v) {
             const parsed p = parse_decimal(v, 86'400'000);
             if (p && p.value > 0) to.window_ms = static_cast<std::int64_t>(p.value);
             return p && p.value > 0;
         }},
        {"machine", "N", "a whole number", "7", "the machine number",
         [](s& to, const text& v) { return parse_count(to.machine, v); }},
        {"layout", "T/M/S", "timestamp/machine/sequence bits that add up to 63", "41/10/12",
         "the widths of the fields", [](s& to, const text& v) { return parse_widths(to.layout, v); }},
        {"epoch", "MS", "Unix milliseconds from 0 to 253402300799999", "1288834974657",
         "the layout's epoch, which is true time 0",
         [](s& to, const text& v) {
             const parsed p = parse_decimal(v, 253'402'300'799'999);
             if (p) to.layout.epoch_ms = static_cast<std::int64_t>(p.value);
             return static_cast<bool>(p);
         }},
        {"ahead-max", "MS", "whole milliseconds from 0 to 10^11", "3600000",
         "how far past the wall an id may lie; unbounded unless given",
         [](s& to, const text& v) {
             const parsed p = parse_decimal(v, static_cast<std::uint64_t>(most_ms));
             if (p) to.rules.ahead_max = static_cast<std::int64_t>(p.value);
             return static_cast<bool>(p);
         }},
    };
}

}  // namespace

std::span<const parameter<scenario>> scenario_parameters() {
    static const std::vector<parameter<scenario>> table = make_parameters();
    return table;
}

void check(const scenario& s) {
    if (const char* fault = fault_of(s.layout))
        throw argument_error("layout", std::string{fault} + " (example: --layout 41/10/12)");
    if (s.machine > s.layout.machine_max())
        throw argument_error("machine", "takes 0 to " + std::to_string(s.layout.machine_max()) + " in " +
                                            std::to_string(s.layout.machine_bits) + " bits, not " +
                                            std::to_string(s.machine) + " (example: --machine 7)");
    if (keeps_journal(s.start) && s.rules.rewind == rewind_policy::unsafe_blind)
        throw argument_error(
            "policy",
            "takes refuse or clamp with the start rules journal and reserve, as a journal does: "
            "blind lowers the cursor (example: --policy clamp)");
    if (keeps_journal(s.start) && s.rules.variant == decision_variant::free_running)
        throw argument_error("start-rule",
                             "journal and reserve take the variants strict and inclusive: free-running needs "
                             "a third number, which a journal does not keep (example: --variant strict)");
    constexpr std::int64_t most_held = 1'000'000'000;
    if ((s.arrivals == arrival_kind::random || s.count_inversions) && s.offered() > most_held)
        throw argument_error("duration", "at this rate these are " + std::to_string(s.offered()) +
                                             " requests, and random arrivals or inversions, which are held "
                                             "in memory, take at most 10^9 (example: --duration 1000)");
    if (s.clock.size() > 64)
        throw argument_error("clock", "takes at most 64 events (example: --clock step:100:-50)");
    try {
        const wall probe{s.clock_events()};
    } catch (const std::invalid_argument& e) {
        throw argument_error("clock", std::string{e.what()} + " (example: --clock slew:100:-5:1000)");
    }
}

bool parse_rate(request_rate& to, const std::string& text) {
    constexpr std::int64_t scale = 1'000'000'000;
    const auto scaled = parse_fixed(text, 9);
    if (!scaled || *scaled < 1 || *scaled > 1'000'000 * scale) return false;
    const std::int64_t common = std::gcd(*scaled, scale);
    to = {.requests = *scaled / common, .per_ms = scale / common};
    return true;
}

bool parse_widths(firn::layout& to, const std::string& text) {
    const std::vector<std::string> part = split(text, '/');
    if (part.size() != 3) return false;
    std::array<std::uint8_t, 3> bits{};
    unsigned total = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        const parsed p = parse_decimal(part[i], 63);
        if (!p) return false;
        bits[i] = static_cast<std::uint8_t>(p.value);
        total += bits[i];
    }
    if (total != 63) return false;
    to.timestamp_bits = bits[0];
    to.machine_bits = bits[1];
    to.sequence_bits = bits[2];
    return true;
}

bool parse_ms(std::int64_t& to_ns, const std::string& text) {
    const auto ns = parse_fixed(text, 6);
    if (!ns || *ns < 0 || *ns > most_ms * ns_per_ms || text.starts_with('-')) return false;
    to_ns = *ns;
    return true;
}

bool parse_count(std::uint64_t& to, const std::string& text) {
    const parsed p = parse_decimal(text);
    if (p) to = p.value;
    return static_cast<bool>(p);
}

}  // namespace firn::lab
