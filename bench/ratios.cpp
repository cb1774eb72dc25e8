// `./dev bench`: every row of the design's table that concerns the library and the lab.
#include <nlohmann/json.hpp>

#include <cmath>
#include <iomanip>
#include <iostream>
#include <string_view>

#include "bench/table.hpp"

namespace firn::bench {

namespace {

std::string shown(double value, const std::string& unit) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(unit == "%" || unit == "M/s" ? 1 : 2) << value;
    return unit.empty() || unit == "x" ? text.str() : text.str() + ' ' + unit;
}

std::string target(const row& r) {
    if (r.most && r.least) return shown(*r.least, r.unit) + " to " + shown(*r.most, r.unit);
    if (r.most) return "<= " + shown(*r.most, r.unit);
    if (r.least) return ">= " + shown(*r.least, r.unit);
    return "";
}

const char* word(const row& r) {
    return !r.has_target() ? "" : r.met() ? "ok" : "short";
}

}  // namespace

void print_table(std::ostream& out, const std::vector<row>& rows) {
    out << std::left << std::setw(72) << "path" << std::right << std::setw(12) << "here" << std::setw(26)
        << "target"
        << "  " << std::left << std::setw(6) << ""
        << "behind it\n";
    for (const row& r : rows)
        out << std::left << std::setw(72) << r.path << std::right << std::setw(12) << shown(r.value, r.unit)
            << std::setw(26) << target(r) << "  " << std::left << std::setw(6) << word(r) << r.detail << '\n';
}

void print_json(std::ostream& out, const std::vector<row>& rows) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (const row& r : rows) {
        nlohmann::ordered_json one{{"path", r.path}, {"value", r.value}, {"unit", r.unit}};
        if (r.most) one["most"] = *r.most;
        if (r.least) one["least"] = *r.least;
        if (r.has_target()) one["met"] = r.met();
        if (!r.detail.empty()) one["detail"] = r.detail;
        all.push_back(std::move(one));
    }
    out << all.dump(2) << '\n';
}

}  // namespace firn::bench

int main(int argc, char** argv) {
    using namespace firn::bench;
    effort e;
    bool json = false;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument == "--smoke")
            e.smoke = true;
        else if (argument == "--json")
            json = true;
        else {
            std::cerr << "ratios: unknown argument '" << argument
                      << "': takes --json, --smoke (example: ./dev bench --json)\n";
            return 2;
        }
    }
    std::vector<row> rows;
    for (const auto& part : {path_rows, thread_rows, journal_rows, lab_rows})
        for (row& r : part(e)) rows.push_back(std::move(r));
    if (json)
        print_json(std::cout, rows);
    else
        print_table(std::cout, rows);
}
