#include "service/log.hpp"

#include <fcntl.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace firn::service {

namespace {

/// What the sink and its thread share. The thread holds it too: it may outlive the sink, in a write that does
/// not end.
struct queue {
    queue(int to, bool own) : fd(to), owns(own) {}
    queue(const queue&) = delete;
    queue& operator=(const queue&) = delete;
    ~queue() {
        if (owns) ::close(fd);
    }

    const int fd;
    const bool owns;
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> lines;
    std::uint64_t dropped = 0;
    bool closing = false;
    bool written = false;
};

/// What cannot be written (a closed pipe, a full disk) is lost: a log has nobody to tell.
void write_line(int fd, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void write_lines(const std::shared_ptr<queue>& q) {
    std::unique_lock lock(q->mutex);
    for (;;) {
        q->changed.wait(lock, [&] { return !q->lines.empty() || q->closing; });
        if (q->lines.empty()) break;
        std::string line = std::move(q->lines.front());
        q->lines.pop_front();
        if (q->lines.empty() && q->dropped > 0)
            line += "(" + std::to_string(std::exchange(q->dropped, 0)) +
                    " lines of this log were dropped: they were not taken in time)\n";
        lock.unlock();
        write_line(q->fd, line);
        lock.lock();
    }
    q->written = true;
    q->changed.notify_all();
}

class queued_sink final : public spdlog::sinks::base_sink<std::mutex> {
  public:
    queued_sink(int fd, bool owns) : queue_(std::make_shared<queue>(fd, owns)) {
        thread_ = std::thread([q = queue_] {
            // A reader that is gone is an error of write() here, in whatever program.
            sigset_t pipe;
            sigemptyset(&pipe);
            sigaddset(&pipe, SIGPIPE);
            ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
            write_lines(q);
        });
    }
    queued_sink(const queued_sink&) = delete;
    queued_sink& operator=(const queued_sink&) = delete;
    ~queued_sink() override {
        std::unique_lock lock(queue_->mutex);
        queue_->closing = true;
        queue_->changed.notify_all();
        const bool written = queue_->changed.wait_for(lock, std::chrono::milliseconds{last_words_ms},
                                                      [&] { return queue_->written; });
        lock.unlock();
        if (written)
            thread_.join();
        else
            thread_.detach();
    }

  protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        spdlog::memory_buf_t text;
        formatter_->format(message, text);
        const std::scoped_lock lock(queue_->mutex);
        if (queue_->lines.size() >= lines_max) {
            ++queue_->dropped;
            return;
        }
        queue_->lines.emplace_back(text.data(), text.size());
        queue_->changed.notify_all();
    }
    void flush_() override {}

  private:
    std::shared_ptr<queue> queue_;
    std::thread thread_;
};

spdlog::sink_ptr sink_for(const std::string& file, const std::shared_ptr<spdlog::logger>& before) {
    if (file.empty()) {
        // Another one's end could wait for a reader that there is not.
        if (before && before->name() == "stderr") return before->sinks().front();
        return make_queued_sink(STDERR_FILENO, false);
    }
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "cannot write the log " + file);
    return make_queued_sink(fd, true);
}

}  // namespace

spdlog::sink_ptr make_queued_sink(int fd, bool owns) {
    return std::make_shared<queued_sink>(fd, owns);
}

std::shared_ptr<spdlog::logger> make_log(const settings& s, const std::shared_ptr<spdlog::logger>& before) {
    auto log = std::make_shared<spdlog::logger>(s.log_file.empty() ? "stderr" : "file",
                                                sink_for(s.log_file, before));
    log->set_pattern("%Y-%m-%dT%H:%M:%S.%eZ %l: %v", spdlog::pattern_time_type::utc);
    log->set_level(spdlog::level::from_str(s.log_level));
    return log;
}

}  // namespace firn::service
