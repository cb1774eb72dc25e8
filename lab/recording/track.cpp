#include "lab/recording/track.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "lab/exact.hpp"
#include "src/clock/guard.hpp"

namespace firn::lab {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
/// No daemon slews faster: chrony's maxslewrate ends at 10 % (chrony.conf(5)), the kernel's tick as well.
constexpr std::int64_t fastest_slew_ppb = 100'000'000;

std::int64_t step_min_of(const recording& r, const track_options& o) {
    if (o.step_min_ns != 0) return o.step_min_ns;
    return r.format == recording_format::firn ? detail::least_step_ns : 100 * ns_per_ms;
}

/// How far a slew can come in `gap_ns`. Less than a second is noise: daemons look no more often.
int128 reach_of(int128 gap_ns) {
    return std::max<int128>(gap_ns, second_ns) * fastest_slew_ppb / second_ns;
}

/// The first true time from the piece's begin on, before `end_ns`, at which its wall reads `wall_ns` or more;
/// `end_ns` when there is none.
std::int64_t reaches(const track_piece& p, int128 wall_ns, std::int64_t end_ns) {
    const int128 missing = wall_ns - p.wall_at(p.begin_ns);
    if (missing <= 0) return p.begin_ns;
    const int128 at = p.begin_ns + ceil_div(missing * second_ns, int128{second_ns} + p.ppb);
    return at < end_ns ? static_cast<std::int64_t>(at) : end_ns;
}

std::int64_t end_of(const clock_track& t, std::size_t i) {
    return i + 1 < t.pieces.size() ? t.pieces[i + 1].begin_ns : t.end_ns;
}

}  // namespace

std::int64_t track_piece::error_at(std::int64_t true_ns) const noexcept {
    return error_ns +
           static_cast<std::int64_t>(floor_div((int128{true_ns} - begin_ns) * ppb, int128{second_ns}));
}

clock_track track_of(const recording& r, const track_options& o) {
    const std::int64_t step_min = step_min_of(r, o);
    const bool own = r.format == recording_format::firn;
    clock_track t;
    t.begin_ns = r.samples.front().true_ns;
    t.end_ns = r.samples.back().true_ns;
    t.pieces.push_back({.begin_ns = t.begin_ns, .error_ns = r.samples.front().error_ns});
    const auto begin_piece = [&t](const track_piece& p) {
        if (t.pieces.back().begin_ns == p.begin_ns)
            t.pieces.back() = p;
        else
            t.pieces.push_back(p);
    };
    std::int64_t from = t.begin_ns;  // up to where the pieces have followed the records
    for (std::size_t i = 1; i < r.samples.size(); ++i) {
        const clock_sample& next = r.samples[i];
        const std::int64_t here = t.pieces.back().error_at(from);
        const int128 change = int128{next.error_ns} - here;
        const int128 gap = int128{next.true_ns} - from;
        const int128 size = change < 0 ? -change : change;
        if (size >= step_min || size > reach_of(gap)) {
            const std::int64_t at = own ? next.true_ns : from;
            if (own) begin_piece({.begin_ns = from, .error_ns = here});
            begin_piece({.begin_ns = at, .error_ns = next.error_ns});
            t.steps.push_back({.true_ns = at,
                               .by_ns = static_cast<std::int64_t>(change),
                               .wall_ns = at + next.error_ns,
                               .line = next.line});
        } else if (gap < second_ns) {
            continue;  // the next record tells
        } else {
            begin_piece({.begin_ns = from,
                         .error_ns = here,
                         .ppb = static_cast<std::int64_t>(floor_div(change * second_ns, gap))});
        }
        from = next.true_ns;
    }
    return t;
}

std::vector<rewind_window> rewind_windows(const clock_track& t, std::int64_t grid_ns) {
    constexpr std::int64_t margin_ns = 5 * second_ns;
    std::vector<rewind_window> windows;
    std::vector<int128> by_end;
    int128 highest = std::numeric_limits<std::int64_t>::min();
    for (std::size_t i = 0; i < t.pieces.size(); ++i) {
        const track_piece& p = t.pieces[i];
        const int128 wall = p.wall_at(p.begin_ns);
        const std::int64_t end = end_of(t, i);
        if (wall < highest) {
            const auto depth = static_cast<std::int64_t>(highest - wall);
            // When was what it reads now read first? What it had read by the end of each piece only rises.
            const int128 target = wall - margin_ns;
            const auto k = static_cast<std::size_t>(std::lower_bound(by_end.begin(), by_end.end(), target) -
                                                    by_end.begin());
            std::int64_t begin = reaches(t.pieces[k], target, end_of(t, k));
            begin = t.begin_ns +
                    static_cast<std::int64_t>(floor_div(int128{begin} - t.begin_ns, grid_ns)) * grid_ns;
            // What was borrowed is paid back in as long again, at half of what the layout can issue.
            const std::int64_t passed = reaches(p, highest, end);
            const auto over = static_cast<std::int64_t>(
                std::min<int128>(int128{passed} + int128{depth} * 5 / 4 + margin_ns, t.end_ns));
            windows.push_back({.begin_ns = begin, .end_ns = over, .depth_ns = depth});
        }
        highest = std::max<int128>({highest, wall, p.wall_at(end)});
        by_end.push_back(highest);
    }
    std::sort(windows.begin(), windows.end(),
              [](const auto& a, const auto& b) { return a.begin_ns < b.begin_ns; });
    std::vector<rewind_window> apart;
    for (const rewind_window& w : windows) {
        if (!apart.empty() && w.begin_ns <= apart.back().end_ns) {
            apart.back().end_ns = std::max(apart.back().end_ns, w.end_ns);
            apart.back().depth_ns = std::max(apart.back().depth_ns, w.depth_ns);
        } else {
            apart.push_back(w);
        }
    }
    // A window ends on the grid, too, so that the requests between two are a whole number.
    for (rewind_window& w : apart)
        w.end_ns = static_cast<std::int64_t>(std::min<int128>(
            t.begin_ns + ceil_div(int128{w.end_ns} - t.begin_ns, grid_ns) * grid_ns, t.end_ns));
    return apart;
}

}  // namespace firn::lab
