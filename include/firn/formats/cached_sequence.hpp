// firn::formats::cached_sequence: a database sequence of which a process takes a block at a time.
//
// What it loses at a restart: the rest of its block, as a gap. Never a duplicate: the database has moved on
// before the block is used. It reads no clock, so no rewind matters, and its ids tell no time: two processes'
// blocks interleave, so ids are in order per block only. Each block costs a round trip, and without the
// database there are no ids once the block is used up. Source: PostgreSQL, CREATE SEQUENCE, "CACHE" and Notes
// ("values allocated but not used within a session will be lost", "might be generated out of sequence");
// Hibernate's and JPA's allocationSize is the same with blocks of 50.
//
//     firn::formats::sequence_store database;                               // outlives its processes
//     firn::formats::cached_sequence process{database, {.block = 50}};
//     auto a = process.next();
//     if (a) std::cout << a->value << " after " << database.round_trips();
#pragma once

#include <cstdint>
#include <limits>

#include "firn/formats/attempt.hpp"
#include "firn/id.hpp"

namespace firn::formats {

/// The database's side: the last value handed out, durable. Threads: none may share it.
class sequence_store {
  public:
    static constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

    constexpr explicit sequence_store(std::int64_t last_value = 0) noexcept : last_(last_value) {}

    /// Takes up to `count` values; returns how many there were, and the first of them.
    constexpr std::int64_t take(std::int64_t count, std::int64_t& first) noexcept {
        const std::int64_t given = largest - last_ < count ? largest - last_ : count;
        first = given > 0 ? last_ + 1 : last_;
        last_ += given;
        ++round_trips_;
        return given;
    }

    constexpr std::int64_t last_value() const noexcept { return last_; }
    constexpr std::uint64_t round_trips() const noexcept { return round_trips_; }

  private:
    std::int64_t last_;
    std::uint64_t round_trips_ = 0;
};

/// One process's side.
class cached_sequence {
  public:
    struct options {
        std::int64_t block = 50;  ///< values a round trip; PostgreSQL's default is 1
    };

    using id_type = id;
    static constexpr generator_facts facts{
        .name = "cached sequence",
        .id_bits = 63,
        .tick_us = 0,
        .fresh_random_bits = 0,
        .process_random_bits = 0,
        .on_rewind = "reads no clock",
        .lost_at_restart = "the rest of the block, as a gap",
        .pays = "a round trip for each block, a database that must be up, and no time in the id",
        .source = "PostgreSQL documentation, CREATE SEQUENCE"};

    /// `store` outlives this. Throws bad_policy unless the block is at least 1.
    constexpr cached_sequence(sequence_store& store, options o) : store_(&store), block_(o.block) {
        if (o.block < 1) throw error(errc::bad_policy, "cached_sequence: block must be at least 1", o.block);
    }

    /// Errors: exhausted, when the sequence has reached 2^63 - 1. Cost: a round trip when left() is 0.
    constexpr attempt<id> next() noexcept {
        if (left_ == 0) {
            std::int64_t first = 0;
            left_ = store_->take(block_, first);
            if (left_ == 0) return {errc::exhausted, 1};
            next_ = static_cast<std::uint64_t>(first);
        }
        --left_;
        return id{next_++};
    }

    /// How many values of the block are not used yet: what a restart would lose.
    constexpr std::int64_t left() const noexcept { return left_; }

  private:
    sequence_store* store_;
    std::int64_t block_;
    std::uint64_t next_ = 0;  // unsigned: it is one past the largest value at the end
    std::int64_t left_ = 0;
};

}  // namespace firn::formats
