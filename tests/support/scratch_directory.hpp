// A directory of a test's own, gone when the test ends.
//
//     scratch_directory scratch;
//     const std::string path = scratch.write("ids.txt", "1\n2\n");
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace firn {

class scratch_directory {
  public:
    scratch_directory() {
        std::string name =
            (std::filesystem::temp_directory_path() / "firn-test-").string() + std::string(6, 'X');
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
        path_ = name;
    }
    ~scratch_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;

    const std::filesystem::path& path() const noexcept { return path_; }

    /// Writes a file of that name and returns its path.
    std::string write(const std::string& name, std::string_view bytes) const {
        const auto path = path_ / name;
        std::ofstream{path, std::ios::binary} << bytes;
        return path.string();
    }

  private:
    std::filesystem::path path_;
};

}  // namespace firn
