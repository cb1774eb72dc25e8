// `firn next` and `firn decode` as people and scripts call them: what they print, where, and how they end.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "firn/codecs/forms.hpp"
#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"
#include "lab/live/scratch.hpp"
#include "tests/support/shell.hpp"

namespace firn {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

// ---- next ----

TEST(next, prints_one_id_of_now_and_says_that_it_took_machine_0) {
    const auto before = std::chrono::system_clock::now();
    const ended e = shell("$firn next");
    EXPECT_EQ(e.status, 0);
    ASSERT_THAT(e.lines(), SizeIs(1));
    const parsed p = parse_decimal(e.lines()[0]);
    ASSERT_TRUE(p) << e.out;
    EXPECT_EQ(layouts::standard.decode(id{p.value}).machine, 0U);
    EXPECT_LE(layouts::standard.time_of(id{p.value}), std::chrono::system_clock::now());
    EXPECT_GE(layouts::standard.time_of(id{p.value}), before - std::chrono::milliseconds{1});
    EXPECT_THAT(e.err, AllOf(HasSubstr("no --machine given"), HasSubstr("machine 0")));
    EXPECT_EQ(lines_in(e.err), 1);
}

TEST(next, prints_nothing_but_ids_when_it_is_told_everything) {
    const ended e = shell("$firn next -n 10000 --machine 7");
    EXPECT_EQ(e.status, 0);
    EXPECT_THAT(e.err, IsEmpty());
    const auto lines = e.lines();
    ASSERT_THAT(lines, SizeIs(10'000));
    std::uint64_t last = 0;
    for (const std::string& line : lines) {
        const parsed p = parse_decimal(line);
        ASSERT_TRUE(p) << line;
        ASSERT_LT(last, p.value);
        ASSERT_EQ(layouts::standard.decode(id{p.value}).machine, 7U);
        last = p.value;
    }
    EXPECT_LE(layouts::standard.time_of(id{last}), std::chrono::system_clock::now())
        << "never ahead of the wall";
}

TEST(next, one_run_after_the_other_repeats_nothing) {
    const ended e = shell("for i in 1 2 3 4 5 6 7 8; do $firn next -n 5000 --machine 7 || exit 1; done");
    EXPECT_EQ(e.status, 0);
    const auto lines = e.lines();
    EXPECT_THAT(lines, SizeIs(40'000));
    EXPECT_THAT(std::set<std::string>(lines.begin(), lines.end()), SizeIs(40'000));
}

TEST(next, with_a_journal_runs_at_once_repeat_nothing) {
    const scratch disk;
    const ended e = shell("for i in 1 2 3 4; do $firn next -n 5000 --machine 7 --journal '" +
                          (disk.path() / "journal").string() + "' > '" + disk.path().string() +
                          "'/ids.$i & done; wait; cat '" + disk.path().string() + "'/ids.*");
    EXPECT_THAT(e.err, IsEmpty());
    const auto lines = e.lines();
    EXPECT_THAT(lines, SizeIs(20'000));
    EXPECT_THAT(std::set<std::string>(lines.begin(), lines.end()), SizeIs(20'000));
}

TEST(next, goes_on_until_its_output_is_closed_and_then_ends_quietly) {
    const ended e = shell("{ $firn next -n 0 --machine 7; echo status $? >&2; } | head -n 20000");
    EXPECT_THAT(e.lines(), SizeIs(20'000));
    EXPECT_EQ(e.err, "status 0\n");
}

TEST(next, says_that_the_disk_is_full) {
    for (const char* n : {"1", "100000", "0"}) {
        const ended e = shell("$firn next --machine 7 -n " + std::string{n} + " > /dev/full");
        EXPECT_EQ(e.status, 1) << n;
        EXPECT_THAT(e.err, AllOf(HasSubstr("standard output"), HasSubstr("No space left on device")));
        EXPECT_EQ(lines_in(e.err), 1);
    }
}

TEST(next, says_that_it_has_no_output) {
    const ended e = shell("$firn next --machine 7 >&-");
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.err, HasSubstr("cannot write to standard output"));
}

TEST(next, prints_json_with_ids_as_strings) {
    const ended e = shell("$firn next -n 3 --machine 7 --json");
    ASSERT_THAT(e.lines(), SizeIs(3));
    for (const std::string& line : e.lines())
        EXPECT_TRUE(parse_decimal(json::parse(line).at("id").get<std::string>()));
}

TEST(next, writes_every_form) {
    for (const codecs::form& f : codecs::forms) {
        const std::string name{f.name};
        const ended e = shell("$firn next -n 3 --machine 7 --format " + name);
        ASSERT_THAT(e.lines(), SizeIs(3)) << name;
        for (const std::string& line : e.lines()) EXPECT_TRUE(f.parse(line, {})) << name << ' ' << line;
    }
}

// Case 17, at the command line.
TEST(next, takes_a_machine_number_in_its_range_and_nothing_else) {
    for (const char* number : {"7", "1023", "0"})
        EXPECT_EQ(shell("$firn next --machine " + std::string{number}).status, 0) << number;
    for (const char* number :
         {"''", "1f", "0x10", "' 7'", "+5", "-1", "1024", "007", "7.0", "18446744073709551616"}) {
        const ended e = shell("$firn next --machine " + std::string{number});
        EXPECT_EQ(e.status, 2) << number;
        EXPECT_THAT(e.out, IsEmpty());
        EXPECT_THAT(e.err,
                    AllOf(HasSubstr("--machine"), HasSubstr("0 to 1023"), HasSubstr("example: --machine 7")));
        EXPECT_EQ(lines_in(e.err), 1);
    }
    EXPECT_EQ(shell("FIRN_MACHINE=7 $firn next").err, "");
    EXPECT_EQ(shell("FIRN_MACHINE=x $firn next").status, 2);
    // Case 14.
    EXPECT_THAT(
        shell("$firn next --layout 30/18/15 --epoch 2026-12-01T00:00:00Z --min-life-days 0 --machine 462146")
            .err,
        HasSubstr("0 to 262143"));
}

TEST(next, takes_a_layout_by_name_or_by_its_bits) {
    const ended named = shell("$firn next --machine 7 --layout twitter");
    EXPECT_EQ(layouts::twitter.decode(id{parse_decimal(named.lines().at(0)).value}).machine, 7U);
    const ended bits = shell("$firn next --machine 3 --layout 41/2/20 --epoch 2025-01-01T00:00:00Z");
    EXPECT_THAT(bits.err, IsEmpty());
    EXPECT_EQ(parse_decimal(bits.lines().at(0)).value >> 20 & 3, 3U);
    for (const char* wrong : {"41/10/13", "41/10/11", "42/10/12", "41/10", "41/10/12/1", "41-10-12", "twiter",
                              "''", "0/32/31", "1/52/10"}) {
        const ended e = shell("$firn next --machine 1 --layout " + std::string{wrong});
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_THAT(e.err, AllOf(HasSubstr("--layout"), HasSubstr("41/10/12"))) << wrong;
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
}

// Case 12.
TEST(next, says_when_a_layout_without_an_epoch_ends) {
    const ended e = shell("$firn next --machine 7 --layout 41/10/12");
    EXPECT_EQ(e.status, 0);
    EXPECT_THAT(e.err, AllOf(HasSubstr("counts from 1970"), HasSubstr("2039-09-07T15:47:35.551Z")));
}

// Cases 8 and 11: warned of when it is configured, an end that has a name when it is over.
TEST(next, refuses_a_life_that_is_over_or_nearly) {
    const ended over = shell("$firn next --machine 7 --layout baidu");
    EXPECT_EQ(over.status, 2);
    EXPECT_THAT(over.err, AllOf(HasSubstr("exhausted"), HasSubstr("2024-11-20T13:24:16.000Z")));
    EXPECT_THAT(over.out, IsEmpty());

    const std::string young = rfc3339(instant{std::chrono::floor<std::chrono::microseconds>(
        std::chrono::system_clock::now() - std::chrono::hours{1})});
    const ended soon = shell("$firn next --machine 7 --layout 32/10/21 --epoch " + young);
    EXPECT_EQ(soon.status, 2);
    EXPECT_THAT(soon.err, AllOf(HasSubstr("in 49 days"), HasSubstr("--min-life-days 0")));
    EXPECT_EQ(shell("$firn next --machine 7 --layout 32/10/21 --min-life-days 0 --epoch " + young).status, 0);

    const ended future = shell("$firn next --machine 7 --epoch 2999-01-01T00:00:00Z");
    EXPECT_EQ(future.status, 2);
    EXPECT_THAT(future.err, HasSubstr("lies in the future"));
}

TEST(next, names_a_wrong_argument_in_one_line) {
    for (const char* wrong : {"-n x", "-n -1", "-n ''", "-n 1.5", "--format octal", "--epoch tomorrow",
                              "--min-life-days x", "--bogus"}) {
        const ended e = shell("$firn next --machine 7 " + std::string{wrong});
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_THAT(e.out, IsEmpty());
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
}

// ---- decode ----

TEST(decode, tells_the_ids_of_known_meaning) {
    const auto one = [](const std::string& arguments) {
        return json::parse(shell("$firn decode --json " + arguments).out);
    };
    const json tweet = one("1593572310593806338 --as twitter");
    EXPECT_EQ(tweet["input"], "1593572310593806338");
    EXPECT_EQ(tweet["format"], "twitter");
    EXPECT_EQ(tweet["time"], "2022-11-18T11:50:20.644Z");
    EXPECT_EQ(tweet["time_ms"], 1668772220644);
    EXPECT_EQ(tweet["epoch_ms"], 1288834974657);
    EXPECT_EQ(
        tweet["fields"],
        (json{
            {"tick", 379937245987}, {"machine", 378}, {"datacenter", 11}, {"worker", 26}, {"sequence", 2}}));
    EXPECT_EQ(tweet["warnings"], json::array());

    const json older = one("1050118621198921728 --as twitter");
    EXPECT_EQ(older["time"], "2018-10-10T20:19:24.211Z");
    EXPECT_EQ(older["fields"]["datacenter"], 10);
    EXPECT_EQ(older["fields"]["worker"], 27);
    EXPECT_EQ(older["fields"]["sequence"], 0);

    const json discord = one("175928847299117063 --as discord");
    EXPECT_EQ(discord["time"], "2016-04-30T11:18:25.796Z");
    EXPECT_EQ(discord["fields"]["worker"], 1);
    EXPECT_EQ(discord["fields"]["process"], 0);
    EXPECT_EQ(discord["fields"]["sequence"], 7);
}

// Case 23: the wrong epoch gives a plausible wrong date, so the one that was used is always told.
TEST(decode, tells_the_epoch_and_flags_a_date_in_the_future) {
    const auto with = [](const std::string& arguments) {
        return json::parse(shell("$firn decode --json 1633725669152133120 " + arguments).out);
    };
    EXPECT_EQ(with("--as twitter")["time"], "2023-03-09T07:05:27.338Z");
    EXPECT_EQ(with("--as twitter")["warnings"], json::array());
    EXPECT_EQ(with("--as 41/10/12")["epoch_ms"], 0);
    EXPECT_EQ(with("--as 41/10/12")["time"], "1982-05-06T05:22:32.681Z");
    EXPECT_EQ(with("--as 41/10/12 --epoch 1288834974657")["time"], "2023-03-09T07:05:27.338Z");
    EXPECT_EQ(with("--as 41/10/12 --epoch 2010-11-04T01:42:54.657Z")["epoch_ms"], 1288834974657);
    const json future = with("--as standard");
    EXPECT_EQ(future["time"], "2037-05-06T05:22:32.681Z");
    EXPECT_THAT(future["warnings"].at(0),
                AllOf(HasSubstr("lies in the future"), HasSubstr("2025-01-01T00:00:00.000Z")));

    const ended text = shell("$firn decode 1633725669152133120 --as twitter");
    EXPECT_THAT(text.out,
                AllOf(StartsWith("1633725669152133120\n"), HasSubstr("2023-03-09T07:05:27.338Z"),
                      HasSubstr("2010-11-04T01:42:54.657Z (1288834974657 ms)"), HasSubstr("sequence")));
}

TEST(decode, guesses_the_format_when_none_is_named) {
    struct known {
        const char* text;
        const char* format;
        const char* time;
    };
    for (const known& k :
         {known{"1593572310593806338", "twitter", "2022-11-18T11:50:20.644Z"},
          known{"1050118621198921728", "twitter", "2018-10-10T20:19:24.211Z"},
          known{"175928847299117063", "discord", "2016-04-30T11:18:25.796Z"},
          known{"507f1f77bcf86cd799439011", "objectid", "2012-10-17T21:13:27.000Z"},
          known{"017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "uuidv7", "2022-02-22T19:22:22.000Z"},
          known{"01ARZ3NDEKTSV4RRFFQ69G5FAV", "ulid", "2016-07-30T23:54:10.259Z"},
          known{"0ujtsYcgvSTl8PAuAdqWYSMnLOv", "ksuid", "2017-10-10T04:00:47.000Z"},
          known{"9m4e2mr0ui3e8a215n4g", "xid", "2011-03-22T17:50:19.000Z"}}) {
        const json j = json::parse(shell("$firn decode --json " + std::string{k.text}).out);
        EXPECT_EQ(j["format"], k.format) << k.text;
        EXPECT_EQ(j["time"], k.time) << k.text;
        EXPECT_EQ(j["candidates"].at(0)["format"], k.format);
    }
    const ended text = shell("$firn decode 1593572310593806338");
    EXPECT_THAT(text.out, AllOf(HasSubstr("twitter: 41/10/12"), HasSubstr("may also be"),
                                HasSubstr("implausible"), HasSubstr("its date lies in the future")));
    EXPECT_EQ(json::parse(shell("$firn next --machine 7 | $firn decode --json").out)["format"], "standard");
}

TEST(decode, writes_csv_with_a_column_for_each_field) {
    const ended e =
        shell("printf '1593572310593806338\r\n18446744073709551615\n' | $firn decode --as twitter --csv");
    EXPECT_EQ(e.status, 0) << e.err;
    ASSERT_THAT(e.lines(), SizeIs(3));
    EXPECT_EQ(e.lines()[0],
              "input,format,time,time_ms,epoch_ms,tick,machine,datacenter,worker,sequence,warnings");
    EXPECT_EQ(e.lines()[1],
              "1593572310593806338,twitter,2022-11-18T11:50:20.644Z,1668772220644,1288834974657,"
              "379937245987,378,11,26,2,");
    EXPECT_THAT(e.lines()[2], AllOf(StartsWith("18446744073709551615,twitter,"), testing::EndsWith("\"")));
}

TEST(decode, tells_local_time_on_request) {
    const ended west = shell("TZ=EST5 $firn decode --as twitter --local --json 1593572310593806338");
    EXPECT_THAT(west.out, HasSubstr("\"local\":\"2022-11-18T06:50:20.644-05:00\""));
    EXPECT_THAT(shell("TZ=IST-5:30 $firn decode --as twitter --local 1593572310593806338").out,
                AllOf(HasSubstr("2022-11-18T17:20:20.644+05:30"), HasSubstr("2022-11-18T11:50:20.644Z")));
}

TEST(decode, reads_files_and_says_which_line_is_no_id) {
    const scratch room;
    const std::string a = room.write("a.txt", "5\n6x\n");
    const std::string b = room.write("b.txt", "7");
    const ended e = shell("$firn decode --as standard --csv --file " + a + " --file " + b);
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.lines(), SizeIs(3));
    EXPECT_THAT(e.err, HasSubstr(a + ":2: '6x' is no decimal id: a character"));
    const ended missing = shell("$firn decode --file /nowhere/at/all");
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err, HasSubstr("cannot open /nowhere/at/all: No such file"));
    EXPECT_THAT(shell("$firn decode --file /").err, HasSubstr("cannot read /: Is a directory"));
}

// Case 25: base 58 that wraps.
TEST(decode, takes_no_base58_past_its_bound_and_no_other_spelling) {
    EXPECT_EQ(json::parse(shell("$firn decode --json --as tsid --format base58-flickr npL6MjP8Qfc")
                              .out)["fields"]["sequence"],
              4095);
    for (const char* wrong : {"JPwcyDCgEuq", "1npL6MjP8Qfc", "npL6MjP8Qf0"})
        EXPECT_EQ(shell("$firn decode --as tsid --format base58-flickr " + std::string{wrong}).status, 1)
            << wrong;
}

TEST(decode, flags_bits_that_the_layout_has_not) {
    const json j = json::parse(shell("$firn decode --json 18446744073709551615 --as twitter").out);
    EXPECT_THAT(j["warnings"].dump(), HasSubstr("bits set that this layout keeps at 0"));
}

// Case 27.
TEST(decode, what_is_no_id_is_an_error_that_says_where_and_why) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"14755887168818983731200", "too large (at character 21)"},
        {"18446744073709551616", "too large (at character 20)"},
        {"-1", "does not have (at character 1)"},
        {"'12 '", "does not have (at character 3)"},
        {"1e3", "does not have (at character 2)"},
        {"''", "empty"},
        {"007", "not the canonical spelling"},
        {"' 12'", "(at character 1)"},
        {"+5", "(at character 1)"},
        {"0x10", "(at character 2)"}};
    for (const auto& [input, why] : cases)
        for (const char* how : {"", " --json"}) {
            const ended e = shell("$firn decode " + input + how);
            EXPECT_EQ(e.status, 1) << input;
            EXPECT_THAT(e.out, IsEmpty()) << input;
            EXPECT_THAT(e.err, AllOf(HasSubstr("is no decimal id"), HasSubstr(why))) << input;
            EXPECT_EQ(lines_in(e.err), 1) << e.err;
        }
}

TEST(decode, goes_on_after_an_input_that_is_no_id) {
    const ended e = shell("$firn decode --json 5 x 6 -1 7");
    EXPECT_EQ(e.status, 1);
    std::vector<std::string> inputs;
    for (const std::string& line : e.lines()) inputs.push_back(json::parse(line)["input"]);
    EXPECT_THAT(inputs, testing::ElementsAre("5", "6", "7"));
    EXPECT_EQ(lines_in(e.err), 2);
}

TEST(decode, reads_standard_input_a_line_at_a_time) {
    const ended e = shell("printf '5\\n6\\n\\n7' | $firn decode --json -");
    EXPECT_EQ(e.status, 1) << "an empty line is no id";
    EXPECT_THAT(e.lines(), SizeIs(3));
    const ended through = shell("$firn next -n 2000 --machine 7 | $firn decode --json -");
    EXPECT_EQ(through.status, 0);
    ASSERT_THAT(through.lines(), SizeIs(2000));
    for (const std::string& line : through.lines()) {
        const json j = json::parse(line);
        ASSERT_EQ(j["format"], "standard");
        ASSERT_EQ(j["fields"]["machine"], 7);
        ASSERT_EQ(j["warnings"], json::array()) << line;
    }
}

TEST(decode, shows_control_characters_by_their_code) {
    const ended e = shell("$firn decode \"$(printf '\\033[31m1')\"");
    EXPECT_EQ(e.status, 1);
    EXPECT_THAT(e.err, AllOf(HasSubstr("'\\x1b[31m1'"), testing::Not(HasSubstr("\033"))));
}

TEST(decode, reads_the_form_that_next_writes) {
    for (const codecs::form& f : codecs::forms) {
        const std::string name{f.name};
        const ended e = shell("$firn next --machine 7 --format " + name + " | $firn decode --json --format " +
                              name + " -");
        EXPECT_EQ(e.status, 0) << name;
        EXPECT_EQ(json::parse(e.out)["fields"]["machine"], 7) << name;
    }
}

TEST(decode, says_that_the_disk_is_full_and_is_quiet_when_nobody_reads) {
    EXPECT_THAT(shell("$firn decode 5 > /dev/full").err, HasSubstr("No space left on device"));
    const ended closed =
        shell("{ $firn next -n 100000 --machine 7 | $firn decode -; echo status $? >&2; } | head -n 1");
    EXPECT_EQ(closed.err, "status 0\n");
}

TEST(decode, names_a_wrong_argument_in_one_line) {
    for (const char* wrong :
         {"5 --epoch 0", "5 --csv", "5 --as twitter --csv --json", "5 --as nothing", "5 --as 41/10/14",
          "5 --epoch x", "5 --epoch -1", "5 --format x", "5 --bogus", "5 -x"}) {
        const ended e = shell("$firn decode " + std::string{wrong});
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_THAT(e.out, IsEmpty());
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
}

TEST(help, has_examples) {
    for (const char* command : {"next", "decode"}) {
        const ended e = shell("$firn " + std::string{command} + " --help");
        EXPECT_EQ(e.status, 0);
        EXPECT_THAT(e.out, AllOf(HasSubstr("Examples:\n"), HasSubstr("firn " + std::string{command})));
    }
}

// cases.md, ids with known meaning; and what the formats' own documents show.
TEST(decode, reads_the_formats_that_are_no_64_bit_integers) {
    struct known {
        const char* as;
        const char* text;
        const char* time;
        const char* field;
        std::uint64_t value;
    };
    for (const known& k :
         {known{"objectid", "507f1f77bcf86cd799439011", "2012-10-17T21:13:27.000Z", "counter", 4427793},
          known{"uuidv7", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F", "2022-02-22T19:22:22.000Z", "milliseconds",
                1645557742000},
          known{"ulid", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "2016-07-30T23:54:10.259Z", "milliseconds",
                1469922850259}}) {
        const ended e = shell(std::string{"$firn decode --json --as "} + k.as + ' ' + k.text);
        EXPECT_EQ(e.status, 0) << e.err;
        const json j = json::parse(e.out);
        EXPECT_EQ(j["format"], k.as);
        EXPECT_EQ(j["time"], k.time);
        EXPECT_EQ(j["fields"][k.field], k.value) << k.as;
        EXPECT_THAT(j["warnings"], SizeIs(0)) << k.as << e.out;
    }
    const json wide = json::parse(shell("$firn decode --json --as ulid 01ARZ3NDEKTSV4RRFFQ69G5FAV").out);
    EXPECT_EQ(wide["fields"]["random"], "d6764c61efb99302bd5b") << "80 bits, in hex";
    const json v7 =
        json::parse(shell("$firn decode --json --as uuidv7 017f22e2-79b0-7cc3-98c4-dc0c0c07398f").out);
    EXPECT_EQ(v7["fields"]["random_b"], "1784793296645077391")
        << "62 bits, a string: past 2^53 numbers lose digits";
}

TEST(decode, says_what_is_odd_about_the_other_formats) {
    const ended future = shell("$firn decode --as ulid 7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
    EXPECT_EQ(future.status, 0);
    EXPECT_THAT(future.out, HasSubstr("lies in the future"));
    const ended early = shell("$firn decode --as ksuid 000000000000000000000000000");
    EXPECT_THAT(early.out, HasSubstr("before there were such ids"));
    const ended wrong =
        shell("$firn decode --as ulid 01ARZ3NDEKTSV4RRFFQ69G5FAU! 01ARZ3NDEKTSV4RRFFQ69G5FAV");
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(wrong.err, HasSubstr("is no ulid id"));
    EXPECT_THAT(wrong.out, HasSubstr("2016-07-30T23:54:10.259Z")) << "the others are printed";
    EXPECT_EQ(shell("$firn decode --as ulid --epoch 0 01ARZ3NDEKTSV4RRFFQ69G5FAV").status, 2);
    EXPECT_EQ(shell("$firn decode --as ulid --format hex 01ARZ3NDEKTSV4RRFFQ69G5FAV").status, 2);
}

}  // namespace
}  // namespace firn
