#include "lab/field.hpp"

#include <vector>

#include "firn/rfc3339.hpp"
#include "lab/masked.hpp"
#include "lab/scenario_parameters.hpp"

namespace firn::lab {

field_verdict look_at(const field_options& o) {
    const layout& l = o.layout;
    field_verdict v{};
    v.life_years =
        static_cast<double>(l.end_tick().count) * static_cast<double>(l.tick_us) / 1e6 / 86400 / 365.25;
    v.ends = rfc3339(l.end_instant()).substr(0, 10);

    constexpr tick any{50};
    const id masked = unsafe_masked_sequencer(l, o.machine).try_next(any).value();
    v.masked_machine = l.decode(masked).machine;
    const id honest =
        sequencer{{.layout = l, .machine = v.masked_machine, .policy = {}}}.try_next(any).value();
    v.masked_alias = masked == honest && v.masked_machine != o.machine;
    v.product_says = name_of(errc::ok);
    try {
        (void)sequencer{{.layout = l, .machine = o.machine, .policy = {}}};
    } catch (const error& e) {
        v.product_says = name_of(e.code());
    }
    return v;
}

std::span<const parameter<field_options>> field_parameters() {
    static const std::vector<parameter<field_options>> table = {
        {"layout", "T/M/S", "timestamp/machine/sequence bits that add up to 63", "41/10/12",
         "the widths of the fields",
         [](field_options& to, const std::string& v) { return parse_widths(to.layout, v); }},
        {"epoch", "MS", "Unix milliseconds from 0 to 253402300799999", "1288834974657", "the layout's epoch",
         [](field_options& to, const std::string& v) {
             const auto ms = parse_fixed(v, 0);
             if (ms) to.layout.epoch_ms = *ms;
             return ms && fault_of(to.layout) == nullptr;
         }},
        {"machine", "N", "a whole number", "1024", "the machine number",
         [](field_options& to, const std::string& v) { return parse_count(to.machine, v); }},
    };
    return table;
}

}  // namespace firn::lab
