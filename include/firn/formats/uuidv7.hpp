// firn::formats::uuidv7: a UUID with its time in front, and three ways to make one.
//
//     uuidv7_random     74 random bits for each; nothing remembered, no order within a millisecond
//     uuidv7_counter    RFC 9562, section 6.2, method 1: a counter behind the time, the rest random
//     uuidv7_monotonic  RFC 9562, section 6.2, method 2: the random number itself is the counter
//
// What they lose at a restart: random has nothing to lose; the counter and the monotonic one forget the last
// millisecond and their count, so order (not uniqueness, which rests on chance) is lost when the clock
// stepped back. When not to use it: where 64 bits must do, or where a duplicate must be impossible rather
// than improbable. Source: RFC 9562, sections 5.7 (fields), 6.2 (monotonicity and counters), 6.3 (generator
// states), 6.9 (unguessability), appendix A.6 (test vector).
//
//     std::mt19937_64 source{seed};                                   // std::random_device where it matters
//     firn::formats::uuidv7_counter g;
//     auto a = g.next(now, source);
//     if (a) std::cout << *a << " made at " << firn::rfc3339(a->time());
//     auto p = firn::formats::uuidv7::parse("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "firn/formats/attempt.hpp"
#include "firn/formats/random.hpp"
#include "firn/formats/uuid.hpp"

namespace firn::formats {

struct uuidv7 : octets<16> {
    using value_type = uuidv7;
    static constexpr std::size_t max_size = uuid::max_size;
    /// The first millisecond that 48 bits cannot hold: 10889-08-02T05:31:50.656Z.
    static constexpr std::int64_t end_ms = std::int64_t{1} << 48;

    /// From its fields, each cut to its width (48, 12, 62 bits): check the time first where it may not fit.
    static constexpr uuidv7 of(std::uint64_t unix_ms, std::uint64_t rand_a, std::uint64_t rand_b) noexcept {
        uuidv7 u;
        u.set_bits<0, 48>(unix_ms);
        u.set_bits<48, 4>(7);
        u.set_bits<52, 12>(rand_a);
        u.set_bits<64, 2>(2);
        u.set_bits<66, 62>(rand_b);
        return u;
    }

    constexpr std::int64_t unix_ms() const noexcept { return static_cast<std::int64_t>(bits<0, 48>()); }
    constexpr std::uint64_t rand_a() const noexcept { return bits<52, 12>(); }
    constexpr std::uint64_t rand_b() const noexcept { return bits<66, 62>(); }
    constexpr instant time() const noexcept { return detail::from_unix_ms(unix_ms()); }
    constexpr uuid as_uuid() const noexcept { return uuid{{bytes}}; }

    static constexpr char* write(const uuidv7& u, char* out) noexcept {
        return uuid::write(u.as_uuid(), out);
    }
    constexpr codecs::text_buffer<max_size> format() const noexcept { return as_uuid().format(); }

    /// Errors: those of uuid::parse; other_kind at the version's digit (14) or the variant's (19).
    static constexpr parsed_as<uuidv7> parse(std::string_view text,
                                             codecs::spelling accept = codecs::spelling::canonical) noexcept {
        const auto p = uuid::parse(text, accept);
        if (!p) return {.fault = p.fault, .position = p.position};
        if (p.value.version() != 7) return {.fault = text_fault::other_kind, .position = 14};
        if (!p.value.has_rfc_variant()) return {.fault = text_fault::other_kind, .position = 19};
        return {.value = uuidv7{{p.value.bytes}}};
    }

