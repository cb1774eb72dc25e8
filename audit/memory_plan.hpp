// firn::audit::memory_plan: how a bound of memory is divided.
//
//     const auto plan = plan_memory(std::uint64_t{256} << 20, 2);
//     plan.chunk_bytes; plan.blocks_in_memory; plan.scratch_keys;
#pragma once

#include <cstddef>
#include <cstdint>

namespace firn::audit {

struct memory_plan {
    unsigned threads = 1;  ///< Fewer than asked for where each would have too little.
    std::size_t chunk_bytes = 1U << 20;
    unsigned fan_out_bits = 8;
    std::size_t block_keys = 4096;
    std::size_t blocks_in_memory = 0;  ///< Beyond the one of each partition.
    std::size_t scratch_keys = 1U << 20;
};

/// The least that plan_memory() takes.
inline constexpr std::uint64_t memory_min = std::uint64_t{16} << 20;

/// A plan that stays below `bytes` (at least memory_min), the program itself included, whatever the size of
/// the input. Pure.
memory_plan plan_memory(std::uint64_t bytes, unsigned threads) noexcept;

/// Half of the memory that is available, or of what the control group allows when that is less.
/// Cost: reads two or three files of /proc and /sys.
std::uint64_t default_memory();

/// The processors that this process may run on.
unsigned default_threads();

}  // namespace firn::audit
