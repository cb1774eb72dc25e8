#include "cli/commands.hpp"

#include <string>

#include "firn/version.hpp"

namespace firn::cli {

void add_version(CLI::App& app) {
    app.set_version_flag("--version", "firn " + std::string{library_version});
}

}  // namespace firn::cli
