#include "lab/records.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace firn::lab {

namespace {

[[noreturn]] void fail(const std::string& path, const char* what) {
    throw std::runtime_error(path + ": " + what + ": " + std::generic_category().message(errno));
}

}  // namespace

records::records(const std::string& path)
    : path_(path == "-" ? "standard output" : path),
      file_(path == "-" ? stdout : std::fopen(path.c_str(), "w")) {
    if (file_ == nullptr) fail(path_, "cannot be opened for writing");
    buffer_ = "true_ns,wall_ms,id,outcome\n";
}

records::~records() {
    if (file_ != nullptr && file_ != stdout) std::fclose(file_);
}

void records::issued(std::int64_t true_ns, std::int64_t wall_ms, firn::id id) {
    append(true_ns);
    append(wall_ms);
    append(static_cast<std::int64_t>(id.value));
    end_row("issued\n");
}

void records::refused(std::int64_t true_ns, std::int64_t wall_ms) {
    append(true_ns);
    append(wall_ms);
    buffer_ += ',';
    end_row("refused\n");
}

void records::close() {
    flush();
    std::FILE* const file = file_;
    file_ = nullptr;
    if ((file == stdout ? std::fflush(file) : std::fclose(file)) != 0) fail(path_, "cannot be written");
}

void records::append(std::int64_t number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    buffer_.append(digits.data(), end);
    buffer_ += ',';
}

void records::end_row(const char* outcome) {
    buffer_ += outcome;
    if (buffer_.size() >= (1U << 16)) flush();
}

void records::flush() {
    if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_) != buffer_.size())
        fail(path_, "cannot be written");
    buffer_.clear();
}

}  // namespace firn::lab
