// firn::layout: how 64 bits are divided, how long a tick is and when time began.
//
// A plain structural value: it can be a constant, a template argument (fixed_packer, generator.hpp) or be
// read from a configuration, and works the same. Nothing masks: a value that does not fit is an error.
//
//     constexpr auto mine = firn::make_layout({.timestamp_bits = 41, .machine_bits = 8, .sequence_bits = 14,
//                                              .epoch_ms = 1735689600000});
//     auto f = mine.decode(some_id);                     // f.tick, f.machine, f.sequence
//     auto when = mine.time_of(some_id);                 // std::chrono::sys_time<microseconds>
//     mine.encode(firn::tick{50}, 7, 0);                 // firn::id, or throws out_of_range
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "firn/error.hpp"
#include "firn/id.hpp"
#include "firn/instant.hpp"
#include "firn/slot.hpp"

namespace firn {

/// A short name that may be part of a template argument. Longer text fails to compile.
struct short_name {
    std::array<char, 24> text{};

    constexpr short_name() = default;
    template <std::size_t Size>
    constexpr short_name(const char (&literal)[Size]) {
        static_assert(Size <= 24, "firn: a layout's names have at most 23 characters");
        for (std::size_t i = 0; i < Size; ++i) text[i] = literal[i];
    }
    constexpr std::string_view view() const noexcept {
        std::size_t length = 0;
        while (length < text.size() && text[length] != '\0') ++length;
        return {text.data(), length};
    }
    friend constexpr bool operator==(const short_name&, const short_name&) noexcept = default;
};

/// The order of the fields from the highest bit down. Time is always first: else ids would not be in time
/// order.
enum class field_order : std::uint8_t { time_machine_sequence, time_sequence_machine };

/// A named part of the machine number, from its highest bit down: "datacenter", 5 bits.
struct machine_part {
    short_name name;
    std::uint8_t bits = 0;

    friend constexpr bool operator==(const machine_part&, const machine_part&) noexcept = default;
};

/// What an id says.
struct fields {
    firn::tick tick;
    std::uint64_t machine = 0;
    std::uint32_t sequence = 0;

    friend constexpr bool operator==(const fields&, const fields&) noexcept = default;
};

struct layout {
    short_name name{};  ///< For people; two layouts that differ in nothing else make the same ids.
    std::uint8_t reserved_bits = 1;  ///< Leading zero bits: 1 keeps the id positive when read as signed.
    std::uint8_t timestamp_bits = 41;
    std::uint8_t machine_bits = 10;
    std::uint8_t sequence_bits = 12;
    field_order order = field_order::time_machine_sequence;
    std::int64_t tick_us = 1000;                  ///< The length of a tick in microseconds.
    std::int64_t epoch_ms = 0;                    ///< Tick 0 in Unix milliseconds. Left out, it is 1970.
    std::array<machine_part, 3> machine_parts{};  ///< All empty, or bits that add up to machine_bits.

    friend constexpr bool operator==(const layout&, const layout&) noexcept = default;

    /// Whether both read and write the same ids: equal, but for the names.
    constexpr bool same_ids(const layout& other) const noexcept { return unnamed() == other.unnamed(); }
    /// Without its names.
    constexpr layout unnamed() const noexcept {
        layout bare = *this;
        bare.name = {};
        bare.machine_parts = {};
        return bare;
    }

    constexpr std::uint64_t machine_max() const noexcept { return (std::uint64_t{1} << machine_bits) - 1; }
    constexpr std::uint32_t sequence_max() const noexcept {
        return static_cast<std::uint32_t>((std::uint64_t{1} << sequence_bits) - 1);
    }
    /// The first tick that the timestamp field cannot hold. Where field and sequence fill a slot's 63 bits
    /// (41/0/22, 48/16), the slot ends first: one tick earlier, or at 63 bits.
    constexpr tick end_tick() const noexcept {
        const unsigned slot_bits = 63U - sequence_bits;
        return tick{timestamp_bits < slot_bits ? std::int64_t{1} << timestamp_bits
                                               : (std::int64_t{1} << slot_bits) - 1};
    }
    /// The first slot past the layout's life: the ceiling of everything.
    constexpr slot end_slot() const noexcept { return slot::at(end_tick(), 0, sequence_bits); }

