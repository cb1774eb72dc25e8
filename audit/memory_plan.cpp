#include "audit/memory_plan.hpp"

#include <sched.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <limits>
#include <string>

namespace firn::audit {
namespace {

constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20;

std::uint64_t available_memory() {
    std::ifstream file{"/proc/meminfo"};
    for (std::string name, rest; file >> name; std::getline(file, rest)) {
        std::uint64_t kibibytes = 0;
        if (name == "MemAvailable:" && file >> kibibytes) return kibibytes << 10;
    }
    return 1024 * mebibyte;  // Not this kernel's way to say it: a size that every such machine has.
}

/// What the control group allows, or everything. Reads version 2 in a container's own view, then version 1.
std::uint64_t group_limit() {
    for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
        std::ifstream file{path};
        std::uint64_t bytes = 0;
        if (file >> bytes) return bytes;  // "max" is no number.
    }
    return std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

memory_plan plan_memory(std::uint64_t bytes, unsigned threads) noexcept {
    memory_plan plan;
    // The program, its libraries, the table of machines, and what the allocator keeps.
    const std::uint64_t whole = std::max(bytes, memory_min) - 8 * mebibyte;
    plan.threads = static_cast<unsigned>(std::clamp<std::uint64_t>(whole / (4 * mebibyte), 1, threads));
    plan.chunk_bytes = std::clamp<std::uint64_t>(whole / plan.threads / 32, 64 << 10, mebibyte);
    // More partitions are sorted faster, as each fits into a cache; but their blocks are smaller, which a
    // disk does not like.
    plan.fan_out_bits = bytes >= 1024 * mebibyte ? 10 : 8;
    const std::uint64_t runs = std::uint64_t{32} * 8 << plan.fan_out_bits;
    // A chunk, the start of the next one, and the ids: half of the text, of short ids more.
    const std::uint64_t rest = whole - plan.threads * (3 * plan.chunk_bytes + runs);

    const std::uint64_t blocks = rest / 4 * 3;
    plan.block_keys =
        std::clamp<std::uint64_t>(std::bit_floor(blocks / 32 >> plan.fan_out_bits), 512, 32 << 10);
    plan.blocks_in_memory = blocks / (plan.block_keys * 8) - (std::size_t{1} << plan.fan_out_bits);
    // A quarter beyond the scratch arrays is used where a partition has to be split.
    plan.scratch_keys = rest / 4 / 8 * 4 / 5;
    return plan;
}

std::uint64_t default_memory() {
    return std::max(std::min(available_memory(), group_limit()) / 2, memory_min);
}

unsigned default_threads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return static_cast<unsigned>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace firn::audit
