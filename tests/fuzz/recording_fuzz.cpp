// Any bytes as a recorded clock, told by themselves or read as each format: an answer or a recording_error,
// and what is read is in order and counted to the line.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "lab/recording/read.hpp"

namespace {

using namespace firn::lab;

void try_to_read(const std::string& text, const reading_options& o) {
    std::istringstream in{text};
    try {
        const recording r = read_recording(in, "fuzz", o);
        for (std::size_t i = 1; i < r.samples.size(); ++i)
            if (r.samples[i].true_ns < r.samples[i - 1].true_ns) std::abort();
        if (r.samples.empty() || r.first_fault.has_value() != (r.not_understood != 0)) std::abort();
        if (r.samples.size() + r.notes + r.unsynchronised + r.of_other_sources + r.not_understood > r.lines)
            std::abort();
    } catch (const recording_error&) {
        // An answer, too.
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text{reinterpret_cast<const char*>(data), size};
    try_to_read(text, {});
    for (const auto f : {recording_format::chrony_tracking, recording_format::chrony_statistics,
                         recording_format::loopstats, recording_format::firn})
        try_to_read(text, {.format = f});
    return 0;
}
