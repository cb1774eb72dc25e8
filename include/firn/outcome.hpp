// firn::outcome<T>: a value, or a code with its amount, in two registers.
//
// For the id path only, where neither an exception nor an allocation may happen. T is a small trivially
// copyable type (id, a count). Not a general expected<>: there is no error type to choose.
//
//     if (auto r = g.try_next()) use(*r);
//     else if (r.error() == firn::errc::ahead_limit) log(r.amount());   // and says by how much
//     firn::id i = g.try_next().value();                                // or throw firn::error
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "firn/error.hpp"

namespace firn {

template <class T>
class [[nodiscard]] outcome {
    static_assert(
        std::is_trivially_copyable_v<T> && sizeof(T) == 8,
        "firn::outcome holds one trivially copyable 64-bit value, so that it fits in two registers");

  public:
    constexpr outcome(T value) noexcept : word_(std::bit_cast<std::uint64_t>(value)), code_(errc::ok) {}
    constexpr outcome(errc code, std::int64_t amount) noexcept
        : word_(static_cast<std::uint64_t>(amount)), code_(code) {}

    constexpr explicit operator bool() const noexcept { return code_ == errc::ok; }
    constexpr bool has_value() const noexcept { return code_ == errc::ok; }

    /// The value. Requires has_value(); otherwise it is meaningless.
    constexpr T operator*() const noexcept { return std::bit_cast<T>(word_); }

    /// The value, or throws `error` with the code, the amount and a sentence.
    constexpr T value() const {
        if (code_ != errc::ok) throw firn::error(code_, describe(code_, amount()), amount());
        return **this;
    }

    constexpr errc error() const noexcept { return code_; }
    /// The number that belongs to error(); its unit is named beside the code. Meaningless on success.
    constexpr std::int64_t amount() const noexcept { return static_cast<std::int64_t>(word_); }

  private:
    std::uint64_t word_;
    errc code_;
};

}  // namespace firn
