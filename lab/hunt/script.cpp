#include "lab/hunt/script.hpp"

#include <charconv>

namespace firn::lab {

namespace {

constexpr unsigned most_repetitions = 100'000;

[[noreturn]] void refuse(std::string_view word) {
    throw std::invalid_argument("takes a scenario as `firn lab hunt` prints it, and '" + std::string{word} +
                                "' is no word of one");
}

/// Takes "*9" off the end of a word; 1 when there is none.
unsigned repetitions(std::string_view& word) {
    const std::size_t star = word.find('*');
    if (star == std::string_view::npos) return 1;
    unsigned n = 0;
    const std::string_view digits = word.substr(star + 1);
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
    if (code != std::errc{} || end != digits.data() + digits.size() || n < 1 || n > most_repetitions)
        refuse(word);
    word = word.substr(0, star);
    return n;
}

}  // namespace

std::string to_text(const script& s) {
    std::string text = to_text(s.setup);
    for (std::size_t i = 0; i < s.actions.size();) {
        std::size_t same = 1;
        while (i + same < s.actions.size() && s.actions[i + same] == s.actions[i]) ++same;
        text += " " + to_text(s.actions[i]);
        if (same > 1) text += "*" + std::to_string(same);
        i += same;
    }
    return text;
}

script script_of(std::string_view text) {
    script s;
    while (!text.empty()) {
        const std::size_t blank = text.find(' ');
        std::string_view word = text.substr(0, blank);
        text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
        if (word.empty() || take(s.setup, word)) continue;
        const std::string_view whole = word;
        const unsigned times = repetitions(word);
        const auto a = action_of(word);
        if (!a) refuse(whole);
        s.actions.insert(s.actions.end(), times, *a);
    }
    return s;
}

}  // namespace firn::lab
