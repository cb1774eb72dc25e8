// `firn serve` as a process of its own, and clients over loopback, for tests.
//
//     running_server s({"--space", "orders"});                // on ports that the system chose
//     wire c(s.resp);
//     EXPECT_EQ(c.ask("PING\r\n"), "+PONG\r\n");
//     EXPECT_EQ(s.terminate(), 0);
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace firn::service::test {

using clock_type = std::chrono::steady_clock;
using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;

inline std::string firn_command() {
    return FIRN_COMMAND_FILE;
}

class scratch_directory {
  public:
    scratch_directory() {
        std::string name =
            (std::filesystem::temp_directory_path() / ("firn-serve-" + std::string(6, 'X'))).string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
        path_ = name;
    }
    ~scratch_directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    scratch_directory(const scratch_directory&) = delete;
    scratch_directory& operator=(const scratch_directory&) = delete;
    std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  private:
    std::filesystem::path path_;
};

inline void write_file(const std::string& path, const std::string& text) {
    // Replaced at once: whoever reads it sees the old text or the new one.
    std::ofstream(path + ".part") << text;
    std::filesystem::rename(path + ".part", path);
}

inline std::string read_file(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct finished {
    int status = -1;
    std::string output;
};

/// Runs a shell command with its stderr in its output.
inline finished shell(const std::string& command) {
    finished f;
    FILE* pipe = ::popen(("( " + command + " ) 2>&1").c_str(), "r");
    std::array<char, 4096> part{};
    for (std::size_t n; (n = ::fread(part.data(), 1, part.size(), pipe)) > 0;)
        f.output.append(part.data(), n);
    const int status = ::pclose(pipe);
    f.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    return f;
}

inline bool installed(const std::string& program) {
    return shell("command -v " + program).status == 0;
}

/// A connected socket. Every read has a bound of 5 s.
class wire {
  public:
    explicit wire(int port) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        to.sin_port = htons(static_cast<std::uint16_t>(port));
        connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    explicit wire(const std::string& path) : fd_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un to{};
        to.sun_family = AF_UNIX;
        path.copy(to.sun_path, sizeof to.sun_path - 1);
        connected_ = ::connect(fd_, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0;
    }
    ~wire() { ::close(fd_); }
    wire(const wire&) = delete;
    wire& operator=(const wire&) = delete;

    bool connected() const noexcept { return connected_; }
    bool send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (n <= 0) return false;
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
        return true;
    }
    void half_close() { ::shutdown(fd_, SHUT_WR); }
    /// What there is to read, at least one byte; empty when the server has closed, or after `bound`.
    std::string some(std::chrono::milliseconds bound = 5s) {
        pollfd p{.fd = fd_, .events = POLLIN, .revents = 0};
        if (::poll(&p, 1, static_cast<int>(bound.count())) <= 0) return {};
        std::array<char, 65536> part{};
        const ssize_t n = ::recv(fd_, part.data(), part.size(), 0);
        return n > 0 ? std::string(part.data(), static_cast<std::size_t>(n)) : std::string{};
    }
    /// Reads until `lines` line ends have come, or the server closes.
    std::string lines(std::size_t lines) {
        std::string all = std::move(rest_);
        rest_.clear();
        while (static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')) < lines) {
            const std::string part = some();
            if (part.empty()) break;
            all += part;
        }
        return all;
    }
    std::string ask(std::string_view bytes, std::size_t wanted = 1) {
        return send(bytes) ? lines(wanted) : std::string{};
    }
    /// Reads until what has come ends with `ending`, or the server closes.
    std::string until(std::string_view ending) {
        std::string all;
        while (!all.ends_with(ending)) {
            const std::string part = some();
            if (part.empty()) break;
            all += part;
        }
        return all;
    }
    /// Everything until the server closes.
    std::string all() {
        std::string text;
        for (std::string part; !(part = some()).empty();) text += part;
        return text;
    }

  private:
    int fd_;
    bool connected_ = false;
    std::string rest_;
};

struct reply {
    int status = 0;
    std::string text;
};

/// One HTTP request on a connection of its own.
inline reply http(int port, const std::string& method, const std::string& target,
                  const std::string& fields = {}) {
    wire c(port);
    if (!c.send(method + " " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + fields + "\r\n"))
        return {};
    const std::string text = c.all();
    return {text.size() > 12 ? std::atoi(text.c_str() + 9) : 0, text};
}

/// What a client collects: the ids in RESP replies that are integers or bulk strings, and those in text, one
/// a line.
inline void collect_ids(const std::string& replies, std::vector<std::uint64_t>& into) {
    std::size_t at = 0;
    for (std::size_t end; (end = replies.find('\n', at)) != std::string::npos; at = end + 1) {
        const std::size_t begin = replies[at] == ':' ? at + 1 : at;
        if (end - begin >= 15 && replies[begin] >= '0' && replies[begin] <= '9')
            into.push_back(std::strtoull(replies.c_str() + begin, nullptr, 10));
    }
}

inline std::size_t repeated(std::vector<std::uint64_t> ids) {
    std::sort(ids.begin(), ids.end());
    return ids.size() - static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin());
}

