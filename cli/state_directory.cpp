#include "cli/state_directory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace firn::cli {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

}  // namespace

std::optional<std::filesystem::path> default_state() {
    if (const std::string given = environment("STATE_DIRECTORY"); !given.empty())
        return given.substr(0, given.find(':'));
    if (::geteuid() == 0) return "/var/lib/firn";
    if (const std::string xdg = environment("XDG_STATE_HOME"); !xdg.empty())
        return std::filesystem::path{xdg} / "firn";
    const std::string home = environment("HOME");
    if (home.empty()) return std::nullopt;
    return std::filesystem::path{home} / ".local/state/firn";
}

}  // namespace firn::cli
