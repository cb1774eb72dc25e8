// Columns for people: each as wide as its widest cell, numbers to the right.
//
//     table t{{"rewind", "stalled, ms"}};
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
    explicit table(std::vector<std::string> heading) { rows_.push_back(std::move(heading)); }

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
                line += std::string(width[i] - columns_of(row[i]), ' ') + row[i];
            }
            out << (heading ? s.faint : "") << line << (heading ? s.plain : "") << '\n';
        }
    }

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace firn::cli
