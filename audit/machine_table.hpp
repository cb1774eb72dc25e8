// firn::audit::machine_table: what each machine did, in the order in which its ids were seen.
//
// Not for more than one thread at once while machines are added; after that, any number may look.
//
//     machine_table table{firn::layouts::twitter};
//     if (auto* m = table.find_or_add(machine)) m->see(tick, id);
//     table.index_of(machine);                            // dense, machine_table::none when it is not there
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "firn/layout.hpp"

namespace firn::audit {

struct machine_history {
    std::uint64_t machine = 0;
    std::uint64_t ids = 0;
    std::uint64_t greatest = 0;
    std::uint64_t out_of_order = 0;   ///< Ids smaller than one of this machine that was seen before.
    std::uint64_t rewinds = 0;        ///< How often the tick was smaller than that of the id before.
    std::int64_t largest_rewind = 0;  ///< In ticks.
    std::int64_t last_tick = 0;

    /// No branches: of ids in no order, every second one would be guessed wrong.
    void see(std::int64_t tick, std::uint64_t id) noexcept {
        const std::int64_t back = last_tick - tick;
        rewinds += back > 0 ? 1 : 0;
        largest_rewind = std::max(largest_rewind, back);
        out_of_order += id < greatest ? 1 : 0;
        greatest = std::max(greatest, id);
        last_tick = tick;
        ++ids;
    }
};

class machine_table {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    /// Machines beyond these are not told apart: ids of all kinds, read with a layout of many machine bits,
    /// would need more memory than all the rest.
    static constexpr std::size_t most = std::size_t{1} << 16;

    explicit machine_table(const layout& l) : dense_(l.machine_bits <= 16) {
        if (dense_)
            histories_.resize(static_cast<std::size_t>(l.machine_max()) + 1);
        else
            slots_.resize(2 * most, none);
    }

    /// Null when the table is full.
    machine_history* find_or_add(std::uint64_t machine) {
        if (dense_) {
            histories_[machine].machine = machine;
            return &histories_[machine];
        }
        const std::size_t at = slot_of(machine);
        if (slots_[at] != none) return &histories_[slots_[at]];
        if (histories_.size() == most) return nullptr;
        slots_[at] = static_cast<std::uint32_t>(histories_.size());
        histories_.push_back({.machine = machine});
        return &histories_.back();
    }

    std::uint32_t index_of(std::uint64_t machine) const noexcept {
        return dense_ ? static_cast<std::uint32_t>(machine) : slots_[slot_of(machine)];
    }

    /// By index. Those that were never seen have no ids.
    const std::vector<machine_history>& histories() const noexcept { return histories_; }

  private:
    std::size_t slot_of(std::uint64_t machine) const noexcept {
        std::size_t at = (machine * 0x9E3779B97F4A7C15ULL) >> 47;  // 17 bits: twice `most`.
        while (slots_[at] != none && histories_[slots_[at]].machine != machine)
            at = (at + 1) & (2 * most - 1);
        return at;
    }

    bool dense_;
    std::vector<std::uint32_t> slots_;
    std::vector<machine_history> histories_;
};

}  // namespace firn::audit
