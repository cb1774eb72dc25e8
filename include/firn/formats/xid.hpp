// firn::formats::xid: 12 bytes: Unix seconds, 3 bytes of machine, 2 of process, a counter; as 20 characters.
//
// What the generator loses at a restart: the counter, which starts at random again, and mostly its process
// number. Two processes whose machine and process bytes are equal (the machine bytes are a hash of the host's
// id, so two hosts share them with a chance of 2^-24; in containers process numbers repeat) are kept apart by
// where their counters start, 24 bits. Within a process an id repeats only when the counter comes round
// within one second of the wall. When not to use it: where 64 bits must do, or where order finer than a
// second across processes matters. Canonical text is base32hex in lower case without padding; upper case is
// rejected, as the original does. The last character carries one bit and four zeros; other texts are not
// canonical. Source: github.com/rs/xid, id.go (encoding, New, the checks in UnmarshalText); RFC 4648, section
// 7 (the alphabet).
//
//     auto p = firn::formats::xid::parse("9m4e2mr0ui3e8a215n4g");
//     p.value.counter();                                              // 4271561
//     firn::formats::xid_generator g{{.machine = 0x60f486, .process = 0xe428}, source};
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

/// RFC 4648, section 7, in lower case, which keeps text order and byte order the same.
inline constexpr auto base32hex_alphabet = codecs::make_alphabet("0123456789abcdefghijklmnopqrstuv");

struct xid : octets<12> {
    using value_type = xid;
    static constexpr std::size_t max_size = 20;
    /// The first Unix second that 32 bits cannot hold: 2106-02-07T06:28:16Z.
    static constexpr std::int64_t end_s = std::int64_t{1} << 32;

    /// From its fields, each cut to its width (32, 24, 16, 24 bits).
    static constexpr xid of(std::uint64_t unix_s, std::uint64_t machine, std::uint64_t process,
                            std::uint64_t counter) noexcept {
        xid x;
        x.set_bits<0, 32>(unix_s);
        x.set_bits<32, 24>(machine);
        x.set_bits<56, 16>(process);
        x.set_bits<72, 24>(counter);
        return x;
    }

    constexpr std::int64_t unix_s() const noexcept { return static_cast<std::int64_t>(bits<0, 32>()); }
    constexpr std::uint32_t machine() const noexcept { return static_cast<std::uint32_t>(bits<32, 24>()); }
    constexpr std::uint32_t process() const noexcept { return static_cast<std::uint32_t>(bits<56, 16>()); }
    constexpr std::uint32_t counter() const noexcept { return static_cast<std::uint32_t>(bits<72, 24>()); }
    constexpr instant time() const noexcept { return detail::from_unix_s(unix_s()); }

    /// Writes 20 characters to `out`; returns the end. Threads: pure. Cost: no allocation.
    static constexpr char* write(const xid& x, char* out) noexcept {
        // 20 digits are 100 bits: RFC 4648 fills up with zeros at the end, which is a number 16 times as
        // large.
        codecs::wide<4> number;
        const auto n = x.number().limbs;
        number.limbs = {n[0] >> 28, n[0] << 4 | n[1] >> 28, n[1] << 4 | n[2] >> 28, n[2] << 4};
        return codecs::base_n<base32hex_alphabet>::write_fixed(number, out, max_size);
    }
    constexpr codecs::text_buffer<max_size> format() const noexcept {
        codecs::text_buffer<max_size> text;
        write(*this, text.data());
        text.resize(max_size);
        return text;
    }

    /// There is one spelling, so lenient is no different. Errors: empty, bad_character, too_short, too_long,
    /// not_canonical (at the last character, when its low bits are not zero). Threads: pure. Cost: no
    /// allocation.
    static constexpr parsed_as<xid> parse(std::string_view text,
                                          codecs::spelling accept = codecs::spelling::canonical) noexcept {
        const auto p = detail::read_fixed<base32hex_alphabet, 4>(text, max_size, accept);
        if (!p) return {.fault = p.fault, .position = p.position};
        const auto n = p.value.limbs;
        if ((n[3] & 15U) != 0) return {.fault = text_fault::not_canonical, .position = max_size - 1};
        codecs::wide<3> number;
        number.limbs = {n[0] << 28 | n[1] >> 4, n[1] << 28 | n[2] >> 4, n[2] << 28 | n[3] >> 4};
        return {.value = xid{{number.to_bytes()}}};
    }

    friend std::ostream& operator<<(std::ostream& out, const xid& x) { return out << x.format(); }
};

class xid_generator {
  public:
    struct options {
        std::uint32_t machine = 0;  ///< 24 bits; the original takes a hash of the host's id
        std::uint32_t process = 0;  ///< 16 bits; the original takes the low bits of the process id
    };

    using id_type = xid;
    static constexpr generator_facts facts{
        .name = "xid",
        .id_bits = 96,
        .tick_us = 1'000'000,
        .fresh_random_bits = 0,
        .process_random_bits = 24,
        .on_rewind = "believes the wall; the counter goes on",
        .lost_at_restart = "the counter, drawn anew, and mostly the process number",
        .pays =
            "96 bits; unique while machine and process bytes differ, else by chance; 16,777,216 ids in a "
            "second",
        .source = "github.com/rs/xid"};

    /// Draws where the counter starts. Throws machine_out_of_range rather than cut a number to its field.
    template <random_source Source>
    constexpr xid_generator(options o, Source& source) : options_(o) {
        if (o.machine > 0xffffff)
            throw error(errc::machine_out_of_range, "xid: machine must be at most 16777215 (24 bits)",
                        o.machine);
        if (o.process > 0xffff)
            throw error(errc::machine_out_of_range, "xid: process must be at most 65535 (16 bits)",
                        o.process);
        counter_ = static_cast<std::uint32_t>(draw(source, 24));
    }

    /// Errors: before_epoch, exhausted. Threads: none may share it. Cost: none to speak of.
    constexpr attempt<xid> next(instant now) noexcept {
        const std::int64_t s = detail::ticks_since(instant{}, now, 1'000'000);
        if (s < 0) return {errc::before_epoch, -s};
        if (s >= xid::end_s) return {errc::exhausted, s - xid::end_s};
        counter_ = (counter_ + 1) & 0xffffff;
        return xid::of(static_cast<std::uint64_t>(s), options_.machine, options_.process, counter_);
    }

  private:
    options options_{};
    std::uint32_t counter_ = 0;
};

}  // namespace firn::formats
