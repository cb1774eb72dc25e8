// `firn demo --live`: the study's headline with real processes, killed by a real supervisor.
#pragma once

#include <filesystem>

namespace firn::cli {

struct live_arguments {
    int rounds = 6;  ///< Of each of the four runs; half a second each.
    std::filesystem::path
        directory{};  ///< Where the journals are made; empty: the system's for temporary files.
    bool json = false;
};

/// Runs and prints. Throws CLI::RuntimeError: 1 when it did not show what it is there to show, or could not
/// go on; 128 and a signal's number when that ended it. Its journals are gone afterwards.
void demo_live(const live_arguments& given);

}  // namespace firn::cli
