// lab::bug: generators and journals that are broken on purpose, so that the checker is checked.
//
// The product's code is the same in all of them: what is broken is what the lab puts around it, the medium
// below the protocol or the driver above it.
//
//     for (const lab::bug_entry& b : lab::bugs()) std::cout << b.name << "  " << b.what << '\n';
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace firn::lab {

enum class bug : std::uint8_t {
    none,
    // Of the study: memory that dies with the process.
    blind,
    refuse_probe,
    amnesia,
    resume,
    // Of a journal.
    ceiling_after_use,
    trusted_across_boots,
    half_pair,
    block_across_fork,
    late_write,
    published_before_sync,
    read_back_unsynced,
    sync_retried,
    closed_while_shared,
    write_back_unnoticed,
    name_unsynced
};

struct bug_entry {
    bug which;
    std::string_view name;
    std::string_view what;
    std::string_view where;  ///< How it is put in: "policy", "start rule", "driver", "medium".
};

std::span<const bug_entry> bugs() noexcept;
std::optional<bug> bug_named(std::string_view name) noexcept;
std::string_view name_of(bug b) noexcept;

}  // namespace firn::lab
