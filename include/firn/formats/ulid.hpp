// firn::formats::ulid: 48 bits of milliseconds and 80 random bits as 26 characters, and its monotonic
// generator.
//
// What the generator loses at a restart: the last millisecond and its random number. Two processes, or one
// process before and after a restart, keep apart by chance: 2^-80 for each pair of ids in one millisecond,
// though ids that count on from one start are easily guessed. When not to use it: where 64 bits must do, or
// where a duplicate must be impossible rather than improbable. Canonical text is upper case; the
// specification calls the text case-insensitive, and Crockford's alphabet reads I and L as 1 and O as 0: that
// is `lenient`. A text past 7ZZZ… is rejected, as the specification asks. Source: github.com/ulid/spec,
// README ("Components", "Encoding", "Monotonicity", "Overflow Errors"); github.com/ulid/javascript,
// monotonicFactory (what happens when the clock reads less than before).
//
//     auto p = firn::formats::ulid::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV");
//     p.value.unix_ms();                                              // 1469922850259
//     firn::formats::ulid_monotonic g;
//     auto a = g.next(now, source);
//     if (a) std::cout << *a;
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "firn/codecs/base32.hpp"
#include "firn/formats/attempt.hpp"
#include "firn/formats/octets.hpp"
#include "firn/formats/random.hpp"

namespace firn::formats {

struct ulid : octets<16> {
    using value_type = ulid;
    static constexpr std::size_t max_size = 26;
    /// The first millisecond that 48 bits cannot hold: 10889-08-02T05:31:50.656Z.
    static constexpr std::int64_t end_ms = std::int64_t{1} << 48;

    /// From its fields, each cut to its width (48, 16, 64 bits); the randomness is `high` and `low` together.
    static constexpr ulid of(std::uint64_t unix_ms, std::uint64_t high, std::uint64_t low) noexcept {
        ulid u;
        u.set_bits<0, 48>(unix_ms);
        u.set_bits<48, 16>(high);
        u.set_bits<64, 64>(low);
        return u;
    }

    constexpr std::int64_t unix_ms() const noexcept { return static_cast<std::int64_t>(bits<0, 48>()); }
    constexpr std::uint64_t random_high() const noexcept { return bits<48, 16>(); }
    constexpr std::uint64_t random_low() const noexcept { return bits<64, 64>(); }
    constexpr instant time() const noexcept { return detail::from_unix_ms(unix_ms()); }

    /// Writes 26 characters to `out`; returns the end. Threads: pure. Cost: no allocation.
    static constexpr char* write(const ulid& u, char* out) noexcept {
        return codecs::base_n<codecs::crockford_alphabet>::write_fixed(u.number(), out, max_size);
    }
    constexpr codecs::text_buffer<max_size> format() const noexcept {
        codecs::text_buffer<max_size> text;
        write(*this, text.data());
        text.resize(max_size);
        return text;
    }

    /// Errors: empty, bad_character, not_canonical, too_short, too_long, overflow (past 7ZZZ…).
    /// Threads: pure. Cost: no allocation.
    static constexpr parsed_as<ulid> parse(std::string_view text,
                                           codecs::spelling accept = codecs::spelling::canonical) noexcept {
        const auto p = detail::read_fixed<codecs::crockford_alphabet, 4>(text, max_size, accept);
        if (!p) return {.fault = p.fault, .position = p.position};
        return {.value = ulid{{p.value.to_bytes()}}};
    }

    friend std::ostream& operator<<(std::ostream& out, const ulid& u) { return out << u.format(); }
};

/// In a new millisecond 80 random bits; within it, and while the wall reads less than before, one more each
/// time.
class ulid_monotonic {
  public:
    using id_type = ulid;
    static constexpr generator_facts facts{
        .name = "ulid monotonic",
        .id_bits = 128,
        .tick_us = 1000,
        .fresh_random_bits = 0,
        .process_random_bits = 0,
        .on_rewind = "keeps the last timestamp and counts on",
        .lost_at_restart =
            "the last timestamp and the number: after a rewind the new process sorts before the old",
        .pays = "128 bits; unique by chance across processes (80 random bits drawn in each new millisecond)",
        .source = "github.com/ulid/spec, Monotonicity"};

    /// Errors: tick_full when the 80 bits run out within a millisecond (the specification: "the generation
    /// will fail"; it succeeds again in the next one); before_epoch; exhausted. No state has changed.
    /// Threads: none may share it. Cost: two draws in a new millisecond.
    template <random_source Source>
    constexpr attempt<ulid> next(instant now, Source& source) {
        const std::int64_t ms = detail::ticks_since(instant{}, now, 1000);
        if (ms < 0) return {errc::before_epoch, -ms};
        if (ms >= ulid::end_ms) return {errc::exhausted, ms - ulid::end_ms};
        if (ms > last_ms_) {
            high_ = draw(source, 16);
            low_ = draw(source, 64);
            last_ms_ = ms;
        } else {
            const bool carry = low_ == ~std::uint64_t{0};
            if (carry && high_ == 0xffff)
                return {errc::tick_full, last_ms_ + 1, detail::from_unix_ms(last_ms_ + 1)};
            ++low_;
            if (carry) ++high_;
        }
        return ulid::of(static_cast<std::uint64_t>(last_ms_), high_, low_);
    }

  private:
    std::int64_t last_ms_ = -1;
    std::uint64_t high_ = 0;
    std::uint64_t low_ = 0;
};

}  // namespace firn::formats
