#include "lab/recording/read.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <utility>

#include "lab/exact.hpp"

namespace firn::lab {

namespace {

struct raw_file {
    std::string name;
    std::vector<std::string> lines;
};

constexpr std::size_t longest_line = 4096;

raw_file load(std::istream& in, const std::string& name) {
    raw_file f{.name = name, .lines = {}};
    std::string line;
    while (std::getline(in, line)) f.lines.push_back(line.substr(0, longest_line));
    if (in.bad()) throw recording_error(name + ": cannot be read: " + std::strerror(errno));
    return f;
}

/// The format that understands the most of the first lines.
recording_format told_format(const raw_file& f) {
    constexpr std::size_t enough = 200;
    std::size_t best = 0;
    recording_format found = recording_format::chrony_tracking;
    for (const auto candidate : {recording_format::chrony_tracking, recording_format::chrony_statistics,
                                 recording_format::loopstats, recording_format::firn}) {
        std::size_t understood = 0;
        for (std::size_t i = 0, records = 0; i < f.lines.size() && records < enough; ++i) {
            const line_kind kind = read_line(candidate, f.lines[i]).kind;
            if (kind != line_kind::note) ++records;
            if (kind != line_kind::note && kind != line_kind::fault) ++understood;
        }
        if (understood > best) {
            best = understood;
            found = candidate;
        }
    }
    if (best == 0)
        throw recording_error(f.name +
                              ": no line of it is of chrony's tracking.log or statistics.log, ntpd's "
                              "loopstats or firn's; name "
                              "what it is with --format to see why");
    return found;
}

/// chrony's statistics have the lines of all servers: only one's make a clock.
std::string busiest_source(const std::vector<raw_file>& files) {
    std::map<std::string, std::uint64_t, std::less<>> lines;
    for (const raw_file& f : files)
        for (const std::string& text : f.lines)
            if (const recorded_line l = read_line(recording_format::chrony_statistics, text);
                l.kind == line_kind::record)
                ++lines[std::string{l.source}];
    const auto most = std::max_element(lines.begin(), lines.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == lines.end() ? "" : most->first;
}

/// Turns lines, in order, into samples.
class reader {
  public:
    explicit reader(recording& to) : to_(to) {}

    void take(const raw_file& f, std::size_t index) {
        ++to_.lines;
        recorded_line l = read_line(to_.format, f.lines[index]);
        switch (l.kind) {
            case line_kind::note:
                ++to_.notes;
                break;
            case line_kind::unsynchronised:
                ++to_.unsynchronised;
                break;
            case line_kind::boot:
                if (!boot_.empty() && l.source != boot_) {
                    ++to_.boots;
                    rebooted_ = true;
                }
                boot_ = l.source;
                break;
            case line_kind::fault:
                fault(f, index, l.column, std::move(l.why));
                break;
            case line_kind::record:
                if (!to_.source.empty() && l.source != to_.source)
                    ++to_.of_other_sources;
                else if (!add(l, index + 1))
                    fault(f, index, 1, "its time is out of range beside the lines above it");
                break;
        }
    }

  private:
    void fault(const raw_file& f, std::size_t index, std::size_t column, std::string why) {
        ++to_.not_understood;
        if (!to_.first_fault) to_.first_fault = line_fault{f.name, index + 1, column, std::move(why)};
    }

    /// Puts a record on true time, which goes on however the wall was set. False: it would leave 63 bits.
    bool add(const recorded_line& l, std::uint64_t line) {
        const clock_sample* before = to_.samples.empty() ? nullptr : &to_.samples.back();
        const bool own = to_.format == recording_format::firn;
        const int128 told = own ? int128{l.steady_ns} : int128{l.wall_ns} - l.error_ns;
        int128 shift = shift_ns_;
        if (own && before == nullptr) shift = int128{l.wall_ns} - l.steady_ns;
        if (own && before != nullptr && (rebooted_ || told + shift < before->true_ns))
            // Another boot, another begin of steady time. What the wall did in between is not known.
            shift = std::max<int128>(int128{l.wall_ns} - before->error_ns, before->true_ns) - told;
        int128 here = told + shift;
        bool back = false;
        if (before != nullptr && here < before->true_ns) {
            // True time does not go back, so the wall was set back: by this much at least. How long it was
            // between the two is not known; as long as between the two before them. Less than a second is no
            // step: chrony stamps whole seconds, and offsets are estimates.
            back = before->true_ns - here >= least_step_ns;
            const int128 put = int128{before->true_ns} + (back ? last_gap_ns_ : 0);
            if (back) shift += put - here;
            here = put;
        }
        const int128 error = own ? int128{l.wall_ns} - here : int128{l.error_ns} - shift;
        if (here > most_ns || here < -most_ns || error > most_ns || error < -most_ns) return false;
        if (before != nullptr)
            last_gap_ns_ =
                static_cast<std::int64_t>(std::min<int128>(here - before->true_ns, longest_gap_ns));
        shift_ns_ = shift;
        rebooted_ = false;
        to_.went_back += back ? 1 : 0;
        to_.samples.push_back({.true_ns = static_cast<std::int64_t>(here),
                               .error_ns = static_cast<std::int64_t>(error),
                               .line = line});
        return true;
    }

    static constexpr std::int64_t least_step_ns = 1'000'000'000;
    static constexpr std::int64_t longest_gap_ns = 3'600'000'000'000;
    static constexpr std::int64_t most_ns = 8'000'000'000'000'000'000;

    recording& to_;
    std::string boot_;
    bool rebooted_ = false;
    int128 shift_ns_ = 0;
    std::int64_t last_gap_ns_ = 1'000'000'000;
};

/// By the time of the first record, so that rotated logs may be given in any order.
void put_in_order(std::vector<raw_file>& files, recording_format format) {
    const auto begin_of = [&](const raw_file& f) {
        for (const std::string& text : f.lines)
            if (const recorded_line l = read_line(format, text); l.kind == line_kind::record)
                return l.wall_ns;
        return std::int64_t{0};
    };
    std::stable_sort(files.begin(), files.end(),
                     [&](const raw_file& a, const raw_file& b) { return begin_of(a) < begin_of(b); });
}

recording make_recording(std::vector<raw_file> files, const reading_options& o) {
    recording r;
    r.format = o.format ? *o.format : told_format(files.front());
    if (!o.format)
        for (const raw_file& f : files)
            if (const recording_format other = told_format(f); other != r.format)
                throw recording_error(f.name + " is of format " + name_of(other) + " and " +
                                      files.front().name + " of " + name_of(r.format) +
                                      "; replay them one after the other");
    if (!o.source.empty() && r.format != recording_format::chrony_statistics)
        throw recording_error(files.front().name + " is of format " + name_of(r.format) +
                              ", which is of one clock; --source is for chrony-statistics");
    if (r.format == recording_format::chrony_statistics)
        r.source = o.source.empty() ? busiest_source(files) : o.source;
    put_in_order(files, r.format);
    reader each{r};
    for (const raw_file& f : files)
        for (std::size_t i = 0; i < f.lines.size(); ++i) each.take(f, i);
    if (r.samples.empty()) {
        if (r.of_other_sources != 0)
            throw recording_error(files.front().name + ": none of its " + std::to_string(r.of_other_sources) +
                                  " records is of source " + r.source);
        throw recording_error(r.first_fault
                                  ? r.first_fault->text() + "; no line is a record of " + name_of(r.format)
                                  : files.front().name + ": there is no record in it");
    }
    return r;
}

}  // namespace

std::string line_fault::text() const {
    return file + ':' + std::to_string(line) + ':' + std::to_string(column) + ": " + why;
}

recording read_recording(const std::vector<std::string>& files, const reading_options& o) {
    std::vector<raw_file> loaded;
    for (const std::string& name : files) {
        std::ifstream in{name, std::ios::binary};
        if (!in) throw recording_error(name + ": cannot be opened: " + std::strerror(errno));
        loaded.push_back(load(in, name));
    }
    return make_recording(std::move(loaded), o);
}

recording read_recording(std::istream& in, const std::string& name, const reading_options& o) {
    std::vector<raw_file> one;
    one.push_back(load(in, name));
    return make_recording(std::move(one), o);
}

}  // namespace firn::lab
