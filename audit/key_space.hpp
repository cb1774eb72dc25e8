// firn::audit::key_space: ids in an order that suits sorting on many cores.
//
// A key is an id with its bits moved and mixed, one to one. Its high bits are evenly spread, whatever the
// ids are, so that parts of the key space are parts of the ids of equal size. The ids of one machine's tick
// are neighbours: they differ in the low sequence_bits only, so that a sorted run of keys shows how full the
// tick was. Not an order that means anything to people.
//
//     constexpr key_space space{firn::layouts::standard};
//     std::uint64_t key = space.key_of(id.value);
//     space.group_of(key);                                   // the same for all ids of a machine's tick
//     space.id_of(key) == id.value;
#pragma once

#include <cstdint>

#include "firn/layout.hpp"

namespace firn::audit {

class key_space {
  public:
    explicit constexpr key_space(const layout& l) noexcept
        : sequence_bits_(l.sequence_bits),
          below_bits_(l.sequence_shift()),
          group_bits_(64U - l.sequence_bits),
          half_((group_bits_ + 1) / 2),
          group_mask_((std::uint64_t{1} << group_bits_) - 1),
          below_mask_((std::uint64_t{1} << below_bits_) - 1),
          sequence_mask_((std::uint64_t{1} << sequence_bits_) - 1) {}

    constexpr std::uint64_t key_of(std::uint64_t id) const noexcept {
        const std::uint64_t sequence = (id >> below_bits_) & sequence_mask_;
        const std::uint64_t group = (id >> below_bits_ >> sequence_bits_ << below_bits_) | (id & below_mask_);
        return mix(group) << sequence_bits_ | sequence;
    }

    constexpr std::uint64_t id_of(std::uint64_t key) const noexcept {
        const std::uint64_t group = unmix(key >> sequence_bits_);
        return (group >> below_bits_ << sequence_bits_ << below_bits_) |
               (key & sequence_mask_) << below_bits_ | (group & below_mask_);
    }

    constexpr std::uint64_t group_of(std::uint64_t key) const noexcept { return key >> sequence_bits_; }

  private:
    // An odd factor is invertible modulo a power of two; a shift by at least half the width undoes itself.
    static constexpr std::uint64_t factor = 0x9E3779B97F4A7C15ULL;
    static constexpr std::uint64_t inverse = [] {
        std::uint64_t x = factor;  // Newton: each round doubles the bits that are right, from 3.
        for (int i = 0; i < 5; ++i) x *= 2 - factor * x;
        return x;
    }();
    static_assert(factor * inverse == 1);

    constexpr std::uint64_t mix(std::uint64_t group) const noexcept {
        group ^= group >> half_;
        group = (group * factor) & group_mask_;
        return group ^ group >> half_;
    }
    constexpr std::uint64_t unmix(std::uint64_t group) const noexcept {
        group ^= group >> half_;
        group = (group * inverse) & group_mask_;
        return group ^ group >> half_;
    }

    unsigned sequence_bits_;
    unsigned below_bits_;
    unsigned group_bits_;
    unsigned half_;
    std::uint64_t group_mask_;
    std::uint64_t below_mask_;
    std::uint64_t sequence_mask_;
};

}  // namespace firn::audit
