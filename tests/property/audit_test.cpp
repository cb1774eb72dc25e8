// The audit against an obvious model: sort everything in memory, look at neighbours. Plans of a few bytes
// make chunks of a few lines, partitions that spill at once and others that must be split again.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "audit/audit.hpp"
#include "audit/decimal.hpp"
#include "audit/radix_sort.hpp"
#include "firn/layouts.hpp"
#include "firn/text.hpp"
#include "lab/live/scratch.hpp"

namespace firn::audit {
namespace {

constexpr std::int64_t now_tick = 15;

/// A record as it is written: an id, or something that is none, and the lines of text beside it.
struct record {
    std::optional<std::uint64_t> id;
    int note_lines = 0;
};

struct world {
    firn::layout layout;
    input_form form = input_form::lines;
    std::vector<std::vector<record>> files;
    bool first_is_pipe = false;
    memory_plan plan;
};

rc::Gen<std::uint64_t> any_id(const layout& l) {
    const auto few = rc::gen::map(
        rc::gen::tuple(rc::gen::inRange(0, 20), rc::gen::inRange(0, 4), rc::gen::inRange(0, 8)),
        [l](const std::tuple<int, int, int>& f) {
            return l
                .encode(tick{std::get<0>(f)}, static_cast<std::uint64_t>(std::get<1>(f)) & l.machine_max(),
                        static_cast<std::uint32_t>(std::get<2>(f)))
                .value;
        });
    // Mostly ids that come again; some that no layout with a reserved bit can have made.
    return rc::gen::weightedOneOf<std::uint64_t>({{20, few}, {1, rc::gen::arbitrary<std::uint64_t>()}});
}

world any_world() {
    world w;
    w.layout = **rc::gen::elementOf(std::vector<const layout*>(layouts::all.begin(), layouts::all.end()));
    w.form = *rc::gen::element(input_form::lines, input_form::csv, input_form::raw);
    const auto files = *rc::gen::inRange(1, 4);
    for (int i = 0; i < files; ++i) {
        std::vector<record> records;
        for (const auto id : *rc::gen::container<std::vector<std::uint64_t>>(any_id(w.layout))) {
            record r{.id = id, .note_lines = *rc::gen::inRange(0, 3)};
            if (w.form != input_form::raw && *rc::gen::inRange(0, 10) == 0) r.id.reset();
            records.push_back(r);
        }
        w.files.push_back(records);
    }
    w.first_is_pipe = *rc::gen::arbitrary<bool>();
    w.plan.threads = *rc::gen::inRange(1U, 4U);
    w.plan.chunk_bytes = *rc::gen::inRange<std::size_t>(1, 100);
    w.plan.fan_out_bits = *rc::gen::inRange(1U, 4U);
    w.plan.block_keys = *rc::gen::inRange<std::size_t>(1, 8);
    w.plan.blocks_in_memory = *rc::gen::inRange<std::size_t>(0, 8);
    w.plan.scratch_keys = w.plan.threads * *rc::gen::element<std::size_t>(16, 20, 64, 1000);
    return w;
}

/// What the file says, and on which line each id is.
std::pair<std::string, std::vector<std::pair<std::uint64_t, std::uint64_t>>> written(
    input_form form, const std::vector<record>& records) {
    std::string text = form == input_form::csv ? "note,id,more\n" : "";
    std::uint64_t line = form == input_form::csv ? 2 : 1;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ids;
    for (const auto& r : records) {
        if (r.id) ids.emplace_back(*r.id, line);
        const std::string value = r.id ? std::to_string(*r.id) : "none";
        switch (form) {
            case input_form::lines:
                text += value + (r.note_lines == 0 ? "\r\n" : "\n");
                break;
            case input_form::csv: {
                const auto note_lines = static_cast<std::size_t>(r.note_lines);
                text += "\"a \"\"note\"\"" + std::string(note_lines, '\n') + ",\"," + value + ",x\n";
                line += note_lines;
                break;
            }
            case input_form::raw: {
                std::array<char, 8> bytes{};
                std::memcpy(bytes.data(), &*r.id, bytes.size());
                text.append(bytes.data(), bytes.size());
                break;
            }
        }
        ++line;
    }
    return {text, ids};
}

struct expected {
    std::vector<std::uint64_t> ids;  // In the order of the input.
    std::map<std::uint64_t, std::vector<std::pair<std::string, std::uint64_t>>> places;
    std::uint64_t skipped = 0;
};

void check_repeats(const report& r, const expected& e) {
    std::uint64_t repeated = 0;
    auto next = r.repeats.begin();
    for (const auto& [id, places] : e.places) {  // Ascending, as the report is.
        if (places.size() < 2) continue;
        ++repeated;
        RC_ASSERT(next != r.repeats.end());
        RC_ASSERT(next->id == id);
        RC_ASSERT(next->count == places.size());
        RC_ASSERT(next->places.size() == std::min<std::size_t>(places.size(), 3));
        for (std::size_t i = 0; i < next->places.size(); ++i) {
            RC_ASSERT(next->places[i].file == places[i].first);
            RC_ASSERT(next->places[i].line == places[i].second);
        }
        ++next;
    }
    RC_ASSERT(next == r.repeats.end());
    RC_ASSERT(r.repeated == repeated);
    RC_ASSERT(!r.input_changed);
}

/// One machine, looked at with nothing but its own ids in their order.
void check_machine(const layout& l, const machine_report& m, const std::vector<std::uint64_t>& ids) {
    std::uint64_t out_of_order = 0;
    std::uint64_t rewinds = 0;
    std::int64_t largest = 0;
    std::map<std::int64_t, std::set<std::uint64_t>> ticks;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto at = [&](std::size_t n) { return l.decode(id{ids[n]}).tick.count; };
        out_of_order += std::any_of(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](std::uint64_t before) { return before > ids[i]; })
                            ? 1
                            : 0;
        if (i != 0 && at(i) < at(i - 1)) {
            ++rewinds;
            largest = std::max(largest, at(i - 1) - at(i));
        }
        ticks[at(i)].insert(ids[i]);
    }
    std::size_t fullest = 0;
    for (const auto& [t, distinct] : ticks) fullest = std::max(fullest, distinct.size());
    RC_ASSERT(m.ids == ids.size());
    RC_ASSERT(m.out_of_order == out_of_order);
    RC_ASSERT(m.rewinds == rewinds);
    RC_ASSERT(m.largest_rewind == largest);
    RC_ASSERT(m.fullest == fullest);
    if (fullest < 2) {
        RC_ASSERT(!m.fullest_tick);
        return;
    }
    for (const auto& [t, distinct] : ticks) {
        if (distinct.size() != fullest) continue;
        RC_ASSERT(m.fullest_tick == t);
        break;
    }
}