class running_server {
  public:
    struct how {
        std::string state{};          ///< Empty: a directory of its own.
        std::size_t descriptors = 0;  ///< 0: as it is.
        std::string resp = "127.0.0.1:0";
        std::string http = "127.0.0.1:0";
        std::string notify_socket{};
    };

    explicit running_server(const std::vector<std::string>& options = {}) : running_server(options, how{}) {}
    running_server(const std::vector<std::string>& options, const how& h) {
        state = h.state.empty() ? own_ / "state" : h.state;
        std::vector<std::string> words{firn_command(), "serve", "--state", state,
                                       "--resp",       h.resp,  "--http",  h.http};
        words.insert(words.end(), options.begin(), options.end());
        std::array<int, 2> pipe{};
        if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        pid = ::fork();
        if (pid == 0) {
            ::dup2(pipe[1], 2);
            if (!h.notify_socket.empty()) {
                ::setenv("NOTIFY_SOCKET", h.notify_socket.c_str(), 1);
                ::setenv("WATCHDOG_USEC", "300000", 1);
            }
            if (h.descriptors > 0) {
                const rlimit bound{h.descriptors, h.descriptors};
                ::setrlimit(RLIMIT_NOFILE, &bound);
            }
            std::vector<char*> args;
            for (std::string& w : words) args.push_back(w.data());
            args.push_back(nullptr);
            ::execv(args[0], args.data());
            ::_exit(127);
        }
        ::close(pipe[1]);
        log_ = pipe[0];
        read_until("ready:");
        resp = port_after("resp on 127.0.0.1:");
        http_port = port_after("http on 127.0.0.1:");
    }
    ~running_server() {
        if (pid > 0) kill(SIGKILL);
        ::close(log_);
    }
    running_server(const running_server&) = delete;
    running_server& operator=(const running_server&) = delete;

    /// Sends a signal and waits for the end. The exit status, or 128 + the signal.
    int kill(int signal) {
        ::kill(pid, signal);
        int status = 0;
        ::waitpid(pid, &status, 0);
        pid = -1;
        drain_log();
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int terminate() { return kill(SIGTERM); }
    void signal(int number) const { ::kill(pid, number); }
    bool runs() const { return ::kill(pid, 0) == 0 && ::waitpid(pid, nullptr, WNOHANG) == 0; }
    /// Reads the log until it holds `text`. False: it has ended without, or 20 s have passed.
    bool read_until(const std::string& text) {
        const auto until = clock_type::now() + 20s;
        while (log.find(text) == std::string::npos && clock_type::now() < until) {
            pollfd p{.fd = log_, .events = POLLIN, .revents = 0};
            ::poll(&p, 1, 100);
            std::array<char, 4096> part{};
            if ((p.revents & (POLLIN | POLLHUP)) == 0) continue;
            const ssize_t n = ::read(log_, part.data(), part.size());
            if (n <= 0) break;
            log.append(part.data(), static_cast<std::size_t>(n));
        }
        return log.find(text) != std::string::npos;
    }

    /// Takes what has been logged since. A server whose log nobody reads stops when the pipe is full (64
    /// KiB).
    void hear() {
        std::array<char, 4096> part{};
        for (pollfd p{.fd = log_, .events = POLLIN, .revents = 0};
             ::poll(&p, 1, 0) > 0 && (p.revents & POLLIN) != 0;) {
            const ssize_t n = ::read(log_, part.data(), part.size());
            if (n <= 0) return;
            log.append(part.data(), static_cast<std::size_t>(n));
        }
    }

    std::string state;
    int pid = -1;
    int resp = 0;
    int http_port = 0;
    std::string log;

  private:
    int port_after(const std::string& text) const {
        const std::size_t at = log.find(text);
        return at == std::string::npos ? 0 : std::atoi(log.c_str() + at + text.size());
    }
    void drain_log() {
        std::array<char, 4096> part{};
        for (ssize_t n; (n = ::read(log_, part.data(), part.size())) > 0;)
            log.append(part.data(), static_cast<std::size_t>(n));
    }

    scratch_directory own_;
    int log_ = -1;
};

/// Asks again and again until `condition` holds. False: it did not within `bound`.
template <class Condition>
bool eventually(Condition condition, std::chrono::milliseconds bound = 10s) {
    const auto until = clock_type::now() + bound;
    while (!condition()) {
        if (clock_type::now() >= until) return false;
        ::usleep(2000);
    }
    return true;
}

}  // namespace firn::service::test
