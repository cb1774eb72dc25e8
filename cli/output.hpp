// Standard output of commands that write much: in large pieces, quiet when the reader has had enough, and
// loud when the disk is full.
//
//     output out;                                    // from here on SIGPIPE does not end the process
//     while (out.open()) out.line(text);             // until the reader has closed its end
//     out.flush();                                   // throws std::system_error, for main to print
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace firn::cli {

class output {
  public:
    /// Not copied: two buffers of one stream would mix.
    explicit output(int descriptor = 1);
    output(const output&) = delete;
    output& operator=(const output&) = delete;

    /// Whether anybody still reads. False from the first write that fails with EPIPE on.
    bool open() const noexcept { return open_; }

    /// Throws std::system_error when what is written cannot be; not for a closed pipe.
    void line(std::string_view text) {
        buffer_ += text;
        buffer_ += '\n';
        if (buffer_.size() >= piece) flush();
    }
    /// Writes what is left. To be called at the end: a destructor could not say that the disk is full.
    void flush();

  private:
    static constexpr std::size_t piece = std::size_t{1} << 16;

    int descriptor_;
    bool open_ = true;
    std::string buffer_;
};

}  // namespace firn::cli
