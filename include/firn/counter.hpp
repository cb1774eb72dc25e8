// firn::read_counter: the CPU's own time counter. One instruction, no system call.
//
// Not a clock: its unit is unknown, and only the runtime's counter clock knows when it may be believed.
//
//     const std::uint64_t before = firn::read_counter();
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace firn {

#if defined(__x86_64__)
inline constexpr bool has_counter = true;
/// The time-stamp counter (Intel SDM vol. 2B, RDTSC). Not ordered with the loads and stores around it; the
/// caller compares it with a deadline that is a whole tick away, so a few instructions do not matter.
inline std::uint64_t read_counter() noexcept {
    return __rdtsc();
}
#elif defined(__aarch64__)
inline constexpr bool has_counter = true;
/// The generic timer's virtual count (Arm ARM, CNTVCT_EL0).
inline std::uint64_t read_counter() noexcept {
    std::uint64_t value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
}
#else
inline constexpr bool has_counter = false;
inline std::uint64_t read_counter() noexcept {
    return 0;
}
#endif

}  // namespace firn
