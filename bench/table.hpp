// The table that `./dev bench` prints: each row a figure of this run, its target, and whether it is met.
//
// Not a benchmark library: what is timed is in the *_rows.cpp files, how is in measure.hpp.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace firn::bench {

/// One line. A row without a target is a limit of the machine, for the reader to hold the others against.
struct row {
    std::string path;             ///< What was measured.
    double value = 0;             ///< In `unit`.
    std::string unit;             ///< "ns", "x" (a ratio), "%", "M/s".
    std::optional<double> most;   ///< Met when value <= most …
    std::optional<double> least;  ///< … and value >= least.
    std::string detail;           ///< What stands beside it: the figures behind a ratio.

    bool met() const noexcept { return (!most || value <= *most) && (!least || value >= *least); }
    bool has_target() const noexcept { return most || least; }
};

/// How much to measure: `smoke` shows only that everything runs.
struct effort {
    bool smoke = false;
    int rounds() const noexcept { return smoke ? 1 : 31; }
};

std::vector<row> path_rows(const effort& e);    ///< try_next and batches, one thread.
std::vector<row> thread_rows(const effort& e);  ///< Two threads on one generator.
std::vector<row> journal_rows(
    const effort& e);                        ///< The mapped file, two processes, extension, the tick's limit.
std::vector<row> lab_rows(const effort& e);  ///< The simulator.

void print_table(std::ostream& out, const std::vector<row>& rows);
void print_json(std::ostream& out, const std::vector<row>& rows);

}  // namespace firn::bench
