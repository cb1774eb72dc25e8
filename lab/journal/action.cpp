#include "lab/journal/action.hpp"

#include <charconv>
#include <limits>
#include <utility>
#include <vector>

namespace firn::lab {

namespace {

struct verb {
    act what;
    std::string_view name;
    bool has_process;
};
constexpr std::array<verb, 16> verbs{{{act::start, "start", true},
                                      {act::step, "step", true},
                                      {act::issue, "issue", true},
                                      {act::read, "read", true},
                                      {act::claim, "claim", true},
                                      {act::extend, "extend", true},
                                      {act::close, "close", true},
                                      {act::kill, "kill", true},
                                      {act::fork, "fork", true},
                                      {act::power, "power", false},
                                      {act::evict, "evict", false},
                                      {act::write_back, "write-back-fails", false},
                                      {act::page_fails, "page-fails", false},
                                      {act::page_evict, "page-evict", false},
                                      {act::wall, "wall", false},
                                      {act::expire, "lock-expires", false}}};

constexpr std::array<std::string_view, 4> fate_names{"old", "first", "newest", "torn"};
constexpr std::array<std::string_view, 4> page_names{"kept", "back", "zero", "garbage"};
constexpr std::array<std::string_view, 5> mishap_names{"", "write-fails", "sync-fails", "page-fails",
                                                       "interrupted"};

template <std::size_t Size>
std::optional<std::uint8_t> index_of(const std::array<std::string_view, Size>& names, std::string_view name) {
    for (std::size_t i = 0; i < Size; ++i)
        if (names[i] == name) return static_cast<std::uint8_t>(i);
    return std::nullopt;
}

template <class Number>
bool parse(std::string_view text, Number& value) {
    if (!text.empty() && text.front() == '+') text.remove_prefix(1);
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc{} && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t at = text.find(by);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

std::string fates_text(const action& a) {
    std::string text;
    for (const fate f : a.fates) {
        text += (text.empty() ? "" : "/") + std::string{fate_names[static_cast<std::size_t>(f)]};
        if (f == fate::torn && a.cut != 0) text += "@" + std::to_string(a.cut);
    }
    return text;
}

bool parse_fates(std::string_view text, action& a) {
    const auto parts = split(text, '/');
    if (parts.size() != a.fates.size()) return false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const auto halves = split(parts[i], '@');
        const auto which = index_of(fate_names, halves[0]);
        if (!which || halves.size() > 2 || (halves.size() == 2 && !parse(halves[1], a.cut))) return false;
        a.fates[i] = static_cast<fate>(*which);
    }
    return true;
}

bool parse_page(std::string_view text, action& a) {
    const auto halves = split(text, '@');
    const auto which = index_of(page_names, halves[0]);
    if (!which || halves.size() > 2 || (halves.size() == 2 && !parse(halves[1], a.n))) return false;
    a.page = static_cast<page_after>(*which);
    return true;
}

/// One word after the verb; `at` is its position there.
bool parse_word(std::string_view word, std::size_t at, action& a) {
    switch (a.what) {
        case act::issue:
            return at == 1 && parse(word, a.n) && a.n >= 1;
        case act::fork:
            return at == 1 && parse(word, a.other);
        case act::step: {
            const auto halves = split(word, '=');
            const auto which = index_of(mishap_names, halves[0]);
            if (at != 1 || !which || *which == 0 || halves.size() > 2) return false;
            a.fault = static_cast<mishap>(*which);
            return halves.size() == 1 || parse_fates(halves[1], a);
        }
        case act::power:
            if (word == "name-lost") return a.name_lost = true;
            if (word.substr(0, 5) == "page=") return parse_page(word.substr(5), a);
            return at == 0 && parse_fates(word, a);
        case act::write_back:
            return at == 0 && parse_fates(word, a);
        case act::evict:
            return at == 0 && parse(word, a.other) && a.other < 2;
        case act::wall:
        case act::page_evict:
            return at == 0 && parse(word, a.n);
        default:
            return false;
    }
}

}  // namespace

std::string_view name_of(act a) noexcept {
    return verbs[static_cast<std::size_t>(a)].name;
}

std::string to_text(const action& a) {
    const verb& v = verbs[static_cast<std::size_t>(a.what)];
    std::string text{v.name};
    if (v.has_process) text += ":" + std::to_string(a.process);
    switch (a.what) {
        case act::issue:
            if (a.n != 1) text += "," + std::to_string(a.n);
            break;
        case act::fork:
            text += "," + std::to_string(a.other);
            break;
        case act::step:
            if (a.fault != mishap::none)
                text += "," + std::string{mishap_names[static_cast<std::size_t>(a.fault)]};
            if (a.fault == mishap::sync_fails) text += "=" + fates_text(a);
            break;
        case act::power:
            text +=
                ":" + fates_text(a) + ",page=" + std::string{page_names[static_cast<std::size_t>(a.page)]};
            if (a.page == page_after::back || a.page == page_after::garbage)
                text += "@" + std::to_string(a.n);
            if (a.name_lost) text += ",name-lost";
            break;
        case act::write_back:
            text += ":" + fates_text(a);
            break;
        case act::evict:
            text += ":" + std::to_string(a.other);
            break;
        case act::page_evict:
            text += ":" + std::to_string(a.n);
            break;
        case act::wall:
            text += (a.n < 0 ? ":" : ":+") + std::to_string(a.n);
            break;
        default:
            break;
    }
    return text;
}

std::optional<action> action_of(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view name = text.substr(0, colon);
    action a;
    const verb* found = nullptr;
    for (const verb& v : verbs)
        if (v.name == name) found = &v;
    if (found == nullptr) return std::nullopt;
    a.what = found->what;
    if (a.what == act::issue) a.n = 1;
    std::vector<std::string_view> words;
    if (colon != std::string_view::npos) words = split(text.substr(colon + 1), ',');
    std::size_t at = 0;
    if (found->has_process) {
        if (words.empty() || !parse(words[0], a.process)) return std::nullopt;
        at = 1;
    }
    for (; at < words.size(); ++at)
        if (!parse_word(words[at], at, a)) return std::nullopt;
    return a;
}

}  // namespace firn::lab