    friend std::ostream& operator<<(std::ostream& out, const uuidv7& u) { return out << u.format(); }
};

namespace detail {

/// The errors that an instant outside 48 bits of milliseconds is, or ok.
constexpr attempt<std::int64_t> check_48_bit_ms(instant now) noexcept {
    const std::int64_t ms = ticks_since(instant{}, now, 1000);
    if (ms < 0) return {errc::before_epoch, -ms};
    if (ms >= uuidv7::end_ms) return {errc::exhausted, ms - uuidv7::end_ms};
    return ms;
}

}  // namespace detail

/// Every id from the wall and fresh random bits. Two ids of one millisecond are equal with a chance of 2^-74;
/// n ids in it hold n (n - 1) / 2 such pairs. The clock is believed: after a rewind ids sort before earlier
/// ones.
class uuidv7_random {
  public:
    using id_type = uuidv7;
    static constexpr generator_facts facts{
        .name = "uuidv7 random",
        .id_bits = 128,
        .tick_us = 1000,
        .fresh_random_bits = 74,
        .process_random_bits = 0,
        .on_rewind = "believes the wall; order is lost, chance keeps ids apart",
        .lost_at_restart = "nothing: it remembers nothing",
        .pays = "128 bits; unique by chance; no order within a millisecond",
        .source = "RFC 9562, section 5.7"};

    /// Errors: before_epoch, exhausted. Threads: none may share it. Cost: two draws.
    template <random_source Source>
    constexpr attempt<uuidv7> next(instant now, Source& source) const {
        const auto ms = detail::check_48_bit_ms(now);
        if (!ms) return {ms.error(), ms.amount()};
        const std::uint64_t a = draw(source, 12);
        return uuidv7::of(static_cast<std::uint64_t>(*ms), a, draw(source, 62));
    }
};

/// What to do when the counter of a millisecond has run out: RFC 9562, section 6.2, "Counter Rollover
/// Handling".
enum class rollover : std::uint8_t {
    wait,  ///< Freeze the counter until the clock has moved on: tick_full.
    ahead  ///< Move the timestamp ahead of the clock and begin the counter anew.
};

/// Method 1, "Fixed Bit-Length Dedicated Counter". The counter is the 12 bits of rand_a unless more are asked
/// for, which it takes from the top of rand_b. It begins at random in each new millisecond, its highest guard
/// bits zero
/// ("Fixed Bit-Length Dedicated Counter Seeding"), so at least 2^(counter_bits - 1) ids fit. The rest is
/// fresh random for each id. When the wall reads less than before, the last timestamp is used again and
/// counted on
/// ("Monotonic Error Checking"), so ids of one process are in order whatever the clock does.
class uuidv7_counter {
  public:
    struct options {
        std::uint8_t counter_bits = 12;  ///< 12 to 42, the RFC's range
        std::uint8_t guard_bits = 1;     ///< 0 to counter_bits
        rollover when_full = rollover::wait;
    };

    using id_type = uuidv7;
    static constexpr generator_facts facts{
        .name = "uuidv7 method 1",
        .id_bits = 128,
        .tick_us = 1000,
        .fresh_random_bits = 62,
        .process_random_bits = 0,
        .on_rewind = "keeps the last timestamp and counts on",
        .lost_at_restart =
            "the last timestamp and the counter: after a rewind the new process sorts before the old",
        .pays = "128 bits; unique by chance across processes; 2048 to 4096 ids in a millisecond, then a wait",
        .source = "RFC 9562, section 6.2, method 1"};

    constexpr uuidv7_counter() noexcept = default;
    /// Throws bad_policy when a width is outside its range.
    constexpr explicit uuidv7_counter(options o) : options_(o) {
        if (o.counter_bits < 12 || o.counter_bits > 42)
            throw error(errc::bad_policy, "uuidv7_counter: counter_bits must be from 12 to 42",
                        o.counter_bits);
        if (o.guard_bits > o.counter_bits)
            throw error(errc::bad_policy, "uuidv7_counter: guard_bits must be at most counter_bits",
                        o.guard_bits);
    }

