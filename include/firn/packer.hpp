// Packers: a machine's slots as ids. What is left of a layout on the id path: two shifts and the machine's
// bits.
//
// A layout known at compile time costs nothing (fixed_packer, an empty constant but for the machine); one
// read from a configuration works the same (packer).
//
//     firn::packer p{firn::layouts::twitter, 7};            // throws machine_out_of_range; never masks
//     firn::id i = p.pack(firn::slot::at(firn::tick{50}, 0, 12));
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "firn/layouts.hpp"
#include "firn/slot.hpp"

namespace firn {

namespace detail {

constexpr id pack(const layout& l, std::uint64_t machine_field, slot s) noexcept {
    const auto ticks = static_cast<std::uint64_t>(s.value) >> l.sequence_bits;
    const auto sequence = static_cast<std::uint64_t>(s.value) & l.sequence_max();
    return id{ticks << l.tick_shift() | machine_field | sequence << l.sequence_shift()};
}

/// How many slots from `s` on lie in its tick, `s` among them.
constexpr std::uint32_t left_in_tick(const layout& l, slot s) noexcept {
    return l.sequence_max() - s.sequence_of(l.sequence_bits) + 1;
}

/// By how much the ids of neighbouring slots of a tick differ.
constexpr std::uint64_t step_of(const layout& l) noexcept {
    return std::uint64_t{1} << l.sequence_shift();
}

/// Writes `count` numbers from `base` on, `step` apart. Four at a time, each the same base and a constant of
/// its own: compilers make two vectors of that at -O2 already.
constexpr void fill_run(id* to, std::size_t count, std::uint64_t base, std::uint64_t step) noexcept {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4, base += 4 * step) {
        to[i].value = base;
        to[i + 1].value = base + step;
        to[i + 2].value = base + 2 * step;
        to[i + 3].value = base + 3 * step;
    }
    for (; i < count; ++i, base += step) to[i].value = base;
}

/// Writes the ids of `out.size()` slots from `first` on. Within a tick ids differ by a constant.
template <class Packer>
constexpr void pack_run(const Packer& p, slot first, std::span<id> out) noexcept {
    const layout& l = p.layout_of();
    const std::uint64_t step = step_of(l);
    std::size_t done = 0;
    while (done < out.size()) {
        const slot s{first.value + static_cast<std::int64_t>(done)};
        const std::size_t run = std::min<std::size_t>(out.size() - done, left_in_tick(l, s));
        fill_run(out.data() + done, run, p.pack(s).value, step);
        done += run;
    }
}

}  // namespace detail

/// Packs for a layout chosen at run time. Immutable; any thread.
class packer {
  public:
    /// Throws bad_layout or machine_out_of_range.
    constexpr packer(const layout& l, std::uint64_t machine) : layout_(make_layout(l)), machine_(machine) {
        check_machine(l, machine);
        machine_field_ = machine << l.machine_shift();
    }

    /// Requires a slot from 0 to below layout_of().end_slot().
    constexpr id pack(slot s) const noexcept { return detail::pack(layout_, machine_field_, s); }
    constexpr const layout& layout_of() const noexcept { return layout_; }
    constexpr std::uint64_t machine() const noexcept { return machine_; }
    /// What options for this kind of packer start from.
    static constexpr const layout& default_layout() noexcept { return layouts::standard; }

  private:
    layout layout_;
    std::uint64_t machine_;
    std::uint64_t machine_field_ = 0;
};

/// Packs for a layout that is a constant. A layout that makes no sense does not compile.
template <layout Layout>
class fixed_packer {
    static_assert(
        unsigned{Layout.reserved_bits} + Layout.timestamp_bits + Layout.machine_bits + Layout.sequence_bits ==
            64,
        "firn: the widths of the layout must add up to 64 (reserved + timestamp + machine + sequence)");
    static_assert(
        detail::examine(Layout, detail::throw_bad_layout{}) == nullptr,
        "firn: this layout makes no sense: the call of throw_bad_layout that the compiler shows says why");

  public:
    constexpr explicit fixed_packer(std::uint64_t machine) : machine_(machine) {
        check_machine(Layout, machine);
    }
    /// So that generators can be made alike for both kinds. `l` must be the constant, but for its names:
    /// throws bad_layout otherwise.
    constexpr fixed_packer(const layout& l, std::uint64_t machine) : fixed_packer(machine) {
        if (!l.same_ids(Layout)) throw error(errc::bad_layout, "the layout given is not the one of the type");
    }

    constexpr id pack(slot s) const noexcept {
        return detail::pack(Layout, machine_ << Layout.machine_shift(), s);
    }
    static constexpr const layout& layout_of() noexcept { return layout_value; }
    constexpr std::uint64_t machine() const noexcept { return machine_; }
    static constexpr const layout& default_layout() noexcept { return layout_value; }

  private:
    static constexpr layout layout_value = Layout;
    std::uint64_t machine_;
};

}  // namespace firn
