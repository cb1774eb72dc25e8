#include "service/log.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace firn::service {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

struct pipe_ends {
    pipe_ends() {
        if (::pipe2(fds.data(), O_CLOEXEC) != 0) std::abort();
    }
    ~pipe_ends() {
        for (const int fd : fds)
            if (fd >= 0) ::close(fd);
    }
    pipe_ends(const pipe_ends&) = delete;
    pipe_ends& operator=(const pipe_ends&) = delete;
    std::array<int, 2> fds{};
};

std::string read_all(int fd) {
    std::string all;
    std::array<char, 4096> part{};
    for (ssize_t n; (n = ::read(fd, part.data(), part.size())) > 0;)
        all.append(part.data(), static_cast<std::size_t>(n));
    return all;
}

spdlog::logger logger_to(const pipe_ends& p) {
    spdlog::logger log("test", make_queued_sink(::dup(p.fds[1]), true));
    log.set_pattern("%v");
    return log;
}

TEST(Log, WritesWhatWaitsBeforeItEnds) {
    pipe_ends p;
    {
        auto log = logger_to(p);
        for (int i = 0; i < 100; ++i) log.info("line {}", i);
    }
    ::close(std::exchange(p.fds[1], -1));
    const std::string all = read_all(p.fds[0]);
    EXPECT_THAT(all, StartsWith("line 0\nline 1\n"));
    EXPECT_THAT(all, EndsWith("line 99\n"));
}

TEST(Log, WhoeverLogsNeverWaitsForAReaderAndTheLossIsCounted) {
    constexpr int logged = 5000;
    pipe_ends p;
    ::fcntl(p.fds[1], F_SETPIPE_SZ, 4096);
    std::string all;
    {
        auto log = logger_to(p);
        for (int i = 0; i < logged; ++i) log.info("line {:0100}", i);  // would fill the pipe a hundred times
        std::array<char, 4096> part{};
        while (all.find("were dropped") == std::string::npos) {
            const ssize_t n = ::read(p.fds[0], part.data(), part.size());
            ASSERT_GT(n, 0);
            all.append(part.data(), static_cast<std::size_t>(n));
        }
        log.info("and on");
    }
    ::close(std::exchange(p.fds[1], -1));
    all += read_all(p.fds[0]);
    EXPECT_THAT(all, HasSubstr("and on\n"));
    int seen = 0;
    for (std::size_t at = 0; (at = all.find("line ", at)) != std::string::npos; ++at) ++seen;
    const int dropped = std::atoi(all.c_str() + all.find('(') + 1);
    EXPECT_GE(seen, static_cast<int>(lines_max));
    EXPECT_EQ(seen + dropped, logged);
}

TEST(Log, EndsThoughNobodyReads) {
    pipe_ends p;
    ::fcntl(p.fds[1], F_SETPIPE_SZ, 4096);
    {
        auto log = logger_to(p);
        for (int i = 0; i < 100; ++i) log.info("line {:0100}", i);
    }
    ::close(std::exchange(p.fds[0], -1));  // the writer's thread ends with EPIPE, SIGPIPE being blocked there
}

TEST(Log, AFileThatCannotBeWrittenIsSaid) {
    settings s;
    s.log_file = "/nowhere/firn.log";
    try {
        make_log(s, nullptr);
        ADD_FAILURE() << "a log in a directory that is not there";
    } catch (const std::system_error& e) {
        EXPECT_THAT(e.what(), HasSubstr("/nowhere/firn.log"));
        EXPECT_EQ(e.code().value(), ENOENT);
    }
}

}  // namespace
}  // namespace firn::service
