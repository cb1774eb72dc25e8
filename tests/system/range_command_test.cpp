// `firn range`: bounds that hold exactly the ids of a span, and errors in place of numbers that mean nothing.
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "firn/formats/decode_any.hpp"
#include "firn/formats/range.hpp"
#include "firn/formats/range_any.hpp"
#include "firn/layouts.hpp"
#include "tests/support/shell.hpp"

namespace firn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// ---- the bounds ----

TEST(range_of, holds_the_span_and_neither_neighbour_in_every_layout) {
    for (const layout* l : layouts::all) {
        const tick first{12'345};
        const tick last{first.count + 99};
        const instant from = l->time_of(first);
        const instant to = l->time_of(tick{last.count + 1});
        const formats::id_range r = formats::range_of(*l, from, to);
        EXPECT_EQ(r.smallest, l->encode(first, 0, 0)) << l->name.view();
        EXPECT_EQ(r.largest, l->encode(last, l->machine_max(), l->sequence_max())) << l->name.view();
        EXPECT_LT(l->time_of(id{r.smallest.value - 1}), from) << l->name.view();
        EXPECT_EQ(l->time_of(id{r.largest.value + 1}), to) << l->name.view();
    }
}

TEST(range_of, takes_the_ticks_that_begin_in_the_span) {
    const layout& l = layouts::sonyflake;  // 10 ms a tick
    const instant at = l.time_of(tick{1000});
    const auto ms = [](int n) { return std::chrono::milliseconds{n}; };
    const formats::id_range r = formats::range_of(l, at + ms(1), at + ms(21));
    EXPECT_EQ(r.first, tick{1001});
    EXPECT_EQ(r.last, tick{1002});
    EXPECT_THROW(formats::range_of(l, at + ms(1), at + ms(10)), error) << "no tick begins in there";
    EXPECT_EQ(formats::range_of(l, at + ms(1), at + ms(11)).first, tick{1001});
}

TEST(range_of, reaches_from_the_epoch_to_the_end_and_no_further) {
    constexpr std::chrono::microseconds least{1};
    for (const layout* l : layouts::all) {
        const instant first = l->first_instant();
        const instant end = l->end_instant();
        const formats::id_range all = formats::range_of(*l, first, end);
        EXPECT_EQ(all.smallest.value, 0U) << l->name.view();
        EXPECT_EQ(all.last.count + 1, l->end_tick().count) << l->name.view();
        EXPECT_THROW(formats::range_of(*l, first - least, end), error) << l->name.view();
        EXPECT_THROW(formats::range_of(*l, first, end + least), error) << l->name.view();
        EXPECT_THROW(formats::range_of(*l, first, first), error) << l->name.view();
        EXPECT_THROW(formats::range_of(*l, end, first), error) << l->name.view();
    }
}

// ---- the command ----

constexpr const char* day = "--from 2022-11-18T00:00:00Z --to 2022-11-19T00:00:00Z --as twitter";

TEST(range_command, prints_a_condition_that_holds_for_an_id_of_the_day) {
    const ended e = shell(std::string{"$firn range --sql tweet_id "} + day);
    EXPECT_EQ(e.status, 0) << e.err;
    std::uint64_t smallest = 0;
    std::uint64_t largest = 0;
    ASSERT_EQ(std::sscanf(e.out.c_str(), "tweet_id BETWEEN %lu AND %lu\n", &smallest, &largest), 2) << e.out;
    constexpr std::uint64_t known = 1593572310593806338;  // 2022-11-18T11:50:20.644Z
    EXPECT_LT(smallest, known);
    EXPECT_GT(largest, known);
    EXPECT_EQ((largest - smallest + 1) >> 22U, 86'400'000U);
}

TEST(range_command, has_a_form_for_programs_with_ids_as_strings) {
    const ended e = shell(std::string{"$firn range --json "} + day);
    EXPECT_EQ(e.status, 0) << e.err;
    const auto j = nlohmann::json::parse(e.out);
    EXPECT_EQ(j["format"], "twitter") << "as decode has it";
    EXPECT_EQ(j["ticks"], 86'400'000);
    EXPECT_EQ(j["epoch_ms"], 1288834974657);
    EXPECT_TRUE(j["smallest"].is_string());
    EXPECT_EQ(j["from"], "2022-11-18T00:00:00.000Z");
}

// cases.md, 24.
TEST(range_command, before_the_epoch_is_an_error_and_no_negative_number) {
    const ended e =
        shell("$firn range --from 2010-11-04T01:42:54.656Z --to 2011-01-01T00:00:00Z --as twitter");
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.out, IsEmpty());
    EXPECT_THAT(e.err, AllOf(HasSubstr("before the epoch"), HasSubstr("2010-11-04T01:42:54.657Z")));
    EXPECT_EQ(lines_in(e.err), 1);
    const ended at =
        shell("$firn range --from 1288834974657 --to 2011-01-01T00:00:00Z --as twitter --sql id");
    EXPECT_THAT(at.out, StartsWith("id BETWEEN 0 AND "));
}

