#include "cli/progress_bar.hpp"

#include <unistd.h>

#include <chrono>
#include <iostream>

namespace firn::cli {
namespace {

std::string line_of(const progress_state& s) {
    if (s.total == 0) return s.what + ' ' + (s.note.empty() ? std::to_string(s.done >> 20) + " MiB" : s.note);
    constexpr std::uint64_t width = 40;
    const double share = std::min(1.0, static_cast<double>(s.done) / static_cast<double>(s.total));
    const auto filled = static_cast<std::size_t>(share * width);
    return s.what + " [" + std::string(filled, '#') + std::string(width - filled, ' ') + "] " +
           std::to_string(static_cast<unsigned>(share * 100)) + " %" + (s.note.empty() ? "" : ", " + s.note);
}

}  // namespace

progress_bar::progress_bar(std::function<progress_state()> state) : state_(std::move(state)) {
    if (::isatty(STDERR_FILENO) == 1) thread_ = std::thread{[this] { draw(); }};
}

progress_bar::~progress_bar() {
    if (!thread_.joinable()) return;
    {
        const std::scoped_lock lock{mutex_};
        ended_ = true;
    }
    ended_changed_.notify_all();
    thread_.join();
}

void progress_bar::draw() {
    using namespace std::chrono_literals;
    bool drawn = false;
    std::unique_lock lock{mutex_};
    while (!ended_changed_.wait_for(lock, 200ms, [this] { return ended_; })) {
        std::cerr << '\r' + line_of(state_()) + "\x1b[K" << std::flush;
        drawn = true;
    }
    if (drawn) std::cerr << "\r\x1b[K" << std::flush;
}

}  // namespace firn::cli
