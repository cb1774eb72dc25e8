#include "lab/sweep.hpp"

#include <algorithm>
#include <cstdint>

#include "lab/exact.hpp"

namespace firn::lab {

namespace {

constexpr unsigned places = 6;

[[noreturn]] void refuse(const std::string& text) {
    throw argument_error("over", "takes NAME=FROM..TO, NAME=FROM..TO:STEP or NAME=VALUE,VALUE, not '" + text +
                                     "' (example: --over rewind=1..60)");
}

std::vector<std::string> range(const std::string& text, const std::string& values, std::size_t dots) {
    const std::size_t colon = values.find(':', dots);
    const auto from = parse_fixed(values.substr(0, dots), places);
    const auto to =
        parse_fixed(values.substr(dots + 2, colon == std::string::npos ? colon : colon - dots - 2), places);
    const auto step = parse_fixed(colon == std::string::npos ? "1" : values.substr(colon + 1), places);
    if (!from || !to || !step || *step <= 0 || *to < *from) refuse(text);
    const std::int64_t last = (*to - *from) / *step;
    if (last >= static_cast<std::int64_t>(most_sweep_rows)) refuse(text);
    std::vector<std::string> out;
    for (std::int64_t i = 0; i <= last; ++i) out.push_back(fixed_text(*from + i * *step, places));
    return out;
}

}  // namespace

axis parse_axis(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) refuse(text);
    axis a{.name = text.substr(0, equals), .values = {}};
    const std::string values = text.substr(equals + 1);
    if (const std::size_t dots = values.find(".."); dots != std::string::npos) {
        a.values = range(text, values, dots);
        return a;
    }
    std::size_t begin = 0;
    while (begin <= values.size()) {
        const std::size_t comma = std::min(values.find(',', begin), values.size());
        a.values.push_back(values.substr(begin, comma - begin));
        if (a.values.back().empty()) refuse(text);
        begin = comma + 1;
    }
    return a;
}

}  // namespace firn::lab
