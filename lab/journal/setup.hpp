// lab::setup: what is fixed in a simulated world: the layout, the rules, how many processes, what is broken.
//
//     lab::setup s;                                          // a journal, two processes, clamp and borrow
//     s.layout = lab::small_layout(2, 2);                    // four ticks of four slots
//     lab::to_text(s)                                        // "layout=2/2"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "firn/issuer.hpp"
#include "firn/layout.hpp"
#include "firn/policy.hpp"
#include "lab/journal/bug.hpp"
#include "src/journal/protocol.hpp"

namespace firn::lab {

/// Where the cursor lives.
enum class memory : std::uint8_t {
    journal,
    process,        ///< A new process knows nothing: rule A, amnesia.
    process_resume  ///< A new process knows the last tick, and starts at its sequence 0: rule B, resume.
};

constexpr layout small_layout(std::uint8_t timestamp_bits, std::uint8_t sequence_bits) noexcept {
    return {.reserved_bits = static_cast<std::uint8_t>(60 - timestamp_bits - sequence_bits),
            .timestamp_bits = timestamp_bits,
            .machine_bits = 4,
            .sequence_bits = sequence_bits};
}

struct setup {
    static constexpr std::uint8_t most_processes = 4;
    static constexpr std::uint64_t machine = 7;

    firn::layout layout = small_layout(41, 12);
    firn::policy rules{};
    firn::order order = firn::order::strict;
    /// How many slots a thread's own block may reach; 0: no blocks.
    std::uint32_t largest_block = 0;
    std::int64_t window_ticks = 4;
    std::uint8_t processes = 2;
    lab::memory memory = lab::memory::journal;
    /// So many refusals in a row replace a process; 0: no probe.
    std::uint32_t probe = 0;
    lab::bug bug = lab::bug::none;

    detail::journal_terms terms() const noexcept {
        return {.layout = layout, .machine = machine, .window_ticks = window_ticks};
    }
    firn::policy policy_of_layout() const noexcept {
        firn::policy p = rules;
        p.sequence_bits = layout.sequence_bits;
        return p;
    }
};

/// What is not the default, as words: "layout=2/2 window=1 bug=resume".
std::string to_text(const setup& s);
/// Takes one such word. False: it is none, or its value makes no sense.
bool take(setup& s, std::string_view word);
/// Sets what a bug needs beside itself (memory, policy, probe).
void put_in(setup& s, bug b) noexcept;

}  // namespace firn::lab
