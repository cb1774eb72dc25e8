// What an audit tells, on inputs small enough to know the answer by hand.
#include <gmock/gmock.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "audit/audit.hpp"
#include "audit/error.hpp"
#include "audit/id_statistics.hpp"
#include "firn/layouts.hpp"
#include "lab/live/scratch.hpp"

namespace firn::audit {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr layout study = make_layout({});  // 41/10/12 from 1970.
constexpr instant far_future{std::chrono::hours{24 * 365 * 200}};

std::string as_lines(const std::vector<std::uint64_t>& ids) {
    std::string text;
    for (const auto id : ids) text += std::to_string(id) + '\n';
    return text;
}

class audit_run : public testing::Test {
  protected:
    report run_on(const std::string& text, options o = {}) {
        o.paths = {disk.write("ids.txt", text)};
        o.spill_directory = disk.path();
        if (o.now == instant{}) o.now = far_future;
        interruption stop;
        return run(o, stop);
    }

    firn::scratch disk;
};

TEST_F(audit_run, of_nothing_finds_nothing) {
    const report r = run_on("");
    EXPECT_EQ(r.ids, 0U);
    EXPECT_EQ(r.duplicates, 0U);
    EXPECT_FALSE(r.first);
    EXPECT_TRUE(r.machines.empty());
    EXPECT_TRUE(r.shards.empty());
}

// The study's headline trace under blind: 8 ids a millisecond, and at 100 the clock steps back by 50.
TEST_F(audit_run, finds_the_four_hundred_of_the_study) {
    std::vector<std::uint64_t> ids;
    for (std::int64_t ms = 0; ms < 200; ++ms)
        for (std::uint32_t s = 0; s < 8; ++s)
            ids.push_back(study.encode(tick{ms < 100 ? ms : ms - 50}, 7, s).value);
    const report r = run_on(as_lines(ids), {.layout = study, .show = 1});
    EXPECT_EQ(r.ids, 1600U);
    EXPECT_EQ(r.duplicates, 400U);
    EXPECT_EQ(r.repeated, 400U);
    ASSERT_EQ(r.repeats.size(), 1U);
    EXPECT_EQ(r.repeats[0].id, 209743872U);
    EXPECT_EQ(r.repeats[0].count, 2U);
    ASSERT_EQ(r.repeats[0].places.size(), 2U);
    EXPECT_EQ(r.repeats[0].places[0].line, 401U);
    EXPECT_EQ(r.repeats[0].places[1].line, 801U);
    EXPECT_EQ(r.first, tick{0});
    EXPECT_EQ(r.last, tick{149});
    EXPECT_EQ(r.rewinds, 1U);
    EXPECT_EQ(r.largest_rewind, 49);  // From millisecond 99 to 50.
    EXPECT_EQ(r.out_of_order, 399U);  // All that came again, but for the largest: it is as large as before.
    ASSERT_EQ(r.machines.size(), 1U);
    EXPECT_EQ(r.machines[0].machine, 7U);
    EXPECT_EQ(r.machines[0].share, 1.0);
    EXPECT_EQ(r.machines[0].fullest, 8U);
    EXPECT_EQ(r.machines[0].fullest_tick, 0);
}

TEST_F(audit_run, tells_machines_apart_in_the_order_of_the_input) {
    const auto id = [](std::int64_t t, std::uint64_t m, std::uint32_t s) {
        return study.encode(tick{t}, m, s).value;
    };
    const report r =
        run_on(as_lines({id(10, 1, 0), id(5, 2, 0), id(11, 1, 0), id(6, 2, 9), id(6, 2, 8), id(9, 1, 0)}),
               {.layout = study});
    ASSERT_EQ(r.machines.size(), 2U);
    EXPECT_EQ(r.machines[0].ids, 3U);
    EXPECT_EQ(r.machines[0].out_of_order, 1U);
    EXPECT_EQ(r.machines[0].rewinds, 1U);
    EXPECT_EQ(r.machines[0].largest_rewind, 2);
    EXPECT_EQ(r.machines[0].fullest, 1U);
    EXPECT_FALSE(r.machines[0].fullest_tick);
    EXPECT_EQ(r.machines[1].out_of_order, 1U);  // Sequence 8 after 9: a smaller id, and no rewind.
    EXPECT_EQ(r.machines[1].rewinds, 0U);
    EXPECT_EQ(r.machines[1].fullest, 2U);
    EXPECT_EQ(r.machines[1].fullest_tick, 6);
}

TEST_F(audit_run, reads_sonyflake_in_its_own_order) {
    const layout& l = layouts::sonyflake;
    std::vector<std::uint64_t> ids;
    for (std::uint32_t s = 0; s < 256; ++s) ids.push_back(l.encode(tick{1000}, 3, s).value);
    for (std::uint32_t s = 0; s < 10; ++s) ids.push_back(l.encode(tick{1000}, 65535, s).value);
    const report r = run_on(as_lines(ids), {.layout = l});
    ASSERT_EQ(r.machines.size(), 2U);
    EXPECT_EQ(r.machines[0].fullest, 256U);
    EXPECT_EQ(r.machines[1].fullest, 10U);
    EXPECT_EQ(r.machines[1].machine, 65535U);
}

TEST_F(audit_run, counts_ids_past_now) {
    const auto at = [](std::int64_t t) { return study.encode(tick{t}, 1, 0).value; };
    const report r = run_on(as_lines({at(999), at(1000), at(1001), at(5000)}),
                            {.layout = study, .now = instant{std::chrono::milliseconds{1000}}});
    EXPECT_EQ(r.future, 2U);
}

TEST_F(audit_run, leaves_out_what_the_layout_cannot_have_made) {
    const report r = run_on("18446744073709551615\n18446744073709551615\n5\n", {.layout = study});
    EXPECT_EQ(r.ids, 3U);
    EXPECT_EQ(r.duplicates, 1U);
    EXPECT_EQ(r.outside, 2U);
    EXPECT_EQ(r.last, tick{0});
    EXPECT_EQ(r.largest, ~std::uint64_t{0});
    ASSERT_EQ(r.machines.size(), 1U);
    EXPECT_EQ(r.machines[0].share, 1.0);
}

TEST_F(audit_run, names_the_place_of_what_is_no_id) {
    EXPECT_THAT([&] { run_on("1\n2\nx3\n"); },
                ThrowsMessage<failure>(AllOf(HasSubstr("ids.txt:3: 'x3' is no id: character 1 is no digit"),
                                             HasSubstr("--skip-bad"))));
    const report r = run_on("1\nx\n1\n", {.policy = on_bad::skip});
    EXPECT_EQ(r.skipped, 1U);
    EXPECT_EQ(r.duplicates, 1U);
    EXPECT_EQ(r.repeats.at(0).places.at(1).line, 3U);
}

TEST_F(audit_run, lists_places_in_the_order_of_the_input_up_to_a_bound) {
    options o;
    o.paths = {disk.write("a", "4\n9\n9\n"), disk.write("b", "9\n9\n")};
    o.show_places = 3;
    interruption stop;
    const report r = run(o, stop);
    ASSERT_EQ(r.repeats.size(), 1U);
    EXPECT_EQ(r.repeats[0].count, 4U);
    ASSERT_EQ(r.repeats[0].places.size(), 3U);
    EXPECT_EQ(r.repeats[0].places[1].line, 3U);
    EXPECT_EQ(r.repeats[0].places[2].file, o.paths[1]);
    EXPECT_EQ(r.repeats[0].places[2].line, 1U);
    EXPECT_FALSE(r.input_changed);
}

TEST_F(audit_run, of_csv_counts_the_lines_of_the_file) {
    options o;
    o.form = input_form::csv;
    o.column = "id";
    const report r = run_on("note,id\n\"two\nlines\",7\nx,8\ny,7\n", o);
    ASSERT_EQ(r.repeats.size(), 1U);
    EXPECT_EQ(r.repeats[0].places.at(0).line, 2U);
    EXPECT_EQ(r.repeats[0].places.at(1).line, 5U);
}

shard_report shard(const std::vector<shard_report>& all, std::uint32_t shards) {
    for (const auto& s : all)
        if (s.shards == shards) return s;
    throw std::out_of_range("no such shard count");
}

TEST(audit_shards, of_a_quiet_generator_are_skewed) {
    // One id every ten milliseconds, so that the sequence is always 0.
    id_statistics s{study, far_future};
    for (std::int64_t i = 0; i < 1000; ++i) s.see({{study.encode(tick{i * 10}, 1, 0).value}});
    const auto all = s.shards();
    ASSERT_EQ(all.size(), 10U);
    for (const auto& one : all) {
        EXPECT_EQ(one.ids, 1000U);
        EXPECT_EQ(one.remainder, 0U);
        EXPECT_EQ(one.ratio, one.shards);
        EXPECT_TRUE(one.skewed);
    }
}

TEST(audit_shards, of_even_ids_are_skewed_for_two) {
    id_statistics s{study, far_future};
    for (std::uint64_t i = 0; i < 100'000; ++i) s.see({{i * 2}});
    EXPECT_TRUE(shard(s.shards(), 2).skewed);
    EXPECT_EQ(shard(s.shards(), 2).ratio, 2.0);
}

TEST(audit_shards, of_all_numbers_are_even_and_so_are_few) {
    id_statistics all{study, far_future};
    std::vector<std::uint64_t> numbers(1 << 16);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    all.see(numbers);
    for (const auto& one : all.shards()) {
        EXPECT_EQ(one.ratio, 1.0);
        EXPECT_FALSE(one.skewed);
    }
    id_statistics few{study, far_future};
    few.see({{0, 1024, 2048}});
    for (const auto& one : few.shards()) EXPECT_FALSE(one.skewed);
}

}  // namespace
}  // namespace firn::audit
