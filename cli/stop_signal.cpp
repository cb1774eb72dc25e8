#include "cli/stop_signal.hpp"

#include <signal.h>

#include <csignal>
#include <initializer_list>

namespace firn::cli {

namespace {

volatile std::sig_atomic_t seen = 0;
void (*also_call)() = nullptr;

}  // namespace

void catch_stop_signals(void (*also)()) {
    also_call = also;
    struct sigaction action {};
    action.sa_handler = [](int signal) {
        seen = signal;
        if (also_call != nullptr) also_call();
    };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
}

int stop_signal() noexcept {
    return seen;
}

}  // namespace firn::cli
