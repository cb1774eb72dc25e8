// firn::audit::input: a file, a device or a pipe whose bytes can be read twice.
//
// What cannot be read again (a pipe, a terminal) is copied to a spill file while it is read the first time.
// Not for more than one thread at once.
//
//     input in{"orders.txt", {.copy_pipes = true, .spill_directory = "/var/tmp"}};
//     in.open(stop);
//     while (auto n = in.read(buffer, stop)) use(buffer, n);
//     in.open(stop);                                       // from the beginning again
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "audit/interruption.hpp"
#include "audit/spill_file.hpp"
#include "audit/unique_fd.hpp"

namespace firn::audit {

struct input_options {
    /// Keep a copy of what cannot be read twice. Without it, open() after such input is an error.
    bool copy_pipes = false;
    std::filesystem::path spill_directory{};
};

class input {
  public:
    /// `path` "-" is standard input.
    input(std::string path, const input_options& options);

    /// The path as it was given, "stdin" for standard input.
    const std::string& name() const noexcept { return name_; }

    /// The size of a regular file; nothing for what has none. Before open(), too. Cost: one system call.
    std::optional<std::uint64_t> size() const;

    /// Begins at the beginning, or where standard input stood. Errors: failure.
    void open();

    /// Reads into `buffer`, blocking until there is something. Returns how much; 0 at the end.
    /// Errors: failure; interrupted, also while it waits for a pipe.
    std::size_t read(std::span<char> buffer, const interruption& stop);

    void close() noexcept { file_.reset(); }

  private:
    bool is_stdin() const noexcept { return path_ == "-"; }
    std::size_t read_copy(std::span<char> buffer);
    int fd() const noexcept { return is_stdin() ? 0 : file_.get(); }

    std::string path_;
    std::string name_;
    bool copy_pipes_;
    unique_fd file_;
    bool opened_before_ = false;
    bool seekable_ = false;
    std::int64_t stdin_start_ = 0;
    std::unique_ptr<spill_file> copy_;
    std::uint64_t copy_position_ = 0;
    bool from_copy_ = false;
};

}  // namespace firn::audit
