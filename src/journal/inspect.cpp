// firn::inspect_journal: reads a journal's files as they lie there, for people and tools.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "firn/journal.hpp"
#include "src/journal/files.hpp"

namespace firn {

namespace {

const char* name_of(detail::record_state s) noexcept {
    switch (s) {
        case detail::record_state::absent:
            return "absent";
        case detail::record_state::damaged:
            return "damaged";
        case detail::record_state::newer:
            return "newer";
        case detail::record_state::intact:
            return "intact";
    }
    return "unknown";
}

bool all_zero(const detail::record_bytes& bytes) noexcept {
    for (const std::byte b : bytes)
        if (b != std::byte{0}) return false;
    return true;
}

journal_report::record report_of(const detail::record_bytes& bytes) {
    const detail::record_read r = detail::decode(bytes);
    // The second place is empty until the first extension: that is no damage.
    const bool empty = all_zero(bytes);
    return {.state = empty ? "absent" : name_of(r.state),
            .version = r.version,
            .number = r.record.number,
            .boot = detail::text_of(r.record.boot),
            .layout = r.record.layout,
            .machine = r.record.machine,
            .cursor = r.record.cursor,
            .ceiling = r.record.ceiling,
            .clean = r.record.clean};
}

[[noreturn]] void fail(const std::string& what, int code) {
    throw error(errc::journal_io, what + ": " + std::strerror(code), code);
}

/// Reads a place. One that reads as damaged may be just being written: it is read again.
detail::record_bytes read_place(const detail::descriptor& ceiling, std::size_t place) {
    detail::record_bytes bytes{};
    for (int attempt = 0; attempt < 3; ++attempt) {
        if (::pread(ceiling.get(), bytes.data(), bytes.size(),
                    static_cast<off_t>(place * detail::record_stride)) < 0)
            fail("cannot read the journal's records", errno);
        if (all_zero(bytes) || detail::decode(bytes).state != detail::record_state::damaged) break;
    }
    return bytes;
}

void read_records(const detail::descriptor& ceiling, journal_report& report) {
    for (std::size_t place = 0; place < 2; ++place) {
        report.records.push_back(report_of(read_place(ceiling, place)));
        const auto& r = report.records.back();
        if (r.state == "intact" && (report.newest < 0 || r.number > report.records[0].number))
            report.newest = static_cast<int>(place);
        if (r.state == "damaged")
            report.faults.push_back(
                "record " + std::to_string(place) +
                " is damaged (torn by a power loss, or overwritten); the other one counts");
        if (r.state == "newer")
            report.faults.push_back("record " + std::to_string(place) + " has format version " +
                                    std::to_string(r.version) + "; use the newer firn");
    }
    if (report.newest < 0)
        report.faults.emplace_back(
            "no intact record is left, so that what was handed out cannot be known; start a new directory");
}

void read_page(const detail::descriptor& cursor, journal_report& report) {
    alignas(detail::journal_page) std::array<std::byte, sizeof(detail::journal_page)> bytes{};
    if (::pread(cursor.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
        report.faults.emplace_back(
            "the cursor file is too short; delete it, and the journal starts at its ceiling");
        return;
    }
    const auto word = [&bytes](std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    report.has_page = true;
    report.page_cursor = slot{static_cast<std::int64_t>(word(0))};
    report.page_ceiling = slot{static_cast<std::int64_t>(word(8))};
    const detail::boot_id boot{.high = word(offsetof(detail::journal_page, boot_high)),
                               .low = word(offsetof(detail::journal_page, boot_low))};
    report.page_of_this_boot = boot == detail::system_boot() && boot != detail::boot_id{};
    report.page_durable_number = word(offsetof(detail::journal_page, durable_number));
}

bool is_locked(const detail::descriptor& lock) noexcept {
    struct flock what {};
    what.l_type = F_WRLCK;
    what.l_whence = SEEK_SET;
    what.l_start = 1;
    what.l_len = 1;
    return ::fcntl(lock.get(), F_OFD_GETLK, &what) == 0 && what.l_type != F_UNLCK;
}

}  // namespace

journal_report inspect_journal(const std::filesystem::path& directory) {
    journal_report report;
    const detail::descriptor at{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!at) fail("cannot open the journal's directory " + directory.string(), errno);
    try {
        detail::check_filesystem(at.get(), directory);
    } catch (const error& e) {
        report.faults.emplace_back(e.what());
    }
    const auto open_read = [&at](const char* name) {
        return detail::descriptor{::openat(at.get(), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)};
    };
    const detail::descriptor ceiling = open_read("ceiling");
    const int no_ceiling = errno;
    const detail::descriptor cursor = open_read("cursor");
    // The page before the records: then what it knows to be durable must be there, also in a journal in use.
    if (cursor) read_page(cursor, report);
    if (ceiling) {
        read_records(ceiling, report);
        if (report.page_of_this_boot && report.newest >= 0 &&
            report.records[static_cast<std::size_t>(report.newest)].number < report.page_durable_number)
            report.faults.push_back("record " + std::to_string(report.page_durable_number) +
                                    ", which was durable in this boot, is gone: an old copy was put in its "
                                    "place, or it is damaged; start a new directory");
    } else if (no_ceiling != ENOENT) {
        fail("cannot open " + (directory / "ceiling").string(), no_ceiling);
    } else {
        report.faults.push_back(
            cursor ? "there is a cursor file but no ceiling file: this is what is left of a journal; "
                     "start a new directory"
                   : "there is no journal in " + directory.string() + "; opening it makes one");
    }
    report.in_memory = detail::is_in_memory(at.get());
    const detail::descriptor lock = open_read("lock");
    report.in_use = lock && is_locked(lock);
    return report;
}

}  // namespace firn
