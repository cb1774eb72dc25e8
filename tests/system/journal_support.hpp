// What the journal's tests share: errors as values, files that are spoilt on purpose, and a user of a journal
// that runs the protocol step by step, so that a test can end it at any of them and choose its boot.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firn/journal.hpp"
#include "firn/layouts.hpp"
#include "lab/live/scratch.hpp"
#include "src/journal/files.hpp"
#include "src/journal/protocol.hpp"
#include "tests/support/emulated.hpp"
#include "tests/support/firn_matchers.hpp"

namespace firn {

/// What `call` throws; nothing when it does not.
template <class Call>
std::optional<error> error_of(Call&& call) {
    try {
        call();
    } catch (const error& e) {
        return e;
    }
    return std::nullopt;
}

#define EXPECT_ERROR(call, expected, text) \
    EXPECT_THAT([&] { static_cast<void>(call); }, ::firn::throws(expected, text))

inline constexpr tick some_tick{30'000'000'000};  // of layouts::standard, late in 2025

inline journal::options options_with(std::shared_ptr<clock> c, std::uint64_t machine = 7) {
    journal::options o;
    o.machine = machine;
    o.clock = std::move(c);
    return o;
}

inline slot slot_of(id i, const layout& l = layouts::standard) {
    const fields f = l.decode(i);
    return slot::at(f.tick, f.sequence, l.sequence_bits);
}

/// Hands out until it refuses; returns how many, and the refusal.
struct until_refused {
    explicit until_refused(issuer<packer>& ids) {
        for (;;) {
            const outcome<id> r = ids.try_next();
            if (!r) {
                code = r.error();
                return;
            }
            last = *r;
            ++count;
        }
    }
    std::uint64_t count = 0;
    id last{};
    errc code = errc::ok;
};

inline void put(const std::filesystem::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

inline void overwrite(const std::filesystem::path& file, std::size_t at, const void* bytes,
                      std::size_t size) {
    const detail::descriptor f{::open(file.c_str(), O_WRONLY | O_CLOEXEC)};
    ASSERT_EQ(::pwrite(f.get(), bytes, size, static_cast<off_t>(at)), static_cast<ssize_t>(size));
}

inline void put_record(const std::filesystem::path& directory, std::size_t place,
                       const detail::record_bytes& bytes) {
    overwrite(directory / "ceiling", place * detail::record_stride, bytes.data(), bytes.size());
}

/// Spoils one record, as a torn write does.
inline void damage_record(const std::filesystem::path& directory, std::size_t place) {
    const std::string garbage(200, '\xA5');
    overwrite(directory / "ceiling", place * detail::record_stride + 40, garbage.data(), garbage.size());
}

/// The record that counts.
inline journal_report::record newest_record(const std::filesystem::path& directory) {
    const journal_report r = inspect_journal(directory);
    if (r.newest < 0) throw std::runtime_error("no intact record");
    return r.records[static_cast<std::size_t>(r.newest)];
}

inline constexpr detail::boot_id first_boot{1, 1};
inline constexpr detail::boot_id second_boot{2, 2};

/// A user of a journal without a thread. Dropped, it leaves what a kill leaves.
class bare_user {
  public:
    bare_user(const std::filesystem::path& directory, std::shared_ptr<clock> c, detail::boot_id boot,
              std::int64_t window_ticks = 3000, std::uint64_t machine = 7)
        : clock_(std::move(c)),
          terms_{.layout = layouts::standard, .machine = machine, .window_ticks = window_ticks},
          io_(directory, *clock_, boot) {}

    /// Runs one purpose, at most so many steps. Returns what the last one said.
    detail::progress run(detail::purpose why, int steps = 1000) {
        detail::protocol p(why, terms_);
        detail::progress seen = detail::progress::running;
        while (seen == detail::progress::running && steps-- > 0) seen = p.step(io_);
        fault = p.fault();
        continued = p.trusted();
        return seen;
    }
    bare_user& open() {
        EXPECT_EQ(run(detail::purpose::open), detail::progress::done) << name_of(fault);
        return *this;
    }
    void stop() { EXPECT_EQ(run(detail::purpose::close), detail::progress::done) << name_of(fault); }

    /// The next slot, or why there is none.
    claim claim_one() {
        policy p;
        p.sequence_bits = terms_.layout.sequence_bits;
        return claim_slots(io_.page().words, clock_->now(), p, terms_.layout.end_slot(), 1);
    }
    slot next() {
        const claim c = claim_one();
        EXPECT_EQ(c.code, errc::ok) << name_of(c.code);
        return c.first;
    }
    slot ceiling() { return slot{io_.page().words.ceiling.load()}; }
    detail::files& io() { return io_; }

    errc fault = errc::ok;
    bool continued = false;

  private:
    std::shared_ptr<clock> clock_;
    detail::journal_terms terms_;
    detail::files io_;
};

}  // namespace firn
