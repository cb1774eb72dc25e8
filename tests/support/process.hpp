// Runs a command as its users do: arguments, standard input, environment; and what it said and how it ended.
//
//     firn::process firn{{FIRN_COMMAND_PATH, "audit", "-"}, {.directory = disk.path()}};
//     firn.write("1\n2\n2\n");
//     firn.close_input();
//     const auto end = firn.wait();          // end.status, end.out, end.err
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace firn {

struct process_options {
    std::filesystem::path directory;         ///< Where what it says is kept; two of its files are made.
    std::function<void()> before = [] {};    ///< Runs in the new process, just before the command.
    std::vector<std::string> environment{};  ///< "NAME=value", beside what is inherited.
};

struct process_end {
    int status = -1;  ///< The exit status; minus the signal when one ended it.
    std::string out;
    std::string err;
};

class process {
  public:
    process(const std::vector<std::string>& command, const process_options& options)
        : out_(options.directory / "stdout"), err_(options.directory / "stderr") {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
        input_ = ends[1];
        pid_ = ::fork();
        if (pid_ < 0) throw std::runtime_error("no process");
        if (pid_ == 0) {
            ::dup2(ends[0], 0);
            put_into(1, out_);
            put_into(2, err_);
            for (std::string pair : options.environment) ::putenv(::strdup(pair.c_str()));
            options.before();
            std::vector<char*> arguments;
            for (const auto& word : command) arguments.push_back(::strdup(word.c_str()));
            arguments.push_back(nullptr);
            ::execv(arguments[0], arguments.data());
            ::_exit(127);
        }
        ::close(ends[0]);
    }
    process(const process&) = delete;
    process& operator=(const process&) = delete;
    ~process() {
        close_input();
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }

    pid_t pid() const noexcept { return pid_; }

    /// Writes all of it to the command's standard input. False when the command has closed it.
    bool write(std::string_view text) {
        struct sigaction ignore {};
        struct sigaction before {};
        ignore.sa_handler = SIG_IGN;
        ::sigaction(SIGPIPE, &ignore, &before);
        bool whole = true;
        while (!text.empty() && whole) {
            const auto n = ::write(input_, text.data(), text.size());
            if (n < 0 && errno == EINTR) continue;
            whole = n > 0;
            if (whole) text.remove_prefix(static_cast<std::size_t>(n));
        }
        ::sigaction(SIGPIPE, &before, nullptr);
        return whole;
    }
    void close_input() {
        if (input_ >= 0) ::close(input_);
        input_ = -1;
    }
    void send(int signal) { ::kill(pid_, signal); }

    process_end wait() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = -1;
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), content(out_), content(err_)};
    }

  private:
    static void put_into(int fd, const std::filesystem::path& path) {
        ::dup2(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), fd);
    }
    static std::string content(const std::filesystem::path& path) {
        std::ifstream file{path, std::ios::binary};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    std::filesystem::path out_;
    std::filesystem::path err_;
    pid_t pid_ = -1;
    int input_ = -1;
};

}  // namespace firn
