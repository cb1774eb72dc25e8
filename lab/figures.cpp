#include "lab/figures.hpp"

#include <cstdio>
#include <limits>

#include "firn/text.hpp"
#include "lab/exact.hpp"

namespace firn::lab {

namespace {

figure count(std::uint64_t n) {
    return fixed_figure{static_cast<std::int64_t>(n), 0};
}
figure ms(std::int64_t ns) {
    return fixed_figure{ns, 6};
}

}  // namespace

std::string text_of(const figure& f, unsigned shown) {
    if (const auto* text = std::get_if<std::string>(&f)) return *text;
    if (const auto* number = std::get_if<double>(&f)) {
        char out[64];
        std::snprintf(out, sizeof out, "%.*f", static_cast<int>(shown), *number);
        return out;
    }
    const auto& fixed = std::get<fixed_figure>(f);
    // More digits than it has are noughts; of fewer, the lost ones must not be hidden when all are asked for.
    if (shown > fixed.places)
        return rounded_text(fixed.value, fixed.places, fixed.places) + (fixed.places == 0 ? "." : "") +
               std::string(shown - fixed.places, '0');
    return rounded_text(fixed.value, fixed.places, shown);
}

namespace {

double number_of(const figure& f) {
    if (const auto* number = std::get_if<double>(&f)) return *number;
    if (const auto* fixed = std::get_if<fixed_figure>(&f))
        return std::stod(fixed_text(fixed->value, fixed->places));
    return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

checked_figure check_figure(const figures& measured, const expectation& e) {
    if (e.value.starts_with('<')) {
        for (const auto& [name, value] : measured)
            if (name == e.name)
                return {e.name, e.value, text_of(value, 3), number_of(value) < std::stod(e.value.substr(1)),
                        !std::holds_alternative<std::string>(value)};
        return {e.name, e.value, "none", false};
    }
    const std::size_t point = e.value.find('.');
    const auto shown = static_cast<unsigned>(point == std::string::npos ? 0 : e.value.size() - point - 1);
    for (const auto& [name, value] : measured) {
        if (name != e.name) continue;
        std::string text = text_of(value, shown);
        const bool ok = text == e.value;
        return {e.name, e.value, std::move(text), ok, !std::holds_alternative<std::string>(value)};
    }
    return {e.name, e.value, "none", e.value == "none"};
}

figures figures_of(const verdict& v, const scenario& s) {
    figures f = {{"offered", count(v.offered)},
                 {"issued", count(v.issued)},
                 {"refused", count(v.refused)},
                 {"duplicates", count(v.duplicates)},
                 {"restarts", count(v.restarts)},
                 {"stalled_ms", ms(v.stalled_ns)},
                 {"borrowed", count(v.borrowed)},
                 {"ahead_ms", fixed_figure{v.ahead_ms, 0}},
                 {"fleet", count(s.layout.machine_max() + 1)}};
    if (!v.restart_log.empty()) {
        f.emplace_back("restart_true_ms", ms(v.restart_log[0].true_ns));
        f.emplace_back("restart_wall_ms", fixed_figure{v.restart_log[0].wall_ms, 0});
    }
    if (v.first_duplicate) {
        f.emplace_back("first_id", to_decimal(v.first_duplicate->id));
        f.emplace_back("first_true_ms", ms(v.first_duplicate->first_ns));
        f.emplace_back("again_true_ms", ms(v.first_duplicate->again_ns));
    }
    if (v.skipped) f.emplace_back("skipped", count(*v.skipped));
    if (v.inversions) f.emplace_back("inversions", count(*v.inversions));
    return f;
}

figures figures_of(const fleet_verdict& v, const fleet_options& o) {
    return {{"ids", count(v.ids)},
            {"inversions", count(v.inversions)},
            {"inverted_percent", v.fraction() * 100},
            {"predicted_percent", predicted_fraction(o.machines, o.window_ms) * 100},
            {"widest_ms", fixed_figure{v.widest_ns / 1000, 3}},  // down to whole microseconds
            {"within_a_machine", count(v.machine_inversions)},
            {"duplicates", count(v.duplicates)}};
}

figures figures_of(const field_verdict& v) {
    return {{"life_years", v.life_years},
            {"ends", v.ends},
            {"masked_machine", count(v.masked_machine)},
            {"same_ids", std::string{v.masked_alias ? "yes" : "no"}},
            {"product_says", v.product_says}};
}

}  // namespace firn::lab
