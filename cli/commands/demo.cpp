// `firn demo`: the study, every figure beside what it must be.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/commands/demo_live.hpp"
#include "cli/terminal.hpp"
#include "lab/study.hpp"

namespace firn::cli {

namespace {

struct demo_arguments {
    int section = 0;
    bool live = false;
    bool json = false;
};

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t columns = columns_of(text);
    return text + std::string(columns < width ? width - columns : 0, ' ');
}

std::string heading_of(std::string figure) {
    std::replace(figure.begin(), figure.end(), '_', ' ');
    const auto unit = figure.find(" ms");
    if (unit != std::string::npos && unit + 3 == figure.size()) figure.replace(unit, 3, ", ms");
    return figure;
}

/// A run of rows that pin the same figures: they share a heading.
class block {
  public:
    explicit block(const lab::study_row& first) : names_(names_of(first)) { add(first); }

    static std::vector<std::string> names_of(const lab::study_row& row) {
        std::vector<std::string> names;
        for (const lab::checked_figure& f : row.figures) names.push_back(f.name);
        return names;
    }
    bool takes(const lab::study_row& row) const { return names_of(row) == names_; }
    void add(const lab::study_row& row) { rows_.push_back(&row); }

    void print(const style& s) const {
        std::size_t label = 0;
        for (const auto* row : rows_) label = std::max(label, columns_of(label_of(*row)));
        std::vector<std::size_t> width;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            std::size_t w = columns_of(heading_of(names_[i]));
            for (const auto* row : rows_) w = std::max(w, columns_of(cell(row->figures[i])));
            width.push_back(w);
        }
        std::cout << "   " << s.faint << padded("", label);
        for (std::size_t i = 0; i < names_.size(); ++i)
            std::cout << "   " << padded(heading_of(names_[i]), width[i]);
        std::cout << s.plain << '\n';
        for (const auto* row : rows_) {
            std::cout << "   " << padded(label_of(*row), label);
            for (std::size_t i = 0; i < names_.size(); ++i) {
                const lab::checked_figure& f = row->figures[i];
                std::cout << "   " << (f.ok ? "" : s.bad) << padded(cell(f), width[i])
                          << (f.ok ? "" : s.plain);
            }
            std::cout << "   " << (row->ok() ? s.good : s.bad) << (row->ok() ? "ok" : "DIFFERS") << s.plain;
            if (!row->of->note.empty()) std::cout << "   " << s.faint << row->of->note << s.plain;
            std::cout << '\n';
        }
    }

  private:
    static std::string label_of(const lab::study_row& row) { return row.file->title + " " + row.of->name; }
    static std::string cell(const lab::checked_figure& f) { return f.measured + " (" + f.expected + ")"; }

    std::vector<std::string> names_;
    std::vector<const lab::study_row*> rows_;
};

void print(const lab::section_result& result, const style& s) {
    const lab::section_text& text = lab::text_of_section(result.section);
    std::cout << s.bold << result.section << ". " << text.title << s.plain << "\n   " << text.setting
              << "\n\n";
    std::vector<block> blocks;
    for (const lab::study_row& row : result.rows) {
        if (!blocks.empty() && blocks.back().takes(row))
            blocks.back().add(row);
        else
            blocks.emplace_back(row);
    }
    for (const block& b : blocks) {
        b.print(s);
        std::cout << '\n';
    }
    std::cout << "   Why: " << text.why << "\n\n";
}

nlohmann::ordered_json json_of(const std::string& text, bool number) {
    return number ? nlohmann::ordered_json::parse(text) : nlohmann::ordered_json(text);
}

nlohmann::ordered_json json_of(const lab::section_result& result) {
    const lab::section_text& text = lab::text_of_section(result.section);
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const lab::study_row& row : result.rows) {
        nlohmann::ordered_json figures = nlohmann::ordered_json::object();
        for (const lab::checked_figure& f : row.figures)
            figures[f.name] = {{"measured", json_of(f.measured, f.number)},
                               {"expected", json_of(f.expected, f.number && !f.expected.starts_with('<'))},
                               {"ok", f.ok}};
        rows.push_back({{"scenario", row.file->name},
                        {"case", row.of->name},
                        {"replay", lab::replay_command(*row.file, *row.of)},
                        {"figures", figures},
                        {"ok", row.ok()}});
    }
    return {{"section", result.section},
            {"title", text.title},
            {"why", text.why},
            {"ok", result.ok()},
            {"rows", rows}};
}

void demo(const demo_arguments& given) {
    bool ok = true;
    std::size_t figures = 0;
    std::vector<std::string> replays;
    nlohmann::ordered_json sections = nlohmann::ordered_json::array();
    const style s = style_of(stdout);
    if (!given.json) std::cout << "Measured figures, and in brackets what each must be.\n\n";
    for (int n = 1; n <= lab::study_sections; ++n) {
        if (given.section != 0 && given.section != n) continue;
        const lab::section_result result = lab::run_section(n);
        ok = ok && result.ok();
        for (const lab::study_row& row : result.rows) {
            figures += row.figures.size();
            if (!row.ok()) replays.push_back(lab::replay_command(*row.file, *row.of));
        }
        if (given.json)
            sections.push_back(json_of(result));
        else
            print(result, s);
    }
    if (given.json) {
        std::cout << nlohmann::ordered_json{{"ok", ok}, {"sections", sections}}.dump() << '\n';
    } else if (ok) {
        std::cout << s.good << "All " << figures << " figures are as expected." << s.plain << '\n';
    } else {
        std::cout << s.bad << "Some of " << figures << " figures differ. To run those again:" << s.plain
                  << '\n';
        for (const std::string& command : replays) std::cout << "   " << command << '\n';
    }
    if (!ok) throw CLI::RuntimeError(1);
}

}  // namespace

void add_demo(CLI::App& app) {
    auto* command = app.add_subcommand("demo", "Run the whole study, each figure beside what it must be");
    auto given = std::make_shared<demo_arguments>();
    auto* section = command
                        ->add_option("--section", given->section,
                                     "Only this section, 1 to " + std::to_string(lab::study_sections))
                        ->type_name("N")
                        ->check(whole_number(1, lab::study_sections, "--section 4"));
    command->add_flag("--json", given->json, "Print one JSON object");
    auto live = std::make_shared<live_arguments>();
    auto* is_live =
        command->add_flag("--live", given->live, "The headline with real processes instead, in 15 seconds")
            ->excludes(section);
    command
        ->add_option("--rounds", live->rounds,
                     "With --live: rounds of half a second for each of its four runs")
        ->type_name("N")
        ->check(whole_number(1, 100, "--rounds 6"))
        ->needs(is_live)
        ->capture_default_str();
    command
        ->add_option("--directory", live->directory,
                     "With --live: where its journals are for that time. Default: $TMPDIR, else /tmp")
        ->type_name("DIR")
        ->needs(is_live);
    command->footer(
        "Exit status: 1 when a figure differs; with --live, when it does not show duplicates in memory\n"
        "and none in the journal.\n"
        "Examples:\n"
        "  firn demo\n"
        "  firn demo --section 4\n"
        "  firn demo --json\n"
        "  firn demo --live");
    command->callback([given, live] {
        live->json = given->json;
        if (given->live)
            demo_live(*live);
        else
            demo(*given);
    });
}

}  // namespace firn::cli
