// What the rows have in common: the wide layout of the design's table, and a clock for it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "firn/firn.hpp"

namespace firn::bench {

/// 18 bits of sequence: 3.8 ns an id, so that the tick never fills and only the path is timed.
inline constexpr layout wide = make_layout(
    {.name = "wide", .machine_bits = 4, .sequence_bits = 18, .epoch_ms = layouts::standard.epoch_ms});

inline std::shared_ptr<counter_clock> clock_of(const layout& l) {
    return std::make_shared<counter_clock>(l);
}

/// A directory on a real disk, removed at the end.
class scratch {
  public:
    scratch() : path_(std::filesystem::path("/var/tmp") / ("firn-bench-" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(path_);
    }
    ~scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    std::filesystem::path operator/(const char* name) const { return path_ / name; }

  private:
    std::filesystem::path path_;
};

}  // namespace firn::bench
