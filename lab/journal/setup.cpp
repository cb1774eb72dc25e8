#include "lab/journal/setup.hpp"

#include <charconv>

namespace firn::lab {

namespace {

template <class Number>
bool parse(std::string_view text, Number& value, Number least, Number most) {
    Number read{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), read);
    if (code != std::errc{} || end != text.data() + text.size() || read < least || read > most) return false;
    value = read;
    return true;
}

bool parse_layout(std::string_view text, layout& l) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) return false;
    unsigned timestamp = 0;
    unsigned sequence = 0;
    if (!parse(text.substr(0, slash), timestamp, 1U, 45U) ||
        !parse(text.substr(slash + 1), sequence, 1U, 15U))
        return false;
    l = small_layout(static_cast<std::uint8_t>(timestamp), static_cast<std::uint8_t>(sequence));
    return true;
}

}  // namespace

std::string to_text(const setup& s) {
    const setup usual;
    std::string text =
        "layout=" + std::to_string(s.layout.timestamp_bits) + "/" + std::to_string(s.layout.sequence_bits);
    const auto add = [&](bool when, const std::string& word) {
        if (when) text += " " + word;
    };
    add(s.rules.rewind == rewind_policy::refuse, "rewind=refuse");
    add(s.rules.rewind == rewind_policy::unsafe_blind, "rewind=blind");
    add(s.rules.overflow == overflow_policy::spin, "overflow=spin");
    add(s.rules.start == sequence_start::rolling, "sequence-start=rolling");
    add(s.rules.start == sequence_start::random, "sequence-start=random");
    add(s.rules.ahead_max != usual.rules.ahead_max, "ahead-max=" + std::to_string(s.rules.ahead_max));
    add(s.order == order::thread_blocks, "order=blocks");
    add(s.largest_block != 0, "largest-block=" + std::to_string(s.largest_block));
    add(s.window_ticks != usual.window_ticks, "window=" + std::to_string(s.window_ticks));
    add(s.processes != usual.processes, "processes=" + std::to_string(s.processes));
    add(s.memory == memory::process, "memory=amnesia");
    add(s.memory == memory::process_resume, "memory=resume");
    add(s.probe != 0, "probe=" + std::to_string(s.probe));
    add(s.bug != bug::none, "bug=" + std::string{name_of(s.bug)});
    return text;
}

bool take(setup& s, std::string_view word) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view key = word.substr(0, equals);
    const std::string_view value = word.substr(equals + 1);
    if (key == "layout") return parse_layout(value, s.layout);
    if (key == "rewind") {
        s.rules.rewind = value == "refuse"  ? rewind_policy::refuse
                         : value == "blind" ? rewind_policy::unsafe_blind
                                            : rewind_policy::clamp;
        return value == "refuse" || value == "blind" || value == "clamp";
    }
    if (key == "overflow") {
        s.rules.overflow = value == "spin" ? overflow_policy::spin : overflow_policy::borrow;
        return value == "spin" || value == "borrow";
    }
    if (key == "sequence-start") {
        s.rules.start = value == "rolling"  ? sequence_start::rolling
                        : value == "random" ? sequence_start::random
                                            : sequence_start::zero;
        return value == "rolling" || value == "random" || value == "zero";
    }
    if (key == "ahead-max") return parse<std::int64_t>(value, s.rules.ahead_max, 0, std::int64_t{1} << 40);
    if (key == "order") {
        s.order = value == "blocks" ? order::thread_blocks : order::strict;
        return value == "blocks" || value == "strict";
    }
    if (key == "largest-block") return parse(value, s.largest_block, 0U, 1U << 20);
    if (key == "window") return parse<std::int64_t>(value, s.window_ticks, 1, 1 << 20);
    if (key == "processes") {
        unsigned n = 0;
        if (!parse(value, n, 1U, unsigned{setup::most_processes})) return false;
        s.processes = static_cast<std::uint8_t>(n);
        return true;
    }
    if (key == "memory") {
        s.memory = value == "amnesia"  ? memory::process
                   : value == "resume" ? memory::process_resume
                                       : memory::journal;
        return value == "amnesia" || value == "resume" || value == "journal";
    }
    if (key == "probe") return parse(value, s.probe, 0U, 1U << 20);
    if (key == "bug") {
        const auto b = bug_named(value);
        if (b) s.bug = *b;
        return b.has_value();
    }
    return false;
}

void put_in(setup& s, bug b) noexcept {
    s.bug = b;
    if (b != bug::refuse_probe) s.probe = 0;
    switch (b) {
        case bug::blind:
            s.memory = memory::process;
            s.processes = 1;
            s.rules.rewind = rewind_policy::unsafe_blind;
            break;
        case bug::refuse_probe:
            s.memory = memory::process;
            s.processes = 1;
            s.rules.rewind = rewind_policy::refuse;
            s.rules.overflow = overflow_policy::spin;
            s.probe = s.probe != 0 ? s.probe : 3;
            break;
        case bug::amnesia:
            s.memory = memory::process;
            s.processes = 1;
            s.rules.rewind = rewind_policy::clamp;
            break;
        case bug::resume:
            s.memory = memory::process_resume;
            s.processes = 1;
            s.rules.rewind = rewind_policy::clamp;
            break;
        case bug::block_across_fork:
            s.largest_block = s.largest_block != 0 ? s.largest_block : 64;
            s.order = order::thread_blocks;
            break;
        default:
            break;
    }
}

}  // namespace firn::lab
