// Where `firn serve` keeps its journals when nobody says where.
//
//     if (const auto state = default_state()) …              // nothing: there is no home to put them into
#pragma once

#include <filesystem>
#include <optional>

namespace firn::cli {

/// systemd's StateDirectory=, /var/lib/firn for root, under XDG_STATE_HOME or ~/.local/state for everybody
/// else. Nothing when none of them is known. Reads the environment.
std::optional<std::filesystem::path> default_state();

}  // namespace firn::cli
