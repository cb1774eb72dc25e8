#include "service/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <initializer_list>
#include <utility>

#include "firn/version.hpp"

namespace firn::service {

namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using labels = std::initializer_list<std::pair<const char*, std::string>>;

class page {
  public:
    void begin(const char* name, const char* help, MetricType type) {
        families_.push_back({.name = name, .help = help, .type = type, .metric = {}});
    }
    void add(labels named, double value) {
        ClientMetric m;
        for (const auto& [name, text] : named) m.label.push_back({name, text});
        if (families_.back().type == MetricType::Counter)
            m.counter.value = value;
        else
            m.gauge.value = value;
        families_.back().metric.push_back(std::move(m));
    }
    std::string text() const { return prometheus::TextSerializer{}.Serialize(families_); }

  private:
    std::vector<MetricFamily> families_;
};

double seconds_of_us(std::int64_t us) {
    return static_cast<double>(us) / 1e6;
}
double seconds_of_ns(std::int64_t ns) {
    return static_cast<double>(ns) / 1e9;
}
double number(std::uint64_t n) {
    return static_cast<double>(n);
}

}  // namespace

std::string metrics_text(context& c) {
    struct row {
        space* of;
        space::figures f;
    };
    std::vector<row> rows;
    for (space* s : c.spaces.all()) rows.push_back({s, s->look()});
    const std::vector<reason> reasons = c.reasons();

    page p;
    const auto each = [&](const char* name, const char* help, MetricType type, auto value) {
        p.begin(name, help, type);
        for (const row& r : rows) p.add({{"space", r.of->name()}}, value(r.f));
    };
    using figures = space::figures;
    p.begin("firn_build_info", "The version that runs.", MetricType::Gauge);
    p.add({{"version", std::string{library_version}}}, 1);
    p.begin("firn_ready", "1 when nothing stands in the way of ids, for each space.", MetricType::Gauge);
    for (const row& r : rows) {
        bool ready = true;
        for (const reason& why : reasons)
            if (why.space == r.of->name() && !why.warning) ready = false;
        p.add({{"space", r.of->name()}}, ready ? 1 : 0);
    }
    p.begin("firn_reason", "1 for each reason why a space is not ready, and for each warning.",
            MetricType::Gauge);
    for (const reason& why : reasons)
        p.add(
            {{"space", why.space}, {"reason", why.code}, {"severity", why.warning ? "warning" : "not_ready"}},
            1);

    each("firn_ids_issued_total", "Ids handed out by this process.", MetricType::Counter,
         [](const figures& f) { return number(f.issued); });
    p.begin("firn_commands_refused_total", "Commands that got no id, or not all, by reason.",
            MetricType::Counter);
    for (const row& r : rows)
        for (const auto& [code, n] : r.f.refused)
            p.add({{"space", r.of->name()}, {"reason", name_of(code)}}, number(n));
    each("firn_waits_total", "Commands that waited for a tick, the disk or the making of their space.",
         MetricType::Counter, [](const figures& f) { return number(f.waits); });
    each("firn_wait_seconds_total", "How long they waited in all.", MetricType::Counter,
         [](const figures& f) { return seconds_of_ns(static_cast<std::int64_t>(f.waited_ns)); });
    each("firn_ahead_seconds", "How far the last id is past the clock.", MetricType::Gauge,
         [](const figures& f) { return seconds_of_us(f.ahead_us); });
    each("firn_ceiling_distance_seconds",
         "From the last id or the clock, whichever is later, to the end of what is reserved. Negative: "
         "nobody has "
         "asked for ids lately.",
         MetricType::Gauge, [](const figures& f) { return seconds_of_us(f.ceiling_us); });
    each("firn_journal_extensions_total", "Reservations written and synced.", MetricType::Counter,
         [](const figures& f) { return number(f.journal.extensions); });
    each("firn_journal_extension_last_seconds", "How long the last one took.", MetricType::Gauge,
         [](const figures& f) { return seconds_of_ns(f.journal.last_extension_ns); });
    each("firn_journal_extension_longest_seconds", "How long the longest one took.", MetricType::Gauge,
         [](const figures& f) { return seconds_of_ns(f.journal.longest_extension_ns); });
    each("firn_journal_trouble", "1 while the reservation cannot be extended.", MetricType::Gauge,
         [](const figures& f) { return f.journal.trouble == errc::ok ? 0.0 : 1.0; });
    each("firn_journal_reopened_total", "Journals opened anew after a failed sync.", MetricType::Counter,
         [](const figures& f) { return number(f.reopened); });
    p.begin("firn_clock_steps_total", "Steps of the wall clock seen, by direction.", MetricType::Counter);
    for (const row& r : rows) {
        p.add({{"space", r.of->name()}, {"direction", "back"}}, number(r.f.clock.steps_back));
        p.add({{"space", r.of->name()}, {"direction", "forward"}}, number(r.f.clock.steps_forward));
    }
    p.begin("firn_clock_largest_step_seconds", "The largest step seen, by direction.", MetricType::Gauge);
    for (const row& r : rows) {
        p.add({{"space", r.of->name()}, {"direction", "back"}},
              seconds_of_ns(r.f.clock.largest_step_back_ns));
        p.add({{"space", r.of->name()}, {"direction", "forward"}},
              seconds_of_ns(r.f.clock.largest_step_forward_ns));
    }
    each("firn_clock_doubted_seconds", "How far the wall is ahead of what is believed.", MetricType::Gauge,
         [](const figures& f) { return seconds_of_ns(f.clock.doubted_ns); });
    p.begin("firn_layout_end_timestamp_seconds", "When the layout's timestamp field ends.",
            MetricType::Gauge);
    for (const row& r : rows)
        p.add({{"space", r.of->name()}},
              seconds_of_us(r.of->layout_of().end_instant().time_since_epoch().count()));

    const connection_counters& n = c.connections;
    p.begin("firn_connections", "Open connections.", MetricType::Gauge);
    p.add({}, number(n.open.load()));
    p.begin("firn_connections_accepted_total", "Connections accepted.", MetricType::Counter);
    p.add({}, number(n.accepted.load()));
    p.begin("firn_connections_refused_total", "Connections turned away, by reason.", MetricType::Counter);
    p.add({{"reason", "bound"}}, number(n.over_bound.load()));
    p.add({{"reason", "no_descriptor"}}, number(n.no_descriptor.load()));
    p.begin("firn_connections_timed_out_total", "Connections closed by a time-out, by kind.",
            MetricType::Counter);
    p.add({{"kind", "idle"}}, number(n.idle.load()));
    p.add({{"kind", "slow"}}, number(n.slow.load()));
    p.begin("firn_protocol_errors_total", "Requests that could not be parsed.", MetricType::Counter);
    p.add({}, number(n.protocol_errors.load()));
    p.begin("firn_requests_total", "Requests, by protocol.", MetricType::Counter);
    p.add({{"protocol", "resp"}}, number(c.resp.requests.load()));
    p.add({{"protocol", "http"}}, number(c.http.requests.load()));
    p.begin("firn_request_errors_total", "Error replies, by protocol.", MetricType::Counter);
    p.add({{"protocol", "resp"}}, number(c.resp.errors.load()));
    p.add({{"protocol", "http"}}, number(c.http.errors.load()));
    return p.text();
}

}  // namespace firn::service
