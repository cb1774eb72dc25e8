// firn::host: what the kernel's words on its clock (adjtimex(2)) mean.
//
//     firn::host::synchronised(sample)                       // true, false, or nothing: it does not tell
#pragma once

#include <sys/timex.h>

#include <optional>

#include "lab/recording/firn_recording.hpp"

namespace firn::host {

/// Whether something keeps the clock right, as far as the kernel was told. Nothing: it does not tell.
inline std::optional<bool> synchronised(const lab::recorded_sample& s) noexcept {
    if (s.state == lab::state_not_told) return std::nullopt;
    return (s.status & STA_UNSYNC) == 0 && s.state != TIME_ERROR;
}

}  // namespace firn::host
