#include "host/doctor.hpp"

#include <algorithm>
#include <fstream>
#include <utility>

#include "firn/formats/decode.hpp"
#include "firn/layouts.hpp"

namespace firn::host {

namespace {

class nobody final : public watch_sink {
  public:
    void step(const seen_step& /*s*/) override {}
    void sample(const lab::recorded_sample& /*s*/) override {}
};

std::string clock_source(const std::filesystem::path& root) {
    std::ifstream file{root / "sys/devices/system/clocksource/clocksource0/current_clocksource"};
    std::string source;
    file >> source;
    return source;
}

}  // namespace

std::vector<finding> examine(const host_view& host, const examination& e) {
    std::vector<finding> out;
    const lab::recorded_sample now = host.clocks.read();
    const instant wall{std::chrono::microseconds{now.wall_ns / 1000}};
    out.push_back(clock_finding(now));
    if (auto leap = leap_finding(now)) out.push_back(*std::move(leap));
    out.push_back(daemon_finding(time_daemons(host.root)));
    if (e.watch_ns > 0) {
        const watch_options o{.interval_ns = 100'000'000, .for_ns = e.watch_ns};
        nobody listens;
        out.push_back(watch_finding(watch(host.clocks, host.pacer, listens, o), o));
    }
    if (!e.recordings.empty()) out.push_back(recording_finding(e.recordings));
    out.push_back(counter_finding(host.counter_is_invariant(), clock_source(host.root)));
    out.push_back(boot_finding(host.boot()));
    if (e.journal)
        for (finding& f : journal_findings(*e.journal, wall)) out.push_back(std::move(f));
    const bool told =
        std::any_of(out.begin(), out.end(), [](const finding& f) { return f.check == "layout"; });
    if (e.layout)
        out.push_back(life_finding(*e.layout, formats::name_of(*e.layout), wall));
    else if (!told)
        out.push_back(life_finding(layouts::standard, "standard", wall));
    return out;
}

}  // namespace firn::host