    /// Errors: tick_full (with rollover::wait), before_epoch, exhausted; no state has changed.
    /// Threads: none may share it. Cost: one or two draws.
    template <random_source Source>
    constexpr attempt<uuidv7> next(instant now, Source& source) {
        const auto ms = detail::check_48_bit_ms(now);
        if (!ms) return {ms.error(), ms.amount()};
        if (*ms > last_ms_) {
            begin(*ms, source);
        } else if (counter_ < (std::uint64_t{1} << options_.counter_bits) - 1) {
            ++counter_;
        } else {
            const std::int64_t following = last_ms_ + 1;
            if (following >= uuidv7::end_ms) return {errc::exhausted, 0};
            if (options_.when_full == rollover::wait)
                return {errc::tick_full, following, detail::from_unix_ms(following)};
            begin(following, source);
        }
        const unsigned in_b = options_.counter_bits - 12U;
        const std::uint64_t low =
            in_b == 0 ? 0 : (counter_ & ((std::uint64_t{1} << in_b) - 1)) << (62 - in_b);
        return uuidv7::of(static_cast<std::uint64_t>(last_ms_), counter_ >> in_b,
                          low | draw(source, 62 - in_b));
    }

  private:
    template <class Source>
    constexpr void begin(std::int64_t ms, Source& source) {
        counter_ = draw(source, options_.counter_bits - unsigned{options_.guard_bits});
        last_ms_ = ms;
    }

    options options_{};
    std::int64_t last_ms_ = -1;
    std::uint64_t counter_ = 0;
};

/// Method 2, "Monotonic Random". In a new millisecond rand_a and rand_b are drawn; within it rand_b grows by
/// a random number from 1 to 2^increment_bits. An increment far shorter than rand_b is its own rollover
/// guard: with 32 bits a millisecond holds 2^29 ids even after a start in the upper half of all starts. When
/// the wall reads less than before, the last timestamp is used again.
class uuidv7_monotonic {
  public:
    struct options {
        std::uint8_t increment_bits = 32;  ///< 0 to 61; 0 counts by one, which makes ids easily guessable
        rollover when_full = rollover::wait;
    };

    using id_type = uuidv7;
    static constexpr generator_facts facts{
        .name = "uuidv7 method 2",
        .id_bits = 128,
        .tick_us = 1000,
        .fresh_random_bits = 32,
        .process_random_bits = 0,
        .on_rewind = "keeps the last timestamp and counts on",
        .lost_at_restart =
            "the last timestamp and the number: after a rewind the new process sorts before the old",
        .pays = "128 bits; unique by chance across processes",
        .source = "RFC 9562, section 6.2, method 2"};

    constexpr uuidv7_monotonic() noexcept = default;
    /// Throws bad_policy when the width is outside its range.
    constexpr explicit uuidv7_monotonic(options o) : options_(o) {
        if (o.increment_bits > 61)
            throw error(errc::bad_policy, "uuidv7_monotonic: increment_bits must be from 0 to 61",
                        o.increment_bits);
    }

    /// Errors: tick_full (with rollover::wait), before_epoch, exhausted; no state has changed.
    /// Threads: none may share it. Cost: one or two draws.
    template <random_source Source>
    constexpr attempt<uuidv7> next(instant now, Source& source) {
        const auto ms = detail::check_48_bit_ms(now);
        if (!ms) return {ms.error(), ms.amount()};
        if (*ms > last_ms_) {
            begin(*ms, source);
        } else {
            const std::uint64_t grown = rand_b_ + draw(source, options_.increment_bits) + 1;
            if (grown < std::uint64_t{1} << 62) {
                rand_b_ = grown;
            } else {
                const std::int64_t following = last_ms_ + 1;
                if (following >= uuidv7::end_ms) return {errc::exhausted, 0};
                if (options_.when_full == rollover::wait)
                    return {errc::tick_full, following, detail::from_unix_ms(following)};
                begin(following, source);
            }
        }
        return uuidv7::of(static_cast<std::uint64_t>(last_ms_), rand_a_, rand_b_);
    }

  private:
    template <class Source>
    constexpr void begin(std::int64_t ms, Source& source) {
        rand_a_ = draw(source, 12);
        rand_b_ = draw(source, 62);
        last_ms_ = ms;
    }

    options options_{};
    std::int64_t last_ms_ = -1;
    std::uint64_t rand_a_ = 0;
    std::uint64_t rand_b_ = 0;
};

}  // namespace firn::formats
