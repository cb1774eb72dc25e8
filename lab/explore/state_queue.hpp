// lab::state_queue: worlds to be looked at, packed: most words of a world are zero, and those are left out.
//
//     lab::state_queue queue;
//     queue.push(world);
//     while (queue.pop(world)) …                             // first in, first out
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/journal/world.hpp"

namespace firn::lab {

class state_queue {
  public:
    void push(const world& w);
    /// Into a world of the same setup. False: there is none left.
    bool pop(world& w);
    /// Forgets what was popped. Only once all was.
    void clear() noexcept;

    std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  private:
    void pack(const void* from, std::size_t size);
    void unpack(void* to, std::size_t size);

    std::vector<std::uint64_t> words_;
    std::size_t at_ = 0;
};

}  // namespace firn::lab
