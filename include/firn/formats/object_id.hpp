// firn::formats::object_id: MongoDB's 12 bytes: Unix seconds, a random number of the process, a counter.
//
// What the generator loses at a restart: the process number and the counter, which are drawn anew. Two
// processes are kept apart by 40 random bits (equal with a chance of 2^-40 for each pair) and 24 of the
// counter's start. Within a process an id repeats only when the counter comes round, 2^24 ids, in one second
// of the wall: a rewind of the clock does no harm below that rate. A forked child has its parent's number
// unless it draws a new one. When not to use it: where 64 bits must do, or where order finer than a second
// across processes matters. Canonical text is 24 lower-case hex digits; `lenient` reads upper case too.
// Source: github.com/mongodb/specifications, source/bson-objectid/objectid.md.
//
//     auto p = firn::formats::object_id::parse("507f1f77bcf86cd799439011");
//     p.value.counter();                                              // 4427793
//     firn::formats::object_id_generator g{source};
//     auto a = g.next(now);
//     if (a) std::cout << *a;
#pragma once

#include <cstdint>
#include <ostream>
#include <string_view>

#include "firn/codecs/text_buffer.hpp"
#include "firn/formats/attempt.hpp"
#include "firn/formats/octets.hpp"
#include "firn/formats/random.hpp"

namespace firn::formats {

struct object_id : octets<12> {
    using value_type = object_id;
    static constexpr std::size_t max_size = 24;
    /// The first Unix second that 32 bits cannot hold: 2106-02-07T06:28:16Z. The specification reads the
    /// field as unsigned.
    static constexpr std::int64_t end_s = std::int64_t{1} << 32;

    /// From its fields, each cut to its width (32, 40, 24 bits).
    static constexpr object_id of(std::uint64_t unix_s, std::uint64_t process,
                                  std::uint64_t counter) noexcept {
        object_id o;
        o.set_bits<0, 32>(unix_s);
        o.set_bits<32, 40>(process);
        o.set_bits<72, 24>(counter);
        return o;
    }

    constexpr std::int64_t unix_s() const noexcept { return static_cast<std::int64_t>(bits<0, 32>()); }
    /// The random number of the process. In ids made before 2018: 3 bytes of machine and 2 of process.
    constexpr std::uint64_t process() const noexcept { return bits<32, 40>(); }
    constexpr std::uint32_t counter() const noexcept { return static_cast<std::uint32_t>(bits<72, 24>()); }
    constexpr instant time() const noexcept { return detail::from_unix_s(unix_s()); }

    /// Writes 24 characters to `out`; returns the end. Threads: pure. Cost: no allocation.
    static constexpr char* write(const object_id& o, char* out) noexcept {
        return codecs::base_n<codecs::hex_alphabet>::write_fixed(o.number(), out, max_size);
    }
    constexpr codecs::text_buffer<max_size> format() const noexcept {
        codecs::text_buffer<max_size> text;
        write(*this, text.data());
        text.resize(max_size);
        return text;
    }

    /// Errors: empty, bad_character, not_canonical, too_short, too_long. Threads: pure. Cost: no allocation.
    static constexpr parsed_as<object_id> parse(
        std::string_view text, codecs::spelling accept = codecs::spelling::canonical) noexcept {
        const auto p = detail::read_fixed<codecs::hex_alphabet, 3>(text, max_size, accept);
        if (!p) return {.fault = p.fault, .position = p.position};
        return {.value = object_id{{p.value.to_bytes()}}};
    }

    friend std::ostream& operator<<(std::ostream& out, const object_id& o) { return out << o.format(); }
};

class object_id_generator {
  public:
    using id_type = object_id;
    static constexpr generator_facts facts{
        .name = "objectid",
        .id_bits = 96,
        .tick_us = 1'000'000,
        .fresh_random_bits = 0,
        .process_random_bits = 64,
        .on_rewind = "believes the wall; the counter goes on",
        .lost_at_restart = "its 40-bit number and the counter, both drawn anew",
        .pays = "96 bits; unique by chance across processes; 16,777,216 ids in a second, then repeats",
        .source = "github.com/mongodb/specifications, bson-objectid"};

    /// Draws the process's number and where the counter starts.
    template <random_source Source>
    constexpr explicit object_id_generator(Source& source) : process_(draw(source, 40)) {
        counter_ = static_cast<std::uint32_t>(draw(source, 24));
    }

    /// Errors: before_epoch, exhausted. Threads: none may share it. Cost: none to speak of.
    constexpr attempt<object_id> next(instant now) noexcept {
        const std::int64_t s = detail::ticks_since(instant{}, now, 1'000'000);
        if (s < 0) return {errc::before_epoch, -s};
        if (s >= object_id::end_s) return {errc::exhausted, s - object_id::end_s};
        // "When the counter overflows (i.e., hits 16777215+1), the counter MUST be reset to 0."
        counter_ = (counter_ + 1) & 0xffffff;
        return object_id::of(static_cast<std::uint64_t>(s), process_, counter_);
    }

  private:
    std::uint64_t process_ = 0;
    std::uint32_t counter_ = 0;
};

}  // namespace firn::formats
