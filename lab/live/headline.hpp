// firn::live::headline: the study's headline trace with real processes. One server after the other hands out
// ids at a steady rate; its wall, which follows the host's, is set back once in a round; a supervisor ends
// the server with SIGKILL and starts the next one.
//
// Not exact: the host decides when a process runs. lab/simulate.hpp is.
//
//     firn::live::headline h({.kept = firn::live::memory::process, .rewind_rule = rewind_policy::refuse});
//     for (int n = 0; n < 6; ++n) print(h.play_round());
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <unordered_set>

#include "firn/policy.hpp"
#include "lab/live/child.hpp"
#include "lab/live/shared.hpp"

namespace firn::live {

/// Where the servers have their cursor.
enum class memory : std::uint8_t {
    process,  ///< Each begins anew.
    journal,
};

struct headline_terms {
    memory kept = memory::process;
    rewind_policy rewind_rule = rewind_policy::refuse;
    /// So many refusals in a row, and the supervisor replaces the server. 0: it does not ask.
    std::uint64_t probe = 0;
    /// How long after the step the supervisor replaces the server whatever it answers. 0: it does not.
    std::chrono::milliseconds deploy_after{0};
    std::chrono::milliseconds rewind{50};
    std::uint64_t ids_per_ms = 8;
    std::chrono::milliseconds before_step{100};
    std::chrono::milliseconds round{500};
    std::filesystem::path directory{};  ///< Of the journal.
    std::size_t capacity = 1'000'000;   ///< Ids that can be stored, in all rounds together.
};

struct headline_round {
    std::uint64_t issued = 0;  ///< Stored by the server, and counted as handed out.
    std::uint64_t refused = 0;
    std::uint64_t killed = 0;
    std::uint64_t duplicates = 0;  ///< Ids of this round that had been handed out before.
};

class headline {
  public:
    /// Starts the first server and waits for its first id. Throws firn::error out_of_resources;
    /// std::runtime_error when the server ends by itself, which has then said why on stderr. The process has
    /// no other thread.
    explicit headline(const headline_terms& terms);

    /// `before_step`, the step, and the rest of the round. Its cost is its time. Errors: as the
    /// constructor's.
    headline_round play_round();

  private:
    /// What a server says of itself.
    struct answers {
        std::atomic<std::uint64_t> refused;
        std::atomic<std::uint64_t> refused_in_a_row;
    };

    int serve();
    void start();
    void replace();
    void supervise(std::chrono::nanoseconds time, bool deploys);

    headline_terms terms_;
    id_log ids_;
    shared<answers> answers_;
    shared<std::atomic<std::int64_t>> step_ns_;
    child server_;
    std::uint64_t killed_ = 0;
    std::size_t counted_ = 0;
    std::unordered_set<std::uint64_t> seen_;
};

}  // namespace firn::live
