// firn::formats::attempt<Id>: what a rival generator answers: an id, or why not and from when on.
//
// Like firn::outcome, with ids of any size. The generators of formats/ exist to be compared with firn (and to
// make the other systems' ids in tests); they are not synchronised, and each header says what its generator
// loses at a restart. Time and randomness are arguments, so that they run down a recorded or simulated clock.
//
//     firn::formats::uuidv7_counter g;
//     auto a = firn::formats::next(g, now, source);
//     if (a) use(*a);
//     else if (a.error() == firn::errc::tick_full) wait_until(a.until());     // and ask again
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <utility>

#include "firn/error.hpp"
#include "firn/layout.hpp"

namespace firn::formats {

template <class Id>
class [[nodiscard]] attempt {
  public:
    constexpr attempt(const Id& id) noexcept : id_(id) {}
    /// `amount` in the generator's own ticks. `until` only with tick_full.
    constexpr attempt(errc code, std::int64_t amount, instant until = {}) noexcept
        : code_(code), amount_(amount), until_(until) {}

    constexpr explicit operator bool() const noexcept { return code_ == errc::ok; }
    /// The id. Requires success.
    constexpr const Id& operator*() const noexcept { return id_; }
    constexpr const Id* operator->() const noexcept { return &id_; }
    /// The id, or throws firn::error.
    constexpr const Id& value() const {
        if (code_ != errc::ok) throw firn::error(code_, describe(code_, amount_), amount_);
        return id_;
    }

    /// ok; tick_full: ask again when the wall reads until(); before_epoch; exhausted. No state has changed.
    constexpr errc error() const noexcept { return code_; }
    /// The number that belongs to error(), in ticks of the generator (see errc).
    constexpr std::int64_t amount() const noexcept { return amount_; }
    /// With tick_full: the wall reading at which to ask again.
    constexpr instant until() const noexcept { return until_; }

  private:
    Id id_{};
    errc code_ = errc::ok;
    std::int64_t amount_ = 0;
    instant until_{};
};

/// What there is to know of a generator beside its code, for tables and documents.
struct generator_facts {
    std::string_view name;
    unsigned id_bits = 0;
    std::int64_t tick_us = 0;          ///< the resolution of the time in an id; 0 when there is none
    unsigned fresh_random_bits = 0;    ///< drawn for each id
    unsigned process_random_bits = 0;  ///< drawn once, when the process starts
    std::string_view on_rewind;        ///< what it does when the wall reads less than before
    std::string_view lost_at_restart;
    std::string_view pays;  ///< what its uniqueness rests on, and costs
    std::string_view source;
};

/// Asks a generator for an id, with the randomness it may not need: one call for all of them.
template <class Generator, class Source>
constexpr auto next(Generator& generator, instant now, Source& source) {
    if constexpr (requires { generator.next(now, source); })
        return generator.next(now, source);
    else if constexpr (requires { generator.next(now); })
        return generator.next(now);
    else
        return generator.next();
}

namespace detail {

/// Whole ticks since `epoch`, floored, so that an instant before it is negative.
constexpr std::int64_t ticks_since(instant epoch, instant now, std::int64_t tick_us) noexcept {
    const std::int64_t us = (now - epoch).count();
    return us / tick_us - (us % tick_us < 0 ? 1 : 0);
}

constexpr instant from_unix_ms(std::int64_t ms) noexcept {
    return instant{std::chrono::microseconds{ms * 1000}};
}
constexpr instant from_unix_s(std::int64_t s) noexcept {
    return instant{std::chrono::microseconds{s * 1'000'000}};
}

}  // namespace detail

}  // namespace firn::formats
