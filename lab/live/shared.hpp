// firn::live: memory that a process shares with the children it forks afterwards, and what demonstrations and
// tests keep in it: a log of ids that outlives who writes it, and a wall that is stepped for all at once.
//
// Not for processes that are not each other's children, and not durable.
//
//     firn::live::shared<std::atomic<std::int64_t>> step_ns;           // made before the fork
//     firn::live::id_log log(1'000'000);
//     auto wall = std::make_shared<firn::live::stepped_time>(*step_ns);
//     firn::live::child c([&] { … log.append(id); … });
//     *step_ns -= 50'000'000;                                          // 50 ms back
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <utility>

#include "firn/clock.hpp"
#include "firn/counter_clock.hpp"
#include "firn/error.hpp"
#include "firn/id.hpp"

namespace firn::live {

namespace detail {

/// Zeroed memory that children share; what is never touched costs nothing. Throws out_of_resources.
inline void* map_shared(std::size_t bytes) {
    void* at =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) throw error(errc::out_of_resources, "no shared memory (mmap)", errno);
    return at;
}

}  // namespace detail

/// One value in shared memory. It has to be one that processes can share: atomics, plain numbers.
template <class Value>
class shared {
  public:
    shared() : value_(new (detail::map_shared(sizeof(Value))) Value{}) {}
    shared(const shared&) = delete;
    shared& operator=(const shared&) = delete;
    ~shared() { ::munmap(value_, sizeof(Value)); }

    Value& operator*() const noexcept { return *value_; }
    Value* operator->() const noexcept { return value_; }

  private:
    Value* value_;
};

/// Ids in the order in which they were stored. One writer at a time; whoever reads sees whole ids only.
class id_log {
  public:
    explicit id_log(std::size_t capacity)
        : capacity_(capacity), words_(static_cast<word*>(detail::map_shared(bytes()))) {}
    id_log(id_log&& other) noexcept
        : capacity_(other.capacity_), words_(std::exchange(other.words_, nullptr)) {}
    id_log& operator=(id_log&&) = delete;
    ~id_log() {
        if (words_ != nullptr) ::munmap(words_, bytes());
    }

    /// False: it is full, and the id was not stored. An id counts as handed out once it is.
    bool append(id i) noexcept {
        const std::uint64_t n = words_[0].load(std::memory_order_relaxed);
        if (n == capacity_) return false;
        words_[n + 1].store(i.value, std::memory_order_relaxed);
        words_[0].store(n + 1, std::memory_order_release);
        return true;
    }
    std::size_t size() const noexcept { return words_[0].load(std::memory_order_acquire); }
    std::size_t capacity() const noexcept { return capacity_; }
    id operator[](std::size_t i) const noexcept { return id{words_[i + 1].load(std::memory_order_relaxed)}; }

  private:
    using word = std::atomic<std::uint64_t>;

    std::size_t bytes() const noexcept { return (capacity_ + 1) * sizeof(word); }

    std::size_t capacity_;
    word* words_;
};

/// The host's clocks, with a step added to the wall.
class stepped_time final : public time_source {
  public:
    /// `step_ns` lies in shared memory and outlives this.
    explicit stepped_time(const std::atomic<std::int64_t>& step_ns) : step_ns_(step_ns) {}

    std::int64_t wall_ns() noexcept override {
        return firn::detail::clock_ns(CLOCK_REALTIME) + step_ns_.load(std::memory_order_relaxed);
    }
    std::int64_t steady_ns() noexcept override { return firn::detail::clock_ns(CLOCK_BOOTTIME); }

  private:
    const std::atomic<std::int64_t>& step_ns_;
};

}  // namespace firn::live
