#include "lab/study.hpp"

#include <algorithm>
#include <array>

namespace firn::lab {

const section_text& text_of_section(int section) {
    static constexpr std::array<section_text, study_sections> texts = {{
        {"What is in the 64 bits", "1 sign bit, 41 of milliseconds, 10 of machine, 12 of sequence.",
         "The time field has an end, and a machine number that is masked instead of checked is silently "
         "another machine."},
        {"The clock steps back",
         "The headline trace: 8 requests/ms for 200 ms; at true 100 the wall falls back by 50 ms.",
         "Blind lives 50 ms twice, refuse fails until the wall has caught up, clamp spends the room left in "
         "the last millisecond."},
        {"The probe defeats the defence",
         "The headline trace; K failures in a row, and a supervisor replaces the process.",
         "Refusing is remembering, and the restart forgets: what was refused from then on is issued again."},
        {"The amnesia is not one integer",
         "The headline trace; a deploy at true 120, in the middle of the rewind.",
         "A slot is a millisecond and a sequence: a new process that is told half of it hands out the other "
         "half again."},
        {"One character", "The headline trace; the rewind test is <= instead of <.",
         "Equality is a defence of its own: an ordinary second id in a millisecond is no rewind."},
        {"One line",
         "The sequence is never reset; the second trace runs 1000 ms and falls back by 200 at 600.",
         "Blind without duplicates is a coincidence of phase, and a restart in phase ends it."},
        {"The sequence is a clock-error budget",
         "The headline trace under clamp and spin, unless said otherwise.",
         "A rewind is free while rate × (rewind + 1) ≤ 2^sequence bits; past that, one waits or runs ahead."},
        {"\"Roughly sortable\" survives",
         "Several fleets each; perfect clocks, 8 ids/ms of each machine at random instants.",
         "Only two ids of one millisecond and two machines can be in the wrong order, so no pair is 1 ms or "
         "more apart: ½ (1 − 1/M) / T of all pairs."},
        {"The third option",
         "The restarts of the headline trace again, with the production journal over a simulated disk.",
         "A killed process leaves the page that its cursor lies in (D); a host without power leaves a "
         "ceiling "
         "written ahead of use (E), and skips a window instead of repeating anything."},
    }};
    return texts[static_cast<std::size_t>(section) - 1];
}

bool study_row::ok() const {
    return std::all_of(figures.begin(), figures.end(), [](const checked_figure& f) { return f.ok; });
}

bool section_result::ok() const {
    return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const study_row& r) { return r.ok(); });
}

section_result run_section(int section) {
    section_result result{.section = section, .rows = {}};
    for (const scenario_file& file : builtin_scenarios()) {
        if (file.section != section) continue;
        for (const scenario_case& c : file.cases) {
            const figures measured = measure(c);
            study_row row{.file = &file, .of = &c, .figures = {}};
            for (const expectation& e : c.expected) row.figures.push_back(check_figure(measured, e));
            result.rows.push_back(std::move(row));
        }
    }
    return result;
}

}  // namespace firn::lab