    /// The instant at which `t` begins. Saturates at the ends of `instant`.
    constexpr instant time_of(tick t) const noexcept {
        return instant{std::chrono::microseconds{saturating_us(t)}};
    }
    /// The instant of an id's tick. Cost: a few instructions. Never fails: every 64 bits have a timestamp
    /// field.
    constexpr instant time_of(id i) const noexcept { return time_of(decode(i).tick); }
    /// The tick in which `when` lies (floor). Negative before the epoch.
    constexpr tick tick_of(instant when) const noexcept {
        const std::int64_t us = when.time_since_epoch().count() - epoch_ms * 1000;
        const std::int64_t whole = us / tick_us;
        return tick{whole - (us % tick_us < 0 ? 1 : 0)};
    }
    constexpr instant first_instant() const noexcept { return time_of(tick{0}); }
    /// The first instant past the layout's life.
    constexpr instant end_instant() const noexcept { return time_of(end_tick()); }

    constexpr unsigned tick_shift() const noexcept { return unsigned{machine_bits} + sequence_bits; }
    constexpr unsigned machine_shift() const noexcept {
        return order == field_order::time_machine_sequence ? sequence_bits : 0U;
    }
    constexpr unsigned sequence_shift() const noexcept {
        return order == field_order::time_machine_sequence ? 0U : machine_bits;
    }

    /// The fields of an id, as this layout reads them. A set reserved bit shows as a tick past end_tick().
    constexpr fields decode(id i) const noexcept {
        return {.tick = tick{static_cast<std::int64_t>(shift_right(i.value, tick_shift()))},
                .machine = (i.value >> machine_shift()) & machine_max(),
                .sequence = static_cast<std::uint32_t>((i.value >> sequence_shift()) & sequence_max())};
    }

    /// The id with these fields. Throws out_of_range, naming the field and its bound, when one does not fit.
    constexpr id encode(tick t, std::uint64_t machine, std::uint32_t sequence) const {
        if (t.count < 0) throw error(errc::out_of_range, "tick is before the layout's epoch", t.count);
        if (t >= end_tick())
            throw error(errc::out_of_range, "tick is past the end of the timestamp field", t.count);
        if (machine > machine_max())
            throw error(errc::machine_out_of_range, "machine does not fit into its field",
                        static_cast<std::int64_t>(machine));
        if (sequence > sequence_max())
            throw error(errc::out_of_range, "sequence does not fit into its field", sequence);
        return id{shift_left(static_cast<std::uint64_t>(t.count), tick_shift()) | machine << machine_shift() |
                  std::uint64_t{sequence} << sequence_shift()};
    }

    /// The value of machine part `index` (see machine_parts) inside machine number `machine`.
    constexpr std::uint64_t part_of(std::uint64_t machine, std::size_t index) const noexcept {
        return (machine >> part_shift(index)) & part_max(index);
    }
    /// The largest value of machine part `index`; 0 of one that is empty.
    constexpr std::uint64_t part_max(std::size_t index) const noexcept {
        return (std::uint64_t{1} << machine_parts[index].bits) - 1;
    }
    /// Machine number `machine` with `value` in its part `index`. Requires value <= part_max(index).
    constexpr std::uint64_t with_part(std::uint64_t machine, std::size_t index,
                                      std::uint64_t value) const noexcept {
        return (machine & ~(part_max(index) << part_shift(index))) | value << part_shift(index);
    }

