// lab::id_set: the checker's memory. Every id ever issued, exactly, as disjoint runs of consecutive values.
//
// Ids of a generator come mostly in order, so a run is a tick's worth of them: 60 million ids at 1000 a
// millisecond are 60,000 runs of 16 bytes. The worst case, no two ids adjacent, is 16 bytes an id. Runs
// lie sorted in blocks, a B-tree of one level.
//
//     lab::id_set seen;
//     seen.add(42);                                          // true: new
//     seen.add(42);                                          // false: a duplicate
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace firn::lab {

class id_set {
  public:
    id_set() = default;
    id_set(const id_set&) = delete;
    id_set& operator=(const id_set&) = delete;

    /// Adds `id`, which is not the largest 64-bit number. Returns whether it was new. Cost: a few
    /// instructions when it is the one after the last one added, or already there beside it; otherwise a
    /// binary search and at most a block's move.
    bool add(std::uint64_t id) {
        if (id == at_->end && id < limit_) [[likely]] {
            ++at_->end;
            return true;
        }
        return add_elsewhere(id);
    }

    bool contains(std::uint64_t id) const;
    std::size_t runs() const;

  private:
    struct run {
        std::uint64_t begin;
        std::uint64_t end;
    };
    struct block {
        static constexpr std::size_t capacity = 512;
        std::size_t count = 0;
        std::array<run, capacity> runs;
    };
    struct place {
        std::size_t block;
        std::size_t index;
    };

    bool add_elsewhere(std::uint64_t id);
    /// The last run that begins at or before `id`; index none when there is none.
    place find(std::uint64_t id) const;
    std::uint64_t begin_after(place p) const;
    place insert_after(place p, run r);
    void go_to(place p);

    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::vector<std::unique_ptr<block>> blocks_;
    run nowhere_{1, 0};
    run* at_ = &nowhere_;      // the run of the last id added
    std::uint64_t limit_ = 0;  // where the run after it begins
};

}  // namespace firn::lab
