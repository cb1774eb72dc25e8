#include "cli/commands/audit_report.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>

#include "cli/layout_argument.hpp"
#include "firn/rfc3339.hpp"

namespace firn::cli {
namespace {

using audit::report;
using json = nlohmann::ordered_json;

constexpr std::size_t machines_shown = 20;

std::string fixed(double value, int digits) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(digits) << value;
    return out.str();
}

std::string percent(double share) {
    return fixed(share * 100, 1) + " %";
}

std::string counted(std::uint64_t n, const char* one, const char* many) {
    return std::to_string(n) + ' ' + (n == 1 ? one : many);
}

double ms_of(const report& r, std::int64_t ticks) {
    return static_cast<double>(ticks) * static_cast<double>(r.layout.tick_us) / 1000;
}

std::string duration(double ms) {
    const auto whole = static_cast<std::uint64_t>(ms);
    if (ms < 1000) return fixed(ms, ms == static_cast<double>(whole) ? 0 : 3) + " ms";
    const std::uint64_t s = whole / 1000;
    if (s < 60) return fixed(ms / 1000, 3) + " s";
    if (s < 3600) return std::to_string(s / 60) + " min " + std::to_string(s % 60) + " s";
    if (s < 86400) return std::to_string(s / 3600) + " h " + std::to_string(s / 60 % 60) + " min";
    return counted(s / 86400, "day ", "days ") + std::to_string(s / 3600 % 24) + " h";
}

/// From the first tick to the last one, both included.
double span_ms(const report& r) {
    return r.first ? ms_of(r, r.last->count - r.first->count + 1) : 0;
}

double rate(const report& r) {
    return r.first ? static_cast<double>(r.ids - r.outside) * 1000 / span_ms(r) : 0;
}

std::string rate_text(double per_second) {
    if (per_second >= 1) return fixed(per_second, 1) + " ids/s";
    return fixed(per_second * 86400, 1) + " ids a day";
}

std::string when(const report& r, std::int64_t tick_count) {
    return rfc3339(r.layout.time_of(tick{tick_count}));
}

void print_repeats(std::ostream& out, const report& r) {
    for (const auto& one : r.repeats) {
        out << "  " << one.id << "  " << counted(one.count, "time", "times") << ':';
        for (std::size_t i = 0; i < one.places.size(); ++i)
            out << (i == 0 ? " " : ", ") << one.places[i].file << ':' << one.places[i].line;
        if (one.places.size() < one.count) out << ", and " << one.count - one.places.size() << " more";
        out << '\n';
    }
    if (const auto rest = r.repeated - r.repeats.size(); rest != 0)
        out << "  and " << counted(rest, "more id that repeats", "more ids that repeat") << " (--show "
            << r.repeated << " lists all)\n";
    if (r.input_changed) out << "  the input changed while it was read: these places are not to be trusted\n";
}

void print_shards(std::ostream& out, const report& r) {
    const auto worst = std::max_element(r.shards.begin(), r.shards.end(), [](const auto& a, const auto& b) {
        return std::pair{a.skewed, a.ratio} < std::pair{b.skewed, b.ratio};
    });
    if (worst == r.shards.end()) return;
    if (!worst->skewed) {
        out << "shards       even: no id % 2 to id % 1024 is more than a fifth above its fair share, chance "
               "aside\n";
        return;
    }
    out << "shards       skewed, the largest share of one remainder:\n";
    for (const auto& s : r.shards) {
        if (!s.skewed) continue;
        out << "  id % " << std::setw(4) << s.shards << "  remainder " << std::setw(4) << s.remainder << "  "
            << percent(static_cast<double>(s.ids) / static_cast<double>(r.ids)) << " of the ids, "
            << fixed(s.ratio, 1) << " times its fair share\n";
    }
}

void print_machines(std::ostream& out, const report& r) {
    out << "machines     " << r.machines.size() << '\n';
    auto machines = r.machines;
    const auto shown = std::min(machines.size(), machines_shown);
    std::stable_sort(machines.begin(), machines.end(),
                     [](const auto& a, const auto& b) { return a.ids > b.ids; });
    out << "  " << std::setw(10) << "machine" << std::setw(14) << "ids" << std::setw(9) << "share"
        << std::setw(14) << "out of order" << std::setw(10) << "rewinds" << std::setw(16) << "largest"
        << "  fullest tick\n";
    const auto limit = std::uint64_t{r.layout.sequence_max()} + 1;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& m = machines[i];
        out << "  " << std::setw(10) << m.machine << std::setw(14) << m.ids << std::setw(9)
            << percent(m.share) << std::setw(14) << m.out_of_order << std::setw(10) << m.rewinds
            << std::setw(16) << (m.rewinds == 0 ? "-" : duration(ms_of(r, m.largest_rewind))) << "  "
            << m.fullest << " of " << limit << " ("
            << percent(static_cast<double>(m.fullest) / static_cast<double>(limit)) << ')';
        if (m.fullest_tick) out << " at " << when(r, *m.fullest_tick);
        out << '\n';
    }
    if (shown < machines.size())
        out << "  and " << counted(machines.size() - shown, "machine", "machines")
            << " with fewer ids (--json lists all)\n";
    if (r.machines_untracked_ids != 0)
        out << "  and more: " << counted(r.machines_untracked_ids, "id", "ids")
            << " of machines beyond these; is this the layout of the ids?\n";
}

