// Columns for people: each as wide as its widest cell, numbers to the right.
//
//     table t{{"rewind", "stalled, ms"}};          // both to the right
//     table u{{"name", "bits"}, "lr"};             // words to the left
//     t.add({"50", "10.04"});
//     t.print(std::cout);
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/terminal.hpp"

namespace firn::cli {

class table {
  public:
    /// `sides` has 'l' for each column that is set to the left; the others are set to the right.
    explicit table(std::vector<std::string> heading, std::string sides = {}) : sides_(std::move(sides)) {
        rows_.push_back(std::move(heading));
    }

    /// Requires as many cells as the heading has.
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

    void print(std::ostream& out, const style& s = {}) const {
        std::vector<std::size_t> width(rows_.front().size(), 0);
        for (const auto& row : rows_)
            for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], columns_of(row[i]));
        for (const auto& row : rows_) {
            const bool heading = &row == &rows_.front();
            std::string line;
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (i > 0) line += "  ";
                const std::string gap(width[i] - columns_of(row[i]), ' ');
                const bool left = i < sides_.size() && sides_[i] == 'l';
                if (!left)
                    line += gap + row[i];
                else  // nothing after the last word of a line
                    line += row[i] + (i + 1 < row.size() ? gap : "");
            }
            out << (heading ? s.faint : "") << line << (heading ? s.plain : "") << '\n';
        }
    }

  private:
    std::string sides_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace firn::cli
