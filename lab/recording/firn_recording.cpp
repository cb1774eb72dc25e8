#include "lab/recording/firn_recording.hpp"

#include <initializer_list>

namespace firn::lab {

namespace {

std::string line(const char* word, std::initializer_list<std::int64_t> values) {
    std::string out{word};
    for (const std::int64_t v : values) {
        out += ' ';
        out += std::to_string(v);
    }
    return out + '\n';
}

}  // namespace

std::string header_of(const std::string& boot) {
    return "# firn recording " + std::to_string(firn_recording_version) +
           "\n# sample steady_ns wall_ns offset_ns freq_ppb status maxerror_us esterror_us tai_s state\n"
           "# step steady_ns wall_ns by_ns\nboot " +
           boot + '\n';
}

std::string line_of(const recorded_sample& s) {
    return line("sample", {s.steady_ns, s.wall_ns, s.offset_ns, s.freq_ppb, s.status, s.maxerror_us,
                           s.esterror_us, s.tai_s, s.state});
}

std::string step_line(std::int64_t steady_ns, std::int64_t wall_ns, std::int64_t by_ns) {
    return line("step", {steady_ns, wall_ns, by_ns});
}

}  // namespace firn::lab
