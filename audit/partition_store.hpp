// firn::audit::partition_store: keys, split by some of their bits, in memory as long as there is room and in
// a spill file from then on.
//
//     partition_store store{{.bits = 64, .fan_out_bits = 8, .block_keys = 4096, .blocks_in_memory = 1000},
//                           spill};
//     partition_store::writer out{store};              // one for each thread
//     out.add(key); …; out.flush();
//     store.read(p, keys);                             // when all writers have flushed
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "audit/spill_file.hpp"

namespace firn::audit {

struct partition_options {
    unsigned bits = 64;         ///< Keys are alike above their lowest `bits` bits.
    unsigned fan_out_bits = 8;  ///< The highest of them choose the partition.
    std::size_t block_keys = 4096;
    /// Blocks beyond the one that each partition has. When they are full, blocks go to the spill file.
    std::size_t blocks_in_memory = 0;
};

class partition_store {
  public:
    partition_store(const partition_options& options, spill_file& spill);

    /// Collects keys in small runs, so that a partition is locked once for many.
    class writer {
      public:
        explicit writer(partition_store& store);
        /// Errors: failure of the spill file. Cost: about 2 ns.
        void add(std::uint64_t key) {
            const std::size_t p = store_->partition_of(key);
            runs_[p * run_keys + counts_[p]] = key;
            if (++counts_[p] == run_keys) flush(p);
        }
        /// Hands over what is left. Call it once at the end.
        void flush();

      private:
        static constexpr std::size_t run_keys = 32;
        void flush(std::size_t p);

        partition_store* store_;
        std::unique_ptr<std::uint64_t[]> runs_;
        std::vector<std::uint8_t> counts_;
    };

    std::size_t count() const noexcept { return partitions_.size(); }
    /// The keys of partition `p`. After all writers have flushed.
    std::size_t size(std::size_t p) const noexcept { return partitions_[p].keys; }
    std::uint64_t spilled_bytes() const noexcept { return spilled_bytes_.load(std::memory_order_relaxed); }

    /// Copies partition `p` to `out`, which has its size. Threads: any, of different partitions.
    void read(std::size_t p, std::span<std::uint64_t> out) const;

    /// Shows partition `p` block by block. `show` takes a span of keys.
    template <class Show>
    void for_each_block(std::size_t p, std::span<std::uint64_t> buffer, Show&& show) const;

    /// Gives the memory of partition `p` back. Its size is 0 then.
    void release(std::size_t p) noexcept;

  private:
    using block = std::unique_ptr<std::uint64_t[]>;
    struct alignas(64) partition {
        std::mutex mutex;
        std::size_t keys = 0;
        std::vector<block> full;             // In memory.
        std::vector<std::uint64_t> spilled;  // Where its other full blocks begin in the spill file.
        block open;
        std::size_t open_keys = 0;
    };

    std::size_t partition_of(std::uint64_t key) const noexcept { return (key >> shift_) & mask_; }
    void append(std::size_t p, std::span<const std::uint64_t> keys);
    void put_away(partition& part);
    bool take_block() noexcept;
    std::size_t block_bytes() const noexcept { return block_keys_ * sizeof(std::uint64_t); }

    unsigned shift_;
    std::uint64_t mask_;
    std::size_t block_keys_;
    spill_file& spill_;
    std::vector<partition> partitions_;
    std::atomic<std::int64_t> blocks_left_;
    std::atomic<std::uint64_t> spilled_bytes_{0};
};

template <class Show>
void partition_store::for_each_block(std::size_t p, std::span<std::uint64_t> buffer, Show&& show) const {
    const partition& part = partitions_[p];
    for (const auto& b : part.full) show(std::span<const std::uint64_t>{b.get(), block_keys_});
    for (const auto offset : part.spilled) {
        const auto piece = buffer.first(block_keys_);
        spill_.read(offset, std::as_writable_bytes(piece));
        show(std::span<const std::uint64_t>{piece});
    }
    show(std::span<const std::uint64_t>{part.open.get(), part.open_keys});
}

}  // namespace firn::audit