  private:
    constexpr unsigned part_shift(std::size_t index) const noexcept {
        unsigned below = 0;
        for (std::size_t i = index + 1; i < machine_parts.size(); ++i) below += machine_parts[i].bits;
        return below;
    }
    // Shifts that stay defined when machine and sequence take no bits, or all of them.
    static constexpr std::uint64_t shift_right(std::uint64_t v, unsigned n) noexcept {
        return n > 63 ? 0 : v >> n;
    }
    static constexpr std::uint64_t shift_left(std::uint64_t v, unsigned n) noexcept {
        return n > 63 ? 0 : v << n;
    }

    constexpr std::int64_t saturating_us(tick t) const noexcept {
        constexpr std::int64_t limit = std::numeric_limits<std::int64_t>::max() / 4;
        const std::int64_t span = limit / tick_us;
        const std::int64_t since_epoch = std::clamp(t.count, -span, span) * tick_us;
        return std::clamp(since_epoch + epoch_ms * 1000, -limit, limit);
    }
};

namespace detail {

/// Says what is wrong with a layout to `tell`, or answers null. Each sentence is the argument of a call: a
/// compiler that cannot make a constant shows the calls that led there, and with them the sentence.
template <class Tell>
constexpr const char* examine(const layout& l, Tell tell) {
    if (unsigned{l.reserved_bits} + l.timestamp_bits + l.machine_bits + l.sequence_bits != 64)
        return tell(
            "the widths of the layout must add up to 64: reserved_bits (the sign bit) + timestamp_bits + "
            "machine_bits + sequence_bits");
    if (l.timestamp_bits < 1) return tell("timestamp_bits must be at least 1");
    if (l.sequence_bits < 1 || l.sequence_bits > 31) return tell("sequence_bits must be from 1 to 31");
    if (l.machine_bits > 32) return tell("machine_bits must be from 0 to 32");
    if (l.tick_us < 1 || l.tick_us > 86'400'000'000)
        return tell("tick_us must be from 1 (1 us) to 86400000000 (a day)");
    if (l.epoch_ms < 0) return tell("epoch_ms must not be before 1970 (0)");
    if (l.epoch_ms > 253'402'300'799'999) return tell("epoch_ms must not be after the year 9999");
    unsigned parts = 0;
    for (const auto& part : l.machine_parts) parts += part.bits;
    if (parts != 0 && parts != l.machine_bits) return tell("the machine_parts must add up to machine_bits");
    return nullptr;
}

struct return_sentence {
    constexpr const char* operator()(const char* sentence) const noexcept { return sentence; }
};
struct throw_bad_layout {
    constexpr const char* operator()(const char* sentence) const {
        return sentence == nullptr ? sentence : throw error(errc::bad_layout, sentence);
    }
};

}  // namespace detail

/// What is wrong with a layout, or null. The sentence says what was expected. Pure.
constexpr const char* fault_of(const layout& l) noexcept {
    return detail::examine(l, detail::return_sentence{});
}

/// Returns `l` when it makes sense; throws bad_layout with the sentence otherwise. In a constant expression
/// the compiler's error shows the sentence. Whether the layout's life fits the present is asked by
/// check_life().
constexpr layout make_layout(const layout& l) {
    detail::examine(l, detail::throw_bad_layout{});
    return l;
}

/// Throws unless ids made at `now` would lie within the layout's life and `min_life` of it is left:
/// epoch_in_future, life_ended, or life_ends_soon. The message names the date and the way out.
void check_life(const layout& l, instant now, std::chrono::microseconds min_life);

namespace detail {
[[noreturn]] inline void refuse_machine(const layout& l, std::uint64_t machine) {
    throw error(errc::machine_out_of_range,
                "machine " + std::to_string(machine) + " does not fit into the layout's " +
                    std::to_string(l.machine_bits) + " bits: it takes 0 to " +
                    std::to_string(l.machine_max()),
                static_cast<std::int64_t>(machine));
}
}  // namespace detail

/// Throws machine_out_of_range, naming the bound, unless `machine` fits into the layout's field.
constexpr void check_machine(const layout& l, std::uint64_t machine) {
    if (machine > l.machine_max()) detail::refuse_machine(l, machine);
}

}  // namespace firn

#include "firn/detail/check_life.hpp"
