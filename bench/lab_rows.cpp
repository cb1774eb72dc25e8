// The lab: simulated ids per second on one core, duplicates counted.
#include "bench/measure.hpp"
#include "bench/table.hpp"
#include "lab/run.hpp"

namespace firn::bench {

std::vector<row> lab_rows(const effort& e) {
    lab::scenario s;
    s.rate = {.requests = 1000, .per_ms = 1};
    s.duration_ns = (e.smoke ? 10 : 2000) * lab::ns_per_ms;
    std::vector<double> per_second;
    for (int r = 0; r < (e.smoke ? 1 : 5); ++r) {
        const std::int64_t begin = thread_cpu_ns();
        const lab::verdict v = lab::run(s);
        const auto spent = static_cast<double>(thread_cpu_ns() - begin);
        if (v.duplicates == 0) per_second.push_back(static_cast<double>(v.issued) / spent * 1e3);
    }
    return {{"lab, simulated ids per second and core, duplicates counted",
             median(per_second),
             "M/s",
             {},
             10.0,
             ""}};
}

}  // namespace firn::bench
