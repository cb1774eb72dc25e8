// lab::state_set: which states have been seen, as 64-bit fingerprints in one flat table.
//
// Two different states that share a fingerprint count as one: among n states that happens with a probability
// of about n² / 2^65, 3 in a million for ten million.
//
//     lab::state_set seen;
//     seen.add(fingerprint)                                  // true: new
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace firn::lab {

class state_set {
  public:
    bool add(std::uint64_t fingerprint) {
        if (2 * size_ >= table_.size()) grow();
        if (!insert(fingerprint != 0 ? fingerprint : 1)) return false;
        ++size_;
        return true;
    }
    std::size_t size() const noexcept { return size_; }

  private:
    bool insert(std::uint64_t f) {
        const std::size_t mask = table_.size() - 1;
        for (std::size_t i = f & mask;; i = (i + 1) & mask) {
            if (table_[i] == f) return false;
            if (table_[i] == 0) {
                table_[i] = f;
                return true;
            }
        }
    }
    void grow() {
        std::vector<std::uint64_t> before(table_.empty() ? std::size_t{1} << 16 : 2 * table_.size());
        before.swap(table_);
        for (const std::uint64_t f : before)
            if (f != 0) insert(f);
    }

    std::vector<std::uint64_t> table_;
    std::size_t size_ = 0;
};

}  // namespace firn::lab
