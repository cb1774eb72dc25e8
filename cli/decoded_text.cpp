#include "cli/decoded_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <nlohmann/json.hpp>

#include "firn/rfc3339.hpp"

namespace firn::cli {

namespace {

using formats::candidate;
using formats::decoded;

// By hand, since a line of them comes a million times: a JSON library's tree takes ten times as long.

template <class Number>
void append_number(std::string& out, Number n) {
    std::array<char, 20> digits;
    out.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), n).ptr);
}

void append_quoted(std::string& out, std::string_view text) {
    const auto plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), plain))
        out.append("\"").append(text).append("\"");
    else
        out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::int64_t time_ms(const decoded& d) {
    return std::chrono::floor<std::chrono::milliseconds>(d.time).time_since_epoch().count();
}

/// In RFC 3339 with the offset of the zone that TZ, or the host, names for that instant.
std::string local_time(instant when) {
    const auto seconds =
        static_cast<std::time_t>(std::chrono::floor<std::chrono::seconds>(when).time_since_epoch().count());
    std::tm there{};
    ::localtime_r(&seconds, &there);
    const std::chrono::minutes offset{there.tm_gmtoff / 60};
    std::string text = rfc3339(when + offset);
    text.pop_back();
    const auto two = [](std::int64_t n) {
        return std::string{static_cast<char>('0' + n / 10), static_cast<char>('0' + n % 10)};
    };
    const std::int64_t size = offset.count() < 0 ? -offset.count() : offset.count();
    return text + (offset.count() < 0 ? '-' : '+') + two(size / 60) + ':' + two(size % 60);
}

void append_value(std::string& out, const decoded::field& f) {
    if (f.digits.empty())
        append_number(out, f.value);
    else
        out += f.digits;
}

void append_reading(std::string& out, const decoded& d, decoded_style how) {
    out += "\"format\":";
    append_quoted(out, d.format);
    out += ",\"time\":\"";
    out += rfc3339(d.time);
    out += "\",\"time_ms\":";
    append_number(out, time_ms(d));
    out += ",\"epoch_ms\":";
    append_number(out, d.epoch_ms);
    if (how.local) out.append(",\"local\":\"").append(local_time(d.time)).append("\"");
    out += ",\"fields\":{";
    for (const auto& f : d.fields) {
        if (&f != &d.fields.front()) out += ',';
        append_quoted(out, f.name);
        out += ':';
        if (!f.digits.empty()) out += '"';
        append_value(out, f);
        if (!f.digits.empty()) out += '"';
    }
    out += "},\"warnings\":[";
    for (const auto& w : d.warnings) {
        if (&w != &d.warnings.front()) out += ',';
        append_quoted(out, w);
    }
    out += ']';
}

/// But the time, and a machine that its parts tell.
std::string fields_of(const candidate& c) {
    const bool parts = c.format->layout != nullptr && c.format->layout->machine_parts[0].bits > 0;
    std::string text;
    for (const auto& f : c.reading.fields) {
        if (&f == &c.reading.fields.front() || (parts && f.name == "machine")) continue;
        if (!text.empty()) text += ", ";
        text += f.name + ' ';
        append_value(text, f);
    }
    return text;
}

/// The sentence without what is in brackets and what to do about it.
std::string short_form(std::string_view warning) {
    return std::string{warning.substr(0, std::min(warning.find(" ("), warning.find(": ")))};
}

std::string name_of(const candidate& c) {
    std::string name{c.format->name};
    if (c.form != nullptr && c.form->name != "decimal") name.append(", ").append(c.form->name);
    return name;
}

}  // namespace

void append_text(std::string& out, std::string_view input, const decoded& d, std::string_view title,
                 decoded_style how) {
    const auto line = [&out](std::string_view name, std::string_view value) {
        out.append("\n  ").append(name);
        out.append(name.size() < 12 ? 12 - name.size() : 1, ' ');
        out += value;
    };
    out += input;
    line("time", rfc3339(d.time));
    if (how.local) line("local", local_time(d.time));
    line("layout", title);
    line("epoch", rfc3339(instant{std::chrono::milliseconds{d.epoch_ms}}) + " (" +
                      std::to_string(d.epoch_ms) + " ms)");
    for (const auto& f : d.fields) {
        line(f.name, "");
        append_value(out, f);
    }
    for (const auto& w : d.warnings) line("warning", w);
}

void append_others(std::string& out, std::span<const candidate> all) {
    if (all.size() < 2) return;
    std::size_t width = 0;
    for (const candidate& c : all) width = std::max(width, name_of(c).size());
    const auto list = [&](bool plausible, const char* title) {
        bool any = false;
        for (const candidate& c : all.subspan(1)) {
            if (c.plausible() != plausible) continue;
            if (!any) out.append("\n  ").append(title);
            any = true;
            const std::string name = name_of(c);
            out.append("\n    ").append(name).append(width + 2 - name.size(), ' ');
            out.append(rfc3339(c.reading.time)).append("  ");
            out += plausible ? fields_of(c) : short_form(c.reading.warnings.front());
        }
    };
    list(true, "may also be (--as NAME decides)");
    list(false, "implausible");
}

void append_json(std::string& out, std::string_view input, const decoded& d, decoded_style how,
                 std::span<const candidate> all) {
    out += "{\"input\":";
    append_quoted(out, input);
    out += ',';
    append_reading(out, d, how);
    if (!all.empty()) {
        out += ",\"candidates\":[";
        for (const candidate& c : all) {
            if (&c != &all.front()) out += ',';
            out += "{\"plausible\":";
            out += c.plausible() ? "true" : "false";
            out += ",\"bits\":";
            append_number(out, static_cast<int>(c.bits + 0.5));
            out += ",\"form\":";
            append_quoted(out, c.form != nullptr ? c.form->name : c.format->text);
            out += ',';
            append_reading(out, c.reading, how);
            out += '}';
        }
        out += ']';
    }
    out += '}';
}

void append_csv_header(std::string& out, const decoded& d, decoded_style how) {
    out += "input,format,time,time_ms,epoch_ms";
    if (how.local) out += ",local";
    for (const auto& f : d.fields) out.append(",").append(f.name);
    out += ",warnings";
}

void append_csv(std::string& out, std::string_view input, const decoded& d, decoded_style how) {
    out.append(input).append(",").append(d.format).append(",").append(rfc3339(d.time)).append(",");
    append_number(out, time_ms(d));
    out += ',';
    append_number(out, d.epoch_ms);
    if (how.local) out.append(",").append(local_time(d.time));
    for (const auto& f : d.fields) {
        out += ',';
        append_value(out, f);
    }
    out += ',';
    if (d.warnings.empty()) return;
    out += '"';  // no warning has one of its own
    for (const auto& w : d.warnings) {
        if (&w != &d.warnings.front()) out += "; ";
        out += w;
    }
    out += '"';
}

}  // namespace firn::cli
