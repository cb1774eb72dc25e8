// The study as data, its eight sections and the product's answer: each with its scenarios (lab/scenarios),
// its figures and why.
//
//     for (int n = 1; n <= lab::study_sections; ++n) print(lab::run_section(n));
#pragma once

#include <string>
#include <vector>

#include "lab/scenario_file.hpp"

namespace firn::lab {

inline constexpr int study_sections = 9;

struct section_text {
    const char* title;
    const char* setting;  ///< What is run.
    const char* why;      ///< One sentence.
};

/// Requires 1 <= section <= study_sections.
const section_text& text_of_section(int section);

struct study_row {
    const scenario_file* file;
    const scenario_case* of;
    std::vector<checked_figure> figures;

    bool ok() const;
};

struct section_result {
    int section = 0;
    std::vector<study_row> rows;

    bool ok() const;
};

/// Runs every scenario of the section.
section_result run_section(int section);

}  // namespace firn::lab
