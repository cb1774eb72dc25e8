// Runs a line of shell in which $firn is the command under test, for tests of what the command prints.
//
//     const firn::ended e = firn::shell("$firn next -n 3 | $firn decode -");
//     e.status, e.out, e.err, e.lines()
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "lab/live/scratch.hpp"
#include "tests/support/process.hpp"

namespace firn {

struct ended {
    int status = -1;
    std::string out;
    std::string err;

    std::vector<std::string> lines() const {
        std::istringstream in{out};
        std::vector<std::string> all;
        for (std::string line; std::getline(in, line);) all.push_back(line);
        return all;
    }
};

/// Runs a line of shell in which $firn is the command, in an empty directory of its own: tests run beside one
/// another.
inline ended shell(const std::string& line) {
    const scratch disk;
    process sh{{"/bin/sh", "-c", line},
               {.directory = disk.path(),
                .before = [&] { std::filesystem::current_path(disk.path()); },
                .environment = {"firn=" FIRN_COMMAND_PATH}}};
    sh.close_input();
    const process_end end = sh.wait();
    return {end.status, end.out, end.err};
}

inline int lines_in(const std::string& text) {
    return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace firn
