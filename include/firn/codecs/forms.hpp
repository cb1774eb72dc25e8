// firn::codecs::forms: the text forms of a 64-bit id as data, to choose one by name at run time.
//
// For commands and services. Where the form is known, name its codec: the compiler then sees through it.
//
//     const firn::codecs::form* f = firn::codecs::form_named("base62");           // null when there is none
//     std::array<char, firn::codecs::form_max_size> out;
//     std::string_view text{out.data(), static_cast<std::size_t>(f->write(id.value, out.data()) -
//     out.data())}; for (const auto& g : firn::codecs::forms) std::cout << g.name << '\n';
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "firn/codecs/base32.hpp"
#include "firn/codecs/base58.hpp"
#include "firn/codecs/base62.hpp"
#include "firn/codecs/plain.hpp"

namespace firn::codecs {

struct form {
    std::string_view name;
    std::string_view about;    ///< one line for a help text
    std::size_t max_size = 0;  ///< characters of the longest text
    bool fixed_width = false;  ///< then text order is id order
    char* (*write)(std::uint64_t value, char* out) noexcept = nullptr;
    parsed (*parse)(std::string_view text, parse_options options) noexcept = nullptr;
};

namespace detail {

template <class Codec>
constexpr form form_of(std::string_view name, std::string_view about, bool fixed_width) noexcept {
    return {.name = name,
            .about = about,
            .max_size = Codec::max_size,
            .fixed_width = fixed_width,
            .write = &Codec::write,
            .parse = &Codec::parse};
}

}  // namespace detail

inline constexpr std::array<form, 6> forms{
    detail::form_of<decimal>("decimal", "digits 0-9, as JSON numbers and databases write it", false),
    detail::form_of<hex>("hex", "16 digits 0-9a-f", true),
    detail::form_of<base32>("base32", "Crockford's base 32, 13 characters", true),
    detail::form_of<base58_bitcoin>("base58", "base 58 in Bitcoin's order (capitals first)", false),
    detail::form_of<base58_flickr>("base58-flickr", "base 58 in Flickr's order (small letters first)", false),
    detail::form_of<base62>("base62", "base 62, digits first", false)};

/// Room for a text of any form.
inline constexpr std::size_t form_max_size = 20;
static_assert([] {
    for (const form& f : forms)
        if (f.max_size > form_max_size) return false;
    return true;
}());

/// The form of that name, or null. Cost: a few comparisons.
constexpr const form* form_named(std::string_view name) noexcept {
    for (const form& f : forms)
        if (f.name == name) return &f;
    return nullptr;
}

}  // namespace firn::codecs
