#include "lab/journal/bug.hpp"

#include <algorithm>
#include <array>

namespace firn::lab {

namespace {

constexpr std::array<bug_entry, 15> table{{
    {bug::blind, "blind", "the wall is believed when it steps back", "policy"},
    {bug::refuse_probe, "refuse-probe", "refusals make a probe restart the process, which then knows nothing",
     "start rule"},
    {bug::amnesia, "amnesia", "a new process knows nothing and believes the wall", "start rule"},
    {bug::resume, "resume", "a new process knows the last tick, and starts its sequence at 0", "start rule"},
    {bug::ceiling_after_use, "ceiling-after-use", "the ceiling is raised at once and written afterwards",
     "driver"},
    {bug::trusted_across_boots, "trusted-across-boots", "every boot has the same name", "medium"},
    {bug::half_pair, "half-pair", "of the mapped cursor only the tick outlives the last process", "medium"},
    {bug::block_across_fork, "block-across-fork", "a child goes on with its parent's block of slots",
     "driver"},
    {bug::late_write, "late-write",
     "the lock expires while its holder is paused, and a ceiling that it writes late is lower than one "
     "written "
     "since",
     "medium"},
    {bug::published_before_sync, "published-before-sync", "a sync answers at once and is done on unlock",
     "medium"},
    {bug::read_back_unsynced, "read-back-unsynced",
     "a record that can be read counts as durable: it is neither written again nor synced", "medium"},
    {bug::sync_retried, "sync-retried", "a sync that failed is asked again, and believed", "medium"},
    {bug::closed_while_shared, "closed-while-shared", "a clean stop takes itself for the last user",
     "medium"},
    {bug::write_back_unnoticed, "write-back-unnoticed",
     "the mapped page was not written back, an older one is read, and nobody asks", "medium"},
    {bug::name_unsynced, "name-unsynced",
     "a journal is used whose maker died before its name in the directory was durable", "medium"},
}};

}  // namespace

std::span<const bug_entry> bugs() noexcept {
    return table;
}

std::optional<bug> bug_named(std::string_view name) noexcept {
    if (name == "none") return bug::none;
    const auto* found =
        std::find_if(table.begin(), table.end(), [&](const auto& e) { return e.name == name; });
    return found != table.end() ? std::optional{found->which} : std::nullopt;
}

std::string_view name_of(bug b) noexcept {
    const auto* found = std::find_if(table.begin(), table.end(), [&](const auto& e) { return e.which == b; });
    return found != table.end() ? found->name : "none";
}

}  // namespace firn::lab
