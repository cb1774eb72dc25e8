// firn::scratch: a directory of a test's or a demonstration's own, empty at first and gone at the end.
//
//     firn::scratch on_disk;                                 // under the build tree
//     firn::scratch in_memory("/dev/shm");
//     auto j = firn::journal::open(on_disk / "orders", {.machine = 7});
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace firn {

class scratch {
  public:
    explicit scratch(const std::filesystem::path& base = std::filesystem::current_path()) {
        std::string name = (base / "scratch-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw std::runtime_error("no directory can be made at " + name + ": " + std::strerror(errno));
        path_ = name;
    }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    /// Writes a file of that name and returns its path.
    std::string write(const std::string& name, std::string_view bytes) const {
        const auto path = path_ / name;
        std::ofstream{path, std::ios::binary} << bytes;
        return path.string();
    }

    const std::filesystem::path& path() const noexcept { return path_; }
    friend std::filesystem::path operator/(const scratch& s, const char* name) { return s.path_ / name; }

  private:
    std::filesystem::path path_;
};

}  // namespace firn
