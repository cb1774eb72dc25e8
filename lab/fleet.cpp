#include "lab/fleet.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "firn/text.hpp"
#include "lab/inversions.hpp"
#include "lab/random.hpp"
#include "lab/run.hpp"
#include "lab/scenario_parameters.hpp"

namespace firn::lab {

namespace {

using issue = collecting_observer::issue;

std::uint64_t inversions_of(const std::vector<issue>& issues) {
    std::vector<std::uint64_t> ids;
    ids.reserve(issues.size());
    for (const issue& each : issues) ids.push_back(each.id);
    return count_inversions(std::move(ids));
}

scenario machine_of(const fleet_options& o, std::uint64_t machine, std::uint64_t seed) {
    scenario s;
    s.layout = o.layout;
    s.machine = machine;
    s.rate = o.rate;
    s.duration_ns = static_cast<std::int64_t>(o.window_ms) * ns_per_ms;
    s.arrivals = arrival_kind::random;
    s.seed = seed;
    s.rewind_ns = 0;
    return s;
}

}  // namespace

fleet_verdict& fleet_verdict::operator+=(const fleet_verdict& other) {
    ids += other.ids;
    pairs += other.pairs;
    inversions += other.inversions;
    machine_inversions += other.machine_inversions;
    duplicates += other.duplicates;
    widest_ns = std::max(widest_ns, other.widest_ns);
    return *this;
}

double predicted_fraction(std::uint64_t machines, std::uint64_t window_ms) {
    return 0.5 * (1 - 1 / static_cast<double>(machines)) / static_cast<double>(window_ms);
}

fleet_verdict run_one_fleet(const fleet_options& o, std::uint64_t index) {
    random_stream seeds{o.seed + index * 0x632BE59BD9B4E019ULL};
    fleet_verdict v;
    std::vector<issue> all;
    for (std::uint64_t machine = 0; machine < o.machines; ++machine) {
        const scenario s = machine_of(o, machine, seeds.next());
        sequencer_process process{s};
        collecting_observer own;
        play(s, process, own);
        v.machine_inversions += inversions_of(own.issues);
        all.insert(all.end(), own.issues.begin(), own.issues.end());
    }
    // Two ids issued in the same nanosecond have no order to be wrong about.
    std::sort(all.begin(), all.end(), [](const issue& a, const issue& b) {
        return a.true_ns != b.true_ns ? a.true_ns < b.true_ns : a.id < b.id;
    });
    v.ids = all.size();
    v.pairs = v.ids < 2 ? 0 : v.ids * (v.ids - 1) / 2;
    v.inversions = inversions_of(all);
    v.widest_ns = widest_inversion_ns(all);

    std::sort(all.begin(), all.end(), [](const issue& a, const issue& b) { return a.id < b.id; });
    for (std::size_t i = 1; i < all.size(); ++i) v.duplicates += all[i].id == all[i - 1].id ? 1 : 0;
    return v;
}

fleet_verdict run_fleet(const fleet_options& o) {
    fleet_verdict sum;
    for (std::uint64_t i = 0; i < o.fleets; ++i) sum += run_one_fleet(o, i);
    return sum;
}

std::span<const parameter<fleet_options>> fleet_parameters() {
    using f = fleet_options;
    using text = std::string;
    const auto count = [](std::uint64_t& to, const text& v, std::uint64_t most) {
        const parsed p = parse_decimal(v, most);
        if (p && p.value > 0) to = p.value;
        return p && p.value > 0;
    };
    static const std::vector<parameter<fleet_options>> table = {
        {"machines", "M", "a whole number from 1 to 65536", "8", "how many machines",
         [=](f& to, const text& v) { return count(to.machines, v, 65536); }},
        {"window", "MS", "whole milliseconds from 1 to 1000000", "200", "how long each fleet runs",
         [=](f& to, const text& v) { return count(to.window_ms, v, 1'000'000); }},
        {"rate", "N", "ids per ms from 0.000000001 to 1000000, with at most 9 decimals", "8",
         "ids per millisecond of each machine", [](f& to, const text& v) { return parse_rate(to.rate, v); }},
        {"fleets", "N", "a whole number from 1 to 100000", "8", "how many fleets, each with its own arrivals",
         [=](f& to, const text& v) { return count(to.fleets, v, 100'000); }},
        {"seed", "N", "a whole number from 0 to 2^64 - 1", "7", "of the arrivals",
         [](f& to, const text& v) { return parse_count(to.seed, v); }},
        {"layout", "T/M/S", "timestamp/machine/sequence bits that add up to 63", "41/10/12",
         "the widths of the fields", [](f& to, const text& v) { return parse_widths(to.layout, v); }},
    };
    return table;
}

void check(const fleet_options& o) {
    if (const char* fault = fault_of(o.layout))
        throw argument_error("layout", std::string{fault} + " (example: --layout 41/10/12)");
    if (o.machines - 1 > o.layout.machine_max())
        throw argument_error("machines", "takes at most " + std::to_string(o.layout.machine_max() + 1) +
                                             " in " + std::to_string(o.layout.machine_bits) +
                                             " bits (example: --machines 8)");
    const int128 ids = int128{machine_of(o, 0, 0).offered()} * static_cast<int128>(o.machines);
    if (ids > 100'000'000)
        throw argument_error("window",
                             "makes more than 10^8 ids in a fleet, which are held in memory "
                             "(example: --window 200)");
}

}  // namespace firn::lab
