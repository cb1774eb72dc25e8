#include "cli/commands/lab_words.hpp"

#include <array>
#include <cstdio>
#include <iostream>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/terminal.hpp"
#include "lab/hunt/story.hpp"
#include "lab/journal/bug.hpp"

namespace firn::cli {

namespace {

std::string replay_command(const lab::script& s) {
    return "firn lab hunt --replay '" + lab::to_text(s) + "'";
}

}  // namespace

CLI::Validator bug_name() {
    std::vector<std::string> words{"list", "none"};
    for (const lab::bug_entry& b : lab::bugs()) words.emplace_back(b.name);
    return one_of(words, "--bug amnesia");
}

void print_bugs(bool json) {
    if (json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const lab::bug_entry& b : lab::bugs())
            all.push_back({{"name", b.name}, {"what", b.what}, {"where", b.where}});
        std::cout << all.dump() << '\n';
        return;
    }
    for (const lab::bug_entry& b : lab::bugs())
        std::cout << b.name << std::string(24 - b.name.size(), ' ') << b.what << " (" << b.where << ")\n";
}

std::string grouped(std::uint64_t n) {
    std::string text = std::to_string(n);
    for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
    return text;
}

std::string seconds_text(double seconds) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", seconds);
    return text.data();
}

void print_scenario(const lab::script& s) {
    const style look = style_of(stdout);
    for (const std::string& line : lab::story_of(s)) {
        const bool verdict = line.rfind("=>", 0) == 0;
        std::cout << (verdict ? look.bold : "") << line << (verdict ? look.plain : "") << '\n';
    }
    std::cout << "Again: " << replay_command(s) << '\n';
}

nlohmann::ordered_json json_of(const lab::script& s, const lab::finding& f) {
    return {{"flaw", lab::name_of(f.flaw)}, {"what", lab::describe(f.flaw)}, {"actions", s.actions.size()},
            {"scenario", lab::to_text(s)},  {"replay", replay_command(s)},   {"story", lab::story_of(s)}};
}

}  // namespace firn::cli
