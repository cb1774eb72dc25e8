// firn::service::offset_time: the host's clocks with an offset that a file holds. For tests of whole
// processes.
//
// Not for anything else: it is the only way to step a process's clock without stepping everybody's.
//
//     echo -60000 > offset                       # a minute back, from now on
//     firn serve --test-clock-offset-ms-file offset
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "firn/counter_clock.hpp"

namespace firn::service {

class offset_time final : public time_source {
  public:
    /// `path` holds milliseconds; while it cannot be read, the last offset holds.
    explicit offset_time(std::string path) : path_(std::move(path)) {}

    std::int64_t wall_ns() noexcept override;
    std::int64_t steady_ns() noexcept override;

  private:
    std::string path_;
    std::atomic<std::int64_t> read_at_ns_{0};
    std::atomic<std::int64_t> offset_ns_{0};
};

}  // namespace firn::service
