// firn::host::examine: all that `firn doctor` looks at, in order.
//
//     firn::host::host_clocks clocks;
//     firn::host::host_pacer pacer;
//     for (const finding& f : examine({.clocks = clocks, .pacer = pacer}, {.journal = "state"})) …
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "firn/counter_clock.hpp"
#include "host/finding.hpp"

namespace firn::host {

/// Where the answers come from. Tests give others.
struct host_view {
    host::clocks& clocks;
    host::pacer& pacer;
    std::filesystem::path root = "/";  ///< What is in its etc, lib, proc and sys.
    std::function<bool()> counter_is_invariant = firn::counter_is_invariant;
    std::function<detail::boot_id()> boot = detail::system_boot;
};

struct examination {
    std::int64_t watch_ns = 1'000'000'000;           ///< How long to look for steps; 0: not.
    std::optional<std::filesystem::path> journal{};  ///< A journal's directory, or one with journals.
    std::optional<firn::layout> layout{};            ///< Empty: those of the journals, or else `standard`.
    std::vector<std::string> recordings{};           ///< Of one clock.
};

/// What was found. Threads: one. Cost: the watch, and some small files.
std::vector<finding> examine(const host_view& host, const examination& e);

}  // namespace firn::host
