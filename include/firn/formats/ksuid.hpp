// firn::formats::ksuid: 32 bits of seconds since 2014-05-13T16:53:20Z and 128 random bits as 27 characters.
//
// What the generator loses at a restart: nothing, it remembers nothing. Two ids of one second are equal with
// a chance of 2^-128; within a second there is no order. When not to use it: where 64 bits must do, or where
// order finer than a second matters. The text has always 27 characters of base 62, digits first;
// aWgEPTl1tmebfsQzFP4bxwgy80V is the largest. Source: github.com/segmentio/ksuid, README ("How do KSUIDs
// work?") and ksuid.go (epochStamp, maxStringEncoded).
//
//     auto p = firn::formats::ksuid::parse("0ujtsYcgvSTl8PAuAdqWYSMnLOv");
//     p.value.seconds();                                              // 107608047
//     firn::formats::ksuid_random g;
//     auto a = g.next(now, source);
//     if (a) std::cout << *a;
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "firn/codecs/base62.hpp"
#include "firn/formats/attempt.hpp"
#include "firn/formats/octets.hpp"
#include "firn/formats/random.hpp"

namespace firn::formats {

struct ksuid : octets<20> {
    using value_type = ksuid;
    static constexpr std::size_t max_size = 27;
    static constexpr std::int64_t epoch_s = 1'400'000'000;
    /// The first second since the epoch that 32 bits cannot hold: 2150-06-19T23:21:36Z.
    static constexpr std::int64_t end_s = std::int64_t{1} << 32;

    /// From its fields; the seconds are cut to 32 bits, the payload is `high` and `low` together.
    static constexpr ksuid of(std::uint64_t seconds, std::uint64_t high, std::uint64_t low) noexcept {
        ksuid k;
        k.set_bits<0, 32>(seconds);
        k.set_bits<32, 64>(high);
        k.set_bits<96, 64>(low);
        return k;
    }

    /// Seconds since the KSUID epoch.
    constexpr std::int64_t seconds() const noexcept { return static_cast<std::int64_t>(bits<0, 32>()); }
    constexpr std::uint64_t payload_high() const noexcept { return bits<32, 64>(); }
    constexpr std::uint64_t payload_low() const noexcept { return bits<96, 64>(); }
    constexpr instant time() const noexcept { return detail::from_unix_s(epoch_s + seconds()); }

    /// Writes 27 characters to `out`; returns the end. Threads: pure. Cost: no allocation.
    static constexpr char* write(const ksuid& k, char* out) noexcept {
        return codecs::base_n<codecs::base62_alphabet>::write_fixed(k.number(), out, max_size);
    }
    constexpr codecs::text_buffer<max_size> format() const noexcept {
        codecs::text_buffer<max_size> text;
        write(*this, text.data());
        text.resize(max_size);
        return text;
    }

    /// There is one spelling, so lenient is no different. Errors: empty, bad_character, too_short, too_long,
    /// overflow. Threads: pure. Cost: no allocation.
    static constexpr parsed_as<ksuid> parse(std::string_view text,
                                            codecs::spelling accept = codecs::spelling::canonical) noexcept {
        const auto p = detail::read_fixed<codecs::base62_alphabet, 5>(text, max_size, accept);
        if (!p) return {.fault = p.fault, .position = p.position};
        return {.value = ksuid{{p.value.to_bytes()}}};
    }

    friend std::ostream& operator<<(std::ostream& out, const ksuid& k) { return out << k.format(); }
};

class ksuid_random {
  public:
    using id_type = ksuid;
    static constexpr generator_facts facts{
        .name = "ksuid",
        .id_bits = 160,
        .tick_us = 1'000'000,
        .fresh_random_bits = 128,
        .process_random_bits = 0,
        .on_rewind = "believes the wall; order is lost, chance keeps ids apart",
        .lost_at_restart = "nothing: it remembers nothing",
        .pays = "160 bits; unique by chance; no order within a second",
        .source = "github.com/segmentio/ksuid"};

    /// Errors: before_epoch, exhausted. Threads: none may share it. Cost: two draws.
    template <random_source Source>
    constexpr attempt<ksuid> next(instant now, Source& source) const {
        const std::int64_t s = detail::ticks_since(detail::from_unix_s(ksuid::epoch_s), now, 1'000'000);
        if (s < 0) return {errc::before_epoch, -s};
        if (s >= ksuid::end_s) return {errc::exhausted, s - ksuid::end_s};
        const std::uint64_t high = draw(source, 64);
        return ksuid::of(static_cast<std::uint64_t>(s), high, draw(source, 64));
    }
};

}  // namespace firn::formats