void check_fields(const report& r, const layout& l, const expected& e) {
    std::map<std::uint64_t, std::vector<std::uint64_t>> machines;
    std::uint64_t outside = 0;
    std::uint64_t future = 0;
    std::int64_t last = -1;
    for (const auto value : e.ids) {
        const fields f = l.decode(id{value});
        if (f.tick >= l.end_tick()) {
            ++outside;
            continue;
        }
        machines[f.machine].push_back(value);
        future += f.tick.count > now_tick ? 1 : 0;
        last = std::max(last, f.tick.count);
    }
    RC_ASSERT(r.outside == outside);
    RC_ASSERT(r.future == future);
    RC_ASSERT(r.last.value_or(tick{-1}).count == last);
    RC_ASSERT(r.machines.size() == machines.size());
    auto next = r.machines.begin();
    for (const auto& [machine, ids] : machines) {
        RC_ASSERT(next->machine == machine);
        check_machine(l, *next++, ids);
    }
}

RC_GTEST_PROP(audit, agrees_with_the_obvious_model, ()) {
    const world w = any_world();
    const firn::scratch disk;
    options o{.form = w.form,
              .column = "id",
              .policy = on_bad::skip,
              .layout = w.layout,
              .now = w.layout.time_of(tick{now_tick}),
              .show = 1000,
              .show_places = 3,
              .plan = w.plan};
    o.paths.clear();
    std::filesystem::create_directory(disk / "spill");
    o.spill_directory = disk / "spill";
    expected e;
    std::array<int, 2> pipe{-1, -1};
    for (std::size_t i = 0; i < w.files.size(); ++i) {
        const auto [text, ids] = written(w.form, w.files[i]);
        std::string path = disk.write("file" + std::to_string(i), text);
        if (i == 0 && w.first_is_pipe) {
            RC_ASSERT(::pipe(pipe.data()) == 0);
            RC_ASSERT(::write(pipe[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
            ::close(pipe[1]);
            path = "/dev/fd/" + std::to_string(pipe[0]);
        }
        o.paths.push_back(path);
        for (const auto& [value, line] : ids) {
            e.ids.push_back(value);
            e.places[value].emplace_back(path, line);
        }
        e.skipped += w.files[i].size() - ids.size();
    }

    interruption stop;
    const report r = run(o, stop);
    if (pipe[0] >= 0) ::close(pipe[0]);

    RC_ASSERT(r.ids == e.ids.size());
    RC_ASSERT(r.duplicates == e.ids.size() - e.places.size());
    RC_ASSERT(r.skipped == e.skipped);
    check_repeats(r, e);
    check_fields(r, w.layout, e);
    RC_ASSERT(std::filesystem::is_empty(o.spill_directory));
    RC_CLASSIFY(r.duplicates != 0, "duplicates");
    RC_CLASSIFY(r.spilled_bytes != 0, "spilled");
}

RC_GTEST_PROP(audit_radix_sort, sorts_like_the_standard_one, ()) {
    const auto bits = *rc::gen::inRange(1U, 65U);
    auto keys = *rc::gen::container<std::vector<std::uint64_t>>(rc::gen::arbitrary<std::uint64_t>());
    // Long enough for every path now and then.
    const auto times = *rc::gen::element<std::size_t>(1, 1, 1, 3000);
    const auto size = keys.size();
    for (std::size_t i = size; i < size * times; ++i)
        keys.push_back(keys[i - size] * 0x9E3779B97F4A7C15ULL + 1);
    for (auto& key : keys) key >>= 64 - bits;
    std::vector<std::uint64_t> room(keys.size());
    std::vector<std::uint64_t> sorted;
    auto input = keys;
    radix_sort(input, room, bits, [&](std::span<const std::uint64_t> piece) {
        sorted.insert(sorted.end(), piece.begin(), piece.end());
    });
    std::sort(keys.begin(), keys.end());
    RC_ASSERT(sorted == keys);
}

RC_GTEST_PROP(audit_decimal, takes_what_the_strict_reader_takes, ()) {
    std::string text =
        *rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0, 64)),
                      [](const auto& p) { return std::to_string(p.first >> p.second); });
    if (*rc::gen::arbitrary<bool>()) {
        const auto at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
        text.insert(at, 1, *rc::gen::oneOf(rc::gen::inRange('0', '9'), rc::gen::arbitrary<char>()));
    }
    const auto size = text.size();
    const parsed strict = parse_decimal(text);
    text += '\n';
    text.append(read_padding, *rc::gen::arbitrary<char>());
    std::uint64_t value = 0;
    const char* rest = read_decimal(text.data(), value);
    RC_ASSERT((rest == text.data() + size) == static_cast<bool>(strict));
    if (strict) RC_ASSERT(value == strict.value);
}

}  // namespace
}  // namespace firn::audit
