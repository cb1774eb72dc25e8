// A directory whose files hold anything: opening it is an error, or a journal that hands out rising slots
// below its ceiling. A record that reads as intact says the same when it is written and read again.
//
// Input: a byte of flags, two records and a page, each as long as its fields; what is missing is zero.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "firn/clock.hpp"
#include "firn/error.hpp"
#include "firn/journal.hpp"
#include "firn/layouts.hpp"
#include "src/journal/files.hpp"
#include "src/journal/protocol.hpp"

namespace {

using namespace firn;

constexpr std::size_t record_fields = 88;
constexpr detail::boot_id boot{0x1111, 0x2222};
constexpr tick now{30'000'000'000};

enum flag : unsigned {
    has_ceiling = 1,
    has_cursor = 2,
    has_lock = 4,
    mend_0 = 8,
    mend_1 = 16,
    this_boot = 32
};

void check(bool right, const char* what) {
    if (right) return;
    std::fprintf(stderr, "journal_fuzz: %s\n", what);
    std::abort();
}

const std::filesystem::path& directory() {
    static const std::filesystem::path path = [] {
        const bool shm = ::access("/dev/shm", W_OK) == 0;
        std::string name = shm ? "/dev/shm/firn-fuzz-XXXXXX" : "firn-fuzz-XXXXXX";
        check(::mkdtemp(name.data()) != nullptr, "no directory");
        std::atexit([] { std::filesystem::remove_all(directory()); });
        return std::filesystem::absolute(name);
    }();
    return path;
}

void put(const char* name, const void* bytes, std::size_t size) {
    const detail::descriptor f{
        ::open((directory() / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    check(f && ::write(f.get(), bytes, size) == static_cast<ssize_t>(size), "cannot write");
}

detail::record_bytes record_of(const std::uint8_t* fields, bool mend) {
    detail::record_bytes bytes{};
    std::memcpy(bytes.data(), fields, record_fields);
    if (mend) {
        std::memcpy(bytes.data(), "firnjrnl", 8);
        std::memset(bytes.data() + 12, 0, 4);
        const std::uint32_t sum = detail::crc32c(bytes);
        std::memcpy(bytes.data() + 12, &sum, 4);
    }
    return bytes;
}

void check_record(const detail::record_bytes& bytes) {
    const detail::record_read read = detail::decode(bytes);
    if (read.state != detail::record_state::intact) return;
    const detail::record_read again = detail::decode(detail::encode(read.record));
    check(again.state == detail::record_state::intact && again.record == read.record, "a record changes");
    check(read.record.ceiling > read.record.cursor, "a ceiling at its cursor");
}

detail::journal_record record_if_intact(const detail::record_bytes& bytes) {
    const detail::record_read read = detail::decode(bytes);
    return read.state == detail::record_state::intact ? read.record : detail::journal_record{};
}

/// Opens, hands out, closes. Returns the last slot; no_slot when it was refused.
slot use(firn::clock& c, slot above) {
    slot last = above;
    detail::files io(directory(), c, boot);
    const detail::journal_terms terms{.layout = layouts::standard, .machine = 7, .window_ticks = 3};
    const auto run = [&](detail::purpose why) {
        detail::protocol p(why, terms);
        for (int steps = 0;; ++steps) {
            check(steps < 50, "the protocol does not end");
            const detail::progress seen = p.step(io);
            check(seen != detail::progress::blocked, "nobody has the lock");
            if (seen != detail::progress::running) return seen == detail::progress::done;
        }
    };
    if (!run(detail::purpose::open)) return no_slot;
    policy rules;
    rules.sequence_bits = layouts::standard.sequence_bits;
    for (int i = 0; i < 3; ++i) {
        const claim got = claim_slots(io.page().words, c.now(), rules, layouts::standard.end_slot(), 2);
        if (got.code != errc::ok) break;
        check(got.first > last, "a slot comes again");
        last = slot{got.first.value + got.count - 1};
        check(last < slot{io.page().words.ceiling.load()}, "a slot at the ceiling");
        if (i == 1) check(run(detail::purpose::extend), "cannot extend");
    }
    run(detail::purpose::close);
    return last;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::array<std::uint8_t, 1 + 2 * record_fields + sizeof(detail::journal_page)> input{};
    std::memcpy(input.data(), data, std::min(size, input.size()));
    const unsigned flags = input[0];
    const detail::record_bytes first = record_of(&input[1], (flags & mend_0) != 0);
    const detail::record_bytes second = record_of(&input[1 + record_fields], (flags & mend_1) != 0);
    check_record(first);
    check_record(second);

    for (const char* name : {"ceiling", "cursor", "lock"}) std::filesystem::remove(directory() / name);
    slot handed_out = no_slot;
    if ((flags & has_ceiling) != 0) {
        std::array<std::byte, 2 * detail::record_stride> content{};
        std::copy(first.begin(), first.end(), content.begin());
        std::copy(second.begin(), second.end(), content.begin() + detail::record_stride);
        put("ceiling", content.data(), content.size());
        // Only the newer of two records counts; nothing is asked for of an older one with a higher cursor.
        const detail::journal_record a = record_if_intact(first);
        const detail::journal_record b = record_if_intact(second);
        if (a.number != b.number) handed_out = a.number > b.number ? a.cursor : b.cursor;
    }
    if ((flags & has_cursor) != 0) {
        std::uint8_t* page = &input[1 + 2 * record_fields];
        if ((flags & this_boot) != 0)
            std::memcpy(page + offsetof(detail::journal_page, boot_high), &boot, sizeof boot);
        put("cursor", page, sizeof(detail::journal_page));
    }
    if ((flags & has_lock) != 0) put("lock", &input[0], 1);

    manual_clock wall(now);
    try {
        static_cast<void>(inspect_journal(directory()));
        const slot last = use(wall, handed_out);
        if (last != no_slot) use(wall, last);
        static_cast<void>(inspect_journal(directory()));
    } catch (const error&) {
    }
    return 0;
}
