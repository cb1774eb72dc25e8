#include "lab/recording/line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <utility>

#include "firn/rfc3339.hpp"
#include "lab/recording/firn_recording.hpp"

namespace firn::lab {

namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;
/// Walls until 2150 and errors of less than 60 years: their sum stays within 63 bits.
constexpr std::int64_t latest_wall_s = 5'680'281'600;
constexpr double largest_error_s = 1.9e9;

class words_of_line {
  public:
    explicit words_of_line(std::string_view line) : line_(line) {
        for (std::size_t at = 0; at < line.size() && count_ < words_.size();) {
            while (at < line.size() && is_blank(line[at])) ++at;
            const std::size_t begin = at;
            while (at < line.size() && !is_blank(line[at])) ++at;
            if (at > begin) words_[count_++] = line.substr(begin, at - begin);
        }
    }
    std::size_t count() const noexcept { return count_; }
    std::string_view operator[](std::size_t i) const noexcept { return words_[i]; }
    /// From 1; that of the line's end when there is no such word.
    std::size_t column(std::size_t i) const noexcept {
        return i < count_ ? static_cast<std::size_t>(words_[i].data() - line_.data()) + 1 : line_.size() + 1;
    }

  private:
    static bool is_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r'; }

    std::string_view line_;
    std::array<std::string_view, 16> words_{};
    std::size_t count_ = 0;
};

std::string quoted(std::string_view word) {
    std::string out = "'";
    constexpr std::string_view hex = "0123456789abcdef";
    for (const char c : word.substr(0, 40)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c >= ' ' && c <= '~')
            out += c;
        else
            out += {'\\', 'x', hex[byte >> 4U], hex[byte & 15U]};
    }
    return out + '\'';
}

recorded_line fault(std::size_t column, std::string why) {
    return {.kind = line_kind::fault, .source = {}, .column = column, .why = std::move(why)};
}

