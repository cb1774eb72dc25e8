// firn::cli::stop_signal: asks a command that runs for long to end, so that it leaves nothing behind.
//
//     catch_stop_signals();
//     while (stop_signal() == 0) play_round();
//     if (stop_signal() != 0) throw CLI::RuntimeError(128 + stop_signal());
#pragma once

namespace firn::cli {

/// From now on the first SIGINT, SIGTERM or SIGHUP is remembered, and `also` is called in its handler (so it
/// has to be async-signal-safe). A second one ends the process as it does without this.
void catch_stop_signals(void (*also)() = nullptr);

/// The number of the signal that was caught; 0: none. Threads: any.
int stop_signal() noexcept;

}  // namespace firn::cli
