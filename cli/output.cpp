#include "cli/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

namespace firn::cli {

output::output(int descriptor) : descriptor_(descriptor) {
    ::signal(SIGPIPE, SIG_IGN);
    buffer_.reserve(2 * piece);
}

void output::flush() {
    std::string_view left = buffer_;
    while (open_ && !left.empty()) {
        const ssize_t n = ::write(descriptor_, left.data(), left.size());
        if (n >= 0) {
            left.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EPIPE) {
            open_ = false;
        } else if (errno == EAGAIN) {  // somebody has made our end of a pipe or terminal non-blocking
            pollfd writable{.fd = descriptor_, .events = POLLOUT, .revents = 0};
            ::poll(&writable, 1, -1);
        } else if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "cannot write to standard output");
        }
    }
    buffer_.clear();
}

}  // namespace firn::cli
