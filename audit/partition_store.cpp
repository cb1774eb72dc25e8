#include "audit/partition_store.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace firn::audit {

partition_store::partition_store(const partition_options& options, spill_file& spill)
    : shift_(options.bits - options.fan_out_bits),
      mask_((std::uint64_t{1} << options.fan_out_bits) - 1),
      block_keys_(options.block_keys),
      spill_(spill),
      partitions_(std::size_t{1} << options.fan_out_bits),
      blocks_left_(static_cast<std::int64_t>(options.blocks_in_memory)) {}

bool partition_store::take_block() noexcept {
    // Looked at first, so that the counter cannot run down for ever.
    return blocks_left_.load(std::memory_order_relaxed) > 0 &&
           blocks_left_.fetch_sub(1, std::memory_order_relaxed) > 0;
}

/// The open block is full: keep it, or write it out and use it again.
void partition_store::put_away(partition& part) {
    if (take_block()) {
        part.full.push_back(std::move(part.open));
    } else {
        part.spilled.push_back(
            spill_.append(std::as_bytes(std::span<const std::uint64_t>{part.open.get(), block_keys_})));
        spilled_bytes_.fetch_add(block_bytes(), std::memory_order_relaxed);
    }
    part.open_keys = 0;
}

void partition_store::append(std::size_t p, std::span<const std::uint64_t> keys) {
    partition& part = partitions_[p];
    const std::scoped_lock lock{part.mutex};
    part.keys += keys.size();
    while (!keys.empty()) {
        if (part.open_keys == block_keys_) put_away(part);
        if (!part.open) part.open = std::make_unique_for_overwrite<std::uint64_t[]>(block_keys_);
        const std::size_t n = std::min(keys.size(), block_keys_ - part.open_keys);
        std::memcpy(part.open.get() + part.open_keys, keys.data(), n * sizeof(std::uint64_t));
        part.open_keys += n;
        keys = keys.subspan(n);
    }
}

void partition_store::read(std::size_t p, std::span<std::uint64_t> out) const {
    const partition& part = partitions_[p];
    for (const auto& b : part.full) {
        std::memcpy(out.data(), b.get(), block_bytes());
        out = out.subspan(block_keys_);
    }
    for (const auto offset : part.spilled) {
        spill_.read(offset, std::as_writable_bytes(out.first(block_keys_)));
        out = out.subspan(block_keys_);
    }
    if (part.open_keys != 0) std::memcpy(out.data(), part.open.get(), part.open_keys * sizeof(std::uint64_t));
}

void partition_store::release(std::size_t p) noexcept {
    partition& part = partitions_[p];
    std::exchange(part.full, std::vector<block>{});
    std::exchange(part.spilled, std::vector<std::uint64_t>{});
    part.open.reset();
    part.open_keys = part.keys = 0;
}

partition_store::writer::writer(partition_store& store)
    : store_(&store),
      runs_(std::make_unique_for_overwrite<std::uint64_t[]>(store.count() * run_keys)),
      counts_(store.count()) {}

void partition_store::writer::flush(std::size_t p) {
    store_->append(p, {runs_.get() + p * run_keys, counts_[p]});
    counts_[p] = 0;
}

void partition_store::writer::flush() {
    for (std::size_t p = 0; p < counts_.size(); ++p)
        if (counts_[p] != 0) flush(p);
}

}  // namespace firn::audit