TEST(range_command, past_the_end_is_an_error_that_names_the_end) {
    const ended e = shell("$firn range --from 2026-01-01T00:00:00Z --to 2100-01-01T00:00:00Z --as twitter");
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.out, IsEmpty());
    EXPECT_THAT(e.err, AllOf(HasSubstr("past the end"), HasSubstr("2080-07-10")));
}

TEST(range_command, refuses_a_condition_that_a_signed_column_would_turn_round) {
    const char* late = "--from 2080-01-01T00:00:00Z --to 2081-01-01T00:00:00Z --as 42/10/12 --epoch 0";
    EXPECT_EQ(shell(std::string{"$firn range "} + late).status, 0);
    const ended e = shell(std::string{"$firn range --sql id "} + late);
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.err, HasSubstr("negative in a signed BIGINT"));
}

TEST(range_of, of_other_formats_holds_the_span_and_neither_neighbour) {
    for (const formats::entry& e : formats::catalogue) {
        if (e.layout != nullptr) continue;
        const auto at = [&](std::int64_t n) { return e.first + std::chrono::microseconds{n * e.tick_us}; };
        const formats::any_range r = formats::range_of(e, at(12'345), at(12'355));
        const auto time = [&](const formats::any_id& i) { return formats::decode(i, e, at(0)).time; };
        EXPECT_EQ(time(r.smallest), at(12'345)) << e.name;
        EXPECT_EQ(time(r.largest), at(12'354)) << e.name;
        EXPECT_EQ(r.smallest, formats::bound_of(e, tick{12'345}, false));
        EXPECT_LT(formats::bound_of(e, tick{12'344}, true), r.smallest) << e.name;
        EXPECT_GT(formats::bound_of(e, tick{12'355}, false), r.largest) << e.name;
        EXPECT_LT(formats::text_of(r.smallest, e), formats::text_of(r.largest, e)) << e.name;
        EXPECT_TRUE(e.parse(formats::text_of(r.smallest, e), codecs::spelling::canonical)) << e.name;
        EXPECT_TRUE(e.parse(formats::text_of(r.largest, e), codecs::spelling::canonical)) << e.name;
        EXPECT_THROW(formats::range_of(e, e.first - std::chrono::microseconds{1}, e.end), error) << e.name;
        EXPECT_THROW(formats::range_of(e, e.first, e.end + std::chrono::microseconds{1}), error) << e.name;
        EXPECT_NO_THROW(formats::range_of(e, e.first, e.end)) << e.name;
    }
}

TEST(range_command, of_other_formats_gives_texts) {
    const ended e =
        shell("$firn range --as ulid --from 2016-07-30T00:00:00Z --to 2016-07-31T00:00:00Z --sql id");
    EXPECT_EQ(e.out, "id BETWEEN '01ARWHKC000000000000000000' AND '01ARZ402ZZZZZZZZZZZZZZZZZZ'\n");
    EXPECT_THAT(shell("$firn range --as uuidv7 --from 2022-02-22T19:22:22Z --to 2022-02-22T19:22:23Z").out,
                AllOf(HasSubstr("017f22e2-79b0-7000-8000-000000000000"),
                      HasSubstr("017f22e2-7d97-7fff-bfff-ffffffffffff")));
    EXPECT_EQ(shell("$firn range --as ulid --epoch 0 --from 1 --to 2").status, 2);
}

TEST(range_command, says_what_is_wrong_with_its_arguments) {
    for (const char* wrong :
         {"", "--from 2026-01-01T00:00:00Z", "--from yesterday --to 2026-01-01T00:00:00Z", "--from -1 --to 2",
          "--from 1 --to 2 --as 41/10", "--from 1 --to 2 --json --sql x"}) {
        const ended e = shell(std::string{"$firn range "} + wrong);
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
    EXPECT_EQ(shell("$firn range --from 2026-01-02T00:00:00Z --to 2026-01-01T00:00:00Z").status, 1);
}

}  // namespace
}  // namespace firn
