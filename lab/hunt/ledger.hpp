// lab::ledger: every slot that was ever handed out in a world, and when. The hunt's checker.
//
//     lab::ledger seen;
//     auto again = seen.add(first, count, when);             // the first slot of them that was there before
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace firn::lab {

class ledger {
  public:
    struct repetition {
        std::int64_t slot = 0;
        std::uint32_t first_at = 0;
    };

    /// Adds the slots from `first` on. Cost: constant when they are above all others; otherwise the size of
    /// the ledger.
    std::optional<repetition> add(std::int64_t first, std::uint32_t count, std::uint32_t when);

    std::uint64_t slots() const noexcept { return slots_; }
    void clear() noexcept;

  private:
    struct run {
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::uint32_t when = 0;
    };

    std::vector<run> runs_;  // sorted, disjoint
    std::uint64_t slots_ = 0;
};

}  // namespace firn::lab
