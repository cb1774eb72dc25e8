// firn::audit::repeat_list: the smallest ids that repeat, as many as are wanted.
//
//     repeat_list list{20};
//     list.add(id, 3);                      // in any order
//     list.merge(other);
//     std::vector<repeat> r = list.take();  // ascending
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace firn::audit {

struct repeat {
    std::uint64_t id = 0;
    std::uint64_t count = 0;  ///< How often it stands in the input: 2 or more.
};

class repeat_list {
  public:
    explicit repeat_list(std::size_t most) : most_(most) {}

    /// Cost: amortised logarithm of `most`.
    void add(std::uint64_t id, std::uint64_t count) {
        if (most_ == 0 || (heap_.size() == most_ && id > heap_.front().id)) return;
        heap_.push_back({id, count});
        std::push_heap(heap_.begin(), heap_.end(), by_id);
        if (heap_.size() <= most_) return;
        std::pop_heap(heap_.begin(), heap_.end(), by_id);
        heap_.pop_back();
    }
    void merge(const repeat_list& other) {
        for (const auto& r : other.heap_) add(r.id, r.count);
    }
    /// Ascending. The list is empty then.
    std::vector<repeat> take() {
        std::sort_heap(heap_.begin(), heap_.end(), by_id);
        return std::exchange(heap_, {});
    }

  private:
    static bool by_id(const repeat& a, const repeat& b) noexcept { return a.id < b.id; }

    std::size_t most_;
    std::vector<repeat> heap_;  // The largest on top.
};

}  // namespace firn::audit