std::optional<double> number(std::string_view word) {
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<std::int64_t> whole(std::string_view word) {
    std::int64_t value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (code != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return value;
}

/// Seconds as nanoseconds.
std::optional<std::int64_t> error_of(std::string_view word) {
    const auto seconds = number(word);
    if (!seconds || std::abs(*seconds) > largest_error_s) return std::nullopt;
    return std::llround(*seconds * 1e9);
}

/// chrony's "2017-08-22 13:22:36": UTC, to the second.
std::optional<std::int64_t> chrony_time(std::string_view date, std::string_view time) {
    if (date.size() != 10 || time.size() != 8) return std::nullopt;
    const auto when = parse_rfc3339(std::string{date} + 'T' + std::string{time} + 'Z');
    if (!when) return std::nullopt;
    const std::int64_t s = std::chrono::floor<std::chrono::seconds>(*when).time_since_epoch().count();
    if (s < 0 || s > latest_wall_s) return std::nullopt;
    return s * ns_per_s;
}

/// Between records: nothing, a row of =, the names of the columns.
bool is_chrony_note(const words_of_line& w) {
    return w.count() == 0 || (w.count() == 1 && w[0].find_first_not_of('=') == std::string_view::npos) ||
           (w.count() > 2 && w[0] == "Date" && w[1] == "(UTC)");
}

/// The words from `from` on must be numbers; the first that is none.
std::optional<recorded_line> no_number(const words_of_line& w, std::size_t from) {
    for (std::size_t i = from; i < w.count(); ++i)
        if (!number(w[i])) return fault(w.column(i), quoted(w[i]) + " is no number");
    return std::nullopt;
}

recorded_line chrony_tracking_line(std::string_view line) {
    // Date Time Address Stratum Freq Skew Offset Leap [Combined OffsetSd RemCorr [RootDelay RootDisp MaxErr]]
    const words_of_line w{line};
    if (is_chrony_note(w)) return {};
    if (w.count() != 8 && w.count() != 11 && w.count() != 14)
        return fault(w.column(w.count()),
                     "a line of tracking.log has 8, 11 or 14 columns, not " + std::to_string(w.count()));
    const auto now = chrony_time(w[0], w[1]);
    if (!now) return fault(1, quoted(line.substr(0, 19)) + " is no UTC time from 1970 to 2149");
    for (std::size_t i = 3; i < 6; ++i)
        if (!number(w[i])) return fault(w.column(i), quoted(w[i]) + " is no number");
    const auto offset = error_of(w[6]);
    if (!offset)
        return fault(w.column(6), quoted(w[6]) + " is no offset in seconds (at most 1.9e9 either way)");
    if (w[7].size() != 1 || std::string_view{"N+-?"}.find(w[7][0]) == std::string_view::npos)
        return fault(w.column(7), quoted(w[7]) + " is no leap status (N, +, - or ?)");
    if (auto bad = no_number(w, 8)) return *std::move(bad);
    std::int64_t remaining = 0;
    if (w.count() > 10) {
        const auto r = error_of(w[10]);
        if (!r) return fault(w.column(10), quoted(w[10]) + " is no correction in seconds");
        remaining = *r;
    }
    if (w[7] == "?") return {.kind = line_kind::unsynchronised, .source = {}, .why = {}};
    // `now` is the wall with the correction that is still to come; the offset is that of `now`. So the wall
    // itself is off by both (reference.c: last_sys_offset = offset - uncorrected_offset).
    const std::int64_t error = *offset - remaining;
    return {
        .kind = line_kind::record, .wall_ns = *now - remaining, .error_ns = error, .source = w[2], .why = {}};
}

recorded_line chrony_statistics_line(std::string_view line) {
    // Date Time Address StdDev EstOffset OffsetSd DiffFreq EstSkew Stress Ns Bs Nr [Asym]
    const words_of_line w{line};
    if (is_chrony_note(w)) return {};
    if (w.count() != 12 && w.count() != 13)
        return fault(w.column(w.count()),
                     "a line of statistics.log has 12 or 13 columns, not " + std::to_string(w.count()));
    const auto now = chrony_time(w[0], w[1]);
    if (!now) return fault(1, quoted(line.substr(0, 19)) + " is no UTC time from 1970 to 2149");
    if (auto bad = no_number(w, 3)) return *std::move(bad);
    const auto offset = error_of(w[4]);
    if (!offset)
        return fault(w.column(4), quoted(w[4]) + " is no offset in seconds (at most 1.9e9 either way)");
    return {.kind = line_kind::record, .wall_ns = *now, .error_ns = *offset, .source = w[2], .why = {}};
}

recorded_line loopstats_line(std::string_view line) {
    // MJD SecondsPastMidnight Offset Frequency [Jitter Wander] TimeConstant
    const words_of_line w{line};
    if (w.count() == 0 || w[0].front() == '#') return {};
    if (w.count() != 7)
        return fault(w.column(w.count()),
                     "a line of loopstats has 7 columns, not " + std::to_string(w.count()));
    constexpr std::int64_t mjd_of_1970 = 40'587;
    const auto day = whole(w[0]);
    if (!day || *day < mjd_of_1970 || *day - mjd_of_1970 >= latest_wall_s / 86'400)
        return fault(w.column(0), quoted(w[0]) + " is no modified Julian day from 40587 (1970) to 2149");
    const auto second = number(w[1]);
    if (!second || *second < 0 || *second >= 86'401)
        return fault(w.column(1), quoted(w[1]) + " is no second past midnight");
    const auto offset = error_of(w[2]);
    if (!offset)
        return fault(w.column(2), quoted(w[2]) + " is no offset in seconds (at most 1.9e9 either way)");
    if (auto bad = no_number(w, 3)) return *std::move(bad);
    return {.kind = line_kind::record,
            .wall_ns = (*day - mjd_of_1970) * 86'400 * ns_per_s + std::llround(*second * 1e9),
            .error_ns = -*offset,  // ntpd's is what has to be added to the clock
            .source = {},
            .why = {}};
}

recorded_line firn_line(std::string_view line) {
    const words_of_line w{line};
    if (w.count() == 0) return {};
    if (w[0] == "#") {
        if (w.count() < 4 || w[1] != "firn" || w[2] != "recording") return {};
        const auto version = whole(w[3]);
        if (version == firn_recording_version) return {};
        return fault(w.column(3), "the recording has format version " + quoted(w[3]) +
                                      ", and this firn reads " + std::to_string(firn_recording_version) +
                                      "; use a newer firn");
    }
    if (w[0] == "boot") {
        if (w.count() != 2) return fault(w.column(2), "a boot line has one name");
        return {.kind = line_kind::boot, .source = w[1], .why = {}};
    }
    const bool sample = w[0] == "sample";
    const std::size_t columns = sample ? 10 : 4;
    if (!sample && w[0] != "step")
        return fault(1, quoted(w[0]) + " is no line of a recording (boot, sample or step)");
    if (w.count() != columns)
        return fault(w.column(std::min(columns, w.count())), "a line of this kind has " +
                                                                 std::to_string(columns) + " columns, not " +
                                                                 std::to_string(w.count()));
    for (std::size_t i = 1; i < columns; ++i)
        if (!whole(w[i])) return fault(w.column(i), quoted(w[i]) + " is no whole number");
    recorded_line out{.kind = line_kind::record, .source = {}, .why = {}};
    out.steady_ns = *whole(w[1]);
    out.wall_ns = *whole(w[2]);
    for (const auto& [value, at] :
         {std::pair{out.steady_ns, std::size_t{1}}, std::pair{out.wall_ns, std::size_t{2}}})
        if (value < 0 || value > latest_wall_s * ns_per_s)
            return fault(w.column(at), quoted(w[at]) + " is no time in nanoseconds from 0 to the year 2149");
    return out;
}

constexpr std::array<std::pair<recording_format, const char*>, 4> names{
    {{recording_format::chrony_tracking, "chrony-tracking"},
     {recording_format::chrony_statistics, "chrony-statistics"},
     {recording_format::loopstats, "loopstats"},
     {recording_format::firn, "firn"}}};

}  // namespace

const char* name_of(recording_format f) noexcept {
    return names[static_cast<std::size_t>(f)].second;
}

std::optional<recording_format> recording_format_of(std::string_view name) noexcept {
    for (const auto& [f, text] : names)
        if (name == text) return f;
    return std::nullopt;
}

recorded_line read_line(recording_format f, std::string_view line) {
    switch (f) {
        case recording_format::chrony_tracking:
            return chrony_tracking_line(line);
        case recording_format::chrony_statistics:
            return chrony_statistics_line(line);
        case recording_format::loopstats:
            return loopstats_line(line);
        case recording_format::firn:
            return firn_line(line);
    }
    return {};
}

}  // namespace firn::lab