json layout_json(const layout& l) {
    return {{"name", std::string{l.name.view()}},
            {"timestamp_bits", l.timestamp_bits},
            {"machine_bits", l.machine_bits},
            {"sequence_bits", l.sequence_bits},
            {"tick_us", l.tick_us},
            {"epoch_ms", l.epoch_ms},
            {"epoch", rfc3339(l.first_instant())}};
}

json repeats_json(const report& r) {
    json all = json::array();
    for (const auto& one : r.repeats) {
        json places = json::array();
        for (const auto& p : one.places) places.push_back({{"file", p.file}, {"line", p.line}});
        all.push_back({{"id", std::to_string(one.id)}, {"count", one.count}, {"places", std::move(places)}});
    }
    return all;
}

json machines_json(const report& r) {
    json all = json::array();
    for (const auto& m : r.machines)
        all.push_back({{"machine", m.machine},
                       {"ids", m.ids},
                       {"share", m.share},
                       {"out_of_order", m.out_of_order},
                       {"rewinds", m.rewinds},
                       {"largest_rewind_ms", ms_of(r, m.largest_rewind)},
                       {"fullest_tick_ids", m.fullest},
                       {"fullest_tick", m.fullest_tick ? json(when(r, *m.fullest_tick)) : json(nullptr)}});
    return all;
}

}  // namespace

void print_audit(std::ostream& out, const report& r, const audit_text_options& options) {
    out << "ids          " << r.ids << '\n' << "duplicates   " << r.duplicates;
    if (r.repeated != 0) out << ": " << counted(r.repeated, "id repeats", "ids repeat");
    out << '\n';
    print_repeats(out, r);
    if (r.skipped != 0)
        out << "skipped      " << counted(r.skipped, "record that is", "records that are") << " no id\n";
    if (r.ids == 0) return;
    print_shards(out, r);

    out << "\nread as      " << describe(r.layout)
        << (options.layout_was_named ? "" : " (--as names another layout)") << '\n';
    if (r.outside != 0)
        out << "outside      " << counted(r.outside, "id has", "ids have")
            << " a bit set that this layout leaves 0; what follows leaves them out\n";
    if (!r.first) return;
    out << "first        " << when(r, r.first->count) << '\n'
        << "last         " << when(r, r.last->count) << '\n'
        << "span         " << duration(span_ms(r)) << ", " << rate_text(rate(r)) << '\n';
    if (r.future != 0)
        out << "future       " << counted(r.future, "id is", "ids are") << " past now, " << rfc3339(r.now)
            << ": a wrong layout or epoch, or a clock that was wrong\n";
    out << "order        " << counted(r.out_of_order, "id is", "ids are")
        << " smaller than an earlier one of the same machine\n"
        << "rewinds      " << r.rewinds;
    if (r.rewinds != 0)
        out << " in the order of the input, the largest " << duration(ms_of(r, r.largest_rewind));
    out << '\n';
    print_machines(out, r);
}

void print_audit_json(std::ostream& out, const report& r) {
    json all{{"ids", r.ids},
             {"duplicates", r.duplicates},
             {"repeated", r.repeated},
             {"repeats", repeats_json(r)},
             {"skipped", r.skipped},
             {"input_changed", r.input_changed},
             {"smallest", r.ids == 0 ? json(nullptr) : json(std::to_string(r.smallest))},
             {"largest", r.ids == 0 ? json(nullptr) : json(std::to_string(r.largest))},
             {"layout", layout_json(r.layout)},
             {"outside", r.outside},
             {"first", r.first ? json(when(r, r.first->count)) : json(nullptr)},
             {"last", r.last ? json(when(r, r.last->count)) : json(nullptr)},
             {"span_ms", span_ms(r)},
             {"ids_per_second", rate(r)},
             {"now", rfc3339(r.now)},
             {"future", r.future},
             {"out_of_order", r.out_of_order},
             {"rewinds", r.rewinds},
             {"largest_rewind_ms", ms_of(r, r.largest_rewind)},
             {"sequence_limit", std::uint64_t{r.layout.sequence_max()} + 1},
             {"shards", json::array()},
             {"machines", machines_json(r)},
             {"machines_untracked_ids", r.machines_untracked_ids},
             {"spilled_bytes", r.spilled_bytes},
             {"threads", r.threads}};
    for (const auto& s : r.shards)
        all["shards"].push_back({{"shards", s.shards},
                                 {"remainder", s.remainder},
                                 {"ids", s.ids},
                                 {"ratio", s.ratio},
                                 {"skewed", s.skewed}});
    out << all.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
}

}  // namespace firn::cli
