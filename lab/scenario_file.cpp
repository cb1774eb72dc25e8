#include "lab/scenario_file.hpp"

#define TOML_HEADER_ONLY 1
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"

namespace firn::lab {

namespace {

[[noreturn]] void fail(const std::string& file, const toml::node& at, const std::string& what) {
    throw std::runtime_error(file + ":" + std::to_string(at.source().begin.line) + ": " + what);
}

/// A number or a text as it would be written on the command line.
std::optional<std::string> plain_text(const toml::node& n) {
    if (const auto* text = n.as_string()) return text->get();
    if (const auto* whole = n.as_integer()) return std::to_string(whole->get());
    if (const auto* real = n.as_floating_point()) {
        if (!std::isfinite(real->get())) return std::nullopt;
        std::array<char, 400> out;
        const auto end =
            std::to_chars(out.data(), out.data() + out.size(), real->get(), std::chars_format::fixed).ptr;
        return std::string{out.data(), end};
    }
    return std::nullopt;
}

std::vector<std::string> plain_texts(const std::string& file, const toml::node& n) {
    std::vector<std::string> texts;
    if (const auto* list = n.as_array()) {
        for (const toml::node& each : *list) {
            const auto text = plain_text(each);
            if (!text) fail(file, each, "a list holds numbers and texts only");
            texts.push_back(*text);
        }
    } else if (const auto text = plain_text(n)) {
        texts.push_back(*text);
    } else {
        fail(file, n, "takes a number, a text or a list of them");
    }
    return texts;
}

template <class Target>
void assign_all(const std::string& file, std::span<const parameter<Target>> parameters, Target& target,
                const toml::table& from) {
    for (const auto& [key, value] : from) {
        if (key == "name" || key == "note" || key == "expect") continue;
        try {
            const std::vector<std::string> texts = plain_texts(file, value);
            assign(parameters, target, key.str(), std::span<const std::string>{texts});
        } catch (const argument_error& e) {
            fail(file, value, e.name() + ": " + e.complaint());
        }
    }
}

template <class Target>
Target make_target(const std::string& file, std::span<const parameter<Target>> parameters,
                   const toml::table* base, const toml::table& own) {
    Target target;
    if (base != nullptr) assign_all(file, parameters, target, *base);
    assign_all(file, parameters, target, own);
    return target;
}

scenario_case read_case(const std::string& file, const std::string& kind, const toml::table* base,
                        const toml::table& own) {
    scenario_case c;
    c.name = own["name"].value_or(std::string{});
    c.note = own["note"].value_or(std::string{});
    if (c.name.empty()) fail(file, own, "a case needs a name");
    const toml::table* expect = own["expect"].as_table();
    if (expect == nullptr || expect->empty()) fail(file, own, "a case needs figures in 'expect'");
    for (const auto& [key, value] : *expect) {
        const auto text = plain_text(value);
        if (!text) fail(file, value, "a figure is a number or a text");
        c.expected.push_back({std::string{key.str()}, *text});
    }
    try {
        if (kind == "run") {
            auto s = make_target(file, scenario_parameters(), base, own);
            check(s);
            c.what = s;
        } else if (kind == "fleet") {
            auto o = make_target(file, fleet_parameters(), base, own);
            check(o);
            c.what = o;
        } else {
            c.what = make_target(file, field_parameters(), base, own);
        }
    } catch (const argument_error& e) {
        fail(file, own, e.name() + ": " + e.complaint());
    }
    return c;
}

/// toml++ sorts keys; the figures of a case are shown in the order in which they stand in the file.
void restore_order(const toml::table& expect, std::vector<expectation>& figures) {
    std::stable_sort(figures.begin(), figures.end(), [&](const expectation& a, const expectation& b) {
        const auto where = [&](const expectation& e) { return expect.get(e.name)->source().begin; };
        return where(a) < where(b);
    });
}

}  // namespace

scenario_file parse_scenario(std::string_view text, const std::string& name) {
    toml::table root;
    try {
        root = toml::parse(text, name);
    } catch (const toml::parse_error& e) {
        throw std::runtime_error(name + ":" + std::to_string(e.source().begin.line) + ": " +
                                 std::string{e.description()});
    }
    scenario_file file;
    file.name = std::filesystem::path{name}.stem().string();
    file.section = root["section"].value_or(0);
    file.title = root["title"].value_or(file.name);
    const std::string kind = root["kind"].value_or(std::string{"run"});
    if (kind != "run" && kind != "fleet" && kind != "field")
        fail(name, *root.get("kind"), "kind takes run, fleet or field, not '" + kind + "'");
    for (const auto& [key, value] : root)
        if (key != "section" && key != "title" && key != "kind" && key != "base" && key != "case")
            fail(name, value,
                 "there is no key '" + std::string{key.str()} + "' (parameters stand in [base])");
    const toml::array* cases = root["case"].as_array();
    if (cases == nullptr || cases->empty()) fail(name, root, "there is no [[case]]");
    for (const toml::node& each : *cases) {
        const toml::table* own = each.as_table();
        if (own == nullptr) fail(name, each, "a case is a table");
        file.cases.push_back(read_case(name, kind, root["base"].as_table(), *own));
        restore_order(*(*own)["expect"].as_table(), file.cases.back().expected);
    }
    return file;
}

scenario_file load_scenario(const std::string& path) {
    std::ifstream in{path};
    if (!in) {
        for (const scenario_file& file : builtin_scenarios())
            if (file.name == path) return file;
        throw std::runtime_error(path +
                                 ": there is no such file, and no scenario of the study has this name");
    }
    std::ostringstream text;
    text << in.rdbuf();
    return parse_scenario(text.str(), path);
}

std::span<const scenario_file> builtin_scenarios() {
    static const std::vector<scenario_file> files = [] {
        std::vector<scenario_file> parsed;
        for (const embedded_file& file : embedded_scenarios())
            parsed.push_back(parse_scenario(file.text, std::string{"lab/scenarios/"} + file.name));
        return parsed;
    }();
    return files;
}

figures measure(const scenario_case& c) {
    if (const auto* s = std::get_if<scenario>(&c.what)) return figures_of(run(*s), *s);
    if (const auto* o = std::get_if<fleet_options>(&c.what)) return figures_of(run_fleet(*o), *o);
    return figures_of(look_at(std::get<field_options>(c.what)));
}

std::string replay_command(const scenario_file& file, const scenario_case& c) {
    if (file.section != 0 && !std::holds_alternative<scenario>(c.what))
        return "firn demo --section " + std::to_string(file.section);
    return "firn lab run --scenario " + file.name + " --case '" + c.name + "'";
}

}  // namespace firn::lab
