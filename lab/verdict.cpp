#include "lab/verdict.hpp"

#include "firn/text.hpp"
#include "lab/exact.hpp"

namespace firn::lab {

std::string json_members(const verdict& v) {
    std::string out;
    const auto add = [&](const char* key, const std::string& value) {
        if (!out.empty()) out += ',';
        out.append(1, '"').append(key).append("\":").append(value);
    };
    add("offered", std::to_string(v.offered));
    add("issued", std::to_string(v.issued));
    add("refused", std::to_string(v.refused));
    add("duplicates", std::to_string(v.duplicates));
    add("restarts", std::to_string(v.restarts));
    add("stalled_ms", ms_text(v.stalled_ns));
    add("borrowed", std::to_string(v.borrowed));
    add("ahead_ms", std::to_string(v.ahead_ms));

    std::string log = "[";
    for (const restart_note& r : v.restart_log) {
        if (log.size() > 1) log += ',';
        log += "{\"true_ms\":" + ms_text(r.true_ns) + ",\"wall_ms\":" + std::to_string(r.wall_ms) + '}';
    }
    add("restart_log", log + ']');

    if (const auto& c = v.first_duplicate)
        add("first_duplicate", "{\"id\":\"" + to_decimal(c->id) + "\",\"first_true_ms\":" +
                                   ms_text(c->first_ns) + ",\"again_true_ms\":" + ms_text(c->again_ns) + '}');
    else
        add("first_duplicate", "null");
    if (v.skipped) add("skipped", std::to_string(*v.skipped));
    if (v.inversions) add("inversions", std::to_string(*v.inversions));
    return out;
}

std::string to_json(const verdict& v) {
    return '{' + json_members(v) + '}';
}

}  // namespace firn::lab
