#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "firn/layouts.hpp"
#include "firn/text.hpp"
#include "service/resp/commands.hpp"
#include "service/resp/parser.hpp"
#include "tests/unit/service/harness.hpp"

namespace firn::service::test {
namespace {

using resp::outcome;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t bound = 64 * 1024;

std::vector<std::vector<std::string>> commands_in(std::string_view bytes, std::size_t piece) {
    resp::parser p;
    std::vector<std::vector<std::string>> all;
    std::size_t at = 0;
    for (std::size_t have = std::min(piece, bytes.size());; have = std::min(have + piece, bytes.size())) {
        for (;;) {
            const outcome o = p.parse(bytes.substr(at, have - at), bound);
            if (o == outcome::broken) {
                all.push_back({"broken", p.fault()});
                return all;
            }
            if (o == outcome::incomplete) break;
            all.emplace_back(p.args().begin(), p.args().end());
            at += p.size();
        }
        if (have == bytes.size()) return all;
    }
}

std::string bulk_command(std::initializer_list<std::string_view> words) {
    std::string out = "*" + std::to_string(words.size()) + "\r\n";
    for (const auto w : words) {
        out += "$" + std::to_string(w.size()) + "\r\n";
        out.append(w);
        out += "\r\n";
    }
    return out;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> all;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        all.push_back(line);
    }
    return all;
}

/// The ids of replies that are bulk strings or integers.
std::vector<std::uint64_t> ids_in(const std::string& replies) {
    std::vector<std::uint64_t> ids;
    for (const std::string& line : lines_of(replies)) {
        const std::string digits = line.substr(line.empty() || line[0] != ':' ? 0 : 1);
        if (digits.size() >= 15 && parse_decimal(digits)) ids.push_back(parse_decimal(digits).value);
    }
    return ids;
}

TEST(RespParser, TheSameCommandsInPiecesOfAnySize) {
    const std::string bytes = bulk_command({"FIRN.NEXT", "orders", "3"}) + "PING  hello\r\n" + "*0\r\n" +
                              "\r\n" + bulk_command({"ECHO", std::string("a\r\n\0b", 5)}) +
                              bulk_command({"", "x"}) + "QUIT\n" + "*-1\r\n";
    const auto whole = commands_in(bytes, bytes.size());
    ASSERT_EQ(whole.size(), 8U);
    EXPECT_EQ(whole[0], (std::vector<std::string>{"FIRN.NEXT", "orders", "3"}));
    EXPECT_EQ(whole[1], (std::vector<std::string>{"PING", "hello"}));
    EXPECT_TRUE(whole[2].empty());
    EXPECT_EQ(whole[4][1], std::string("a\r\n\0b", 5));
    EXPECT_EQ(whole[6], (std::vector<std::string>{"QUIT"}));
    for (std::size_t piece = 1; piece < bytes.size(); ++piece)
        EXPECT_EQ(commands_in(bytes, piece), whole) << piece;
}

TEST(RespParser, BreaksOffWhatIsNoCommand) {
    for (const char* bytes :
         {"*1\r\n:1\r\n", "*x\r\n", "*1\r\n$x\r\n", "*1\r\n$-1\r\n", "*1\r\n$3\r\nabcd\r\n", "*1025\r\n",
          "*99999999999999999999\r\n", "*1\r\n$99999999999999999999\r\n", "*1\rx", "*\r\n", "*-\r\n",
          "*1\r\n$1\r\nabc"})
        EXPECT_EQ(commands_in(bytes, 1000).back().front(), "broken") << bytes;
}

TEST(RespParser, RefusesAnAnnouncedSizePastTheBoundBeforeItArrives) {
    resp::parser p;
    EXPECT_EQ(p.parse("*1\r\n$65536\r\n", bound), outcome::broken);
    EXPECT_THAT(p.fault(), HasSubstr("too large"));
    resp::parser inline_;
    EXPECT_EQ(inline_.parse(std::string(bound + 1, 'a'), bound), outcome::broken);
}

TEST(Resp, AnswersWhatClientsSendOnTheirOwn) {
    harness h;
    h.open("orders");
    EXPECT_EQ(h.say("PING\r\n"), "+PONG\r\n");
    EXPECT_EQ(h.say(bulk_command({"ping", "x"})), "$1\r\nx\r\n");
    EXPECT_EQ(h.say("SELECT 0\r\n"), "+OK\r\n");
    EXPECT_THAT(h.say("SELECT 1\r\n"), StartsWith("-ERR "));
    EXPECT_EQ(h.say("CLIENT ID\r\n"), ":1\r\n");
    EXPECT_EQ(h.say("CLIENT GETNAME\r\n"), "$-1\r\n");
    EXPECT_EQ(h.say("CLIENT SETNAME me\r\n"), "+OK\r\n");
    EXPECT_EQ(h.say("CLIENT GETNAME\r\n"), "$2\r\nme\r\n");
    EXPECT_EQ(h.say("CLIENT SETINFO LIB-NAME x\r\n"), "+OK\r\n");
    EXPECT_EQ(h.say("CONFIG GET save\r\n"), "*2\r\n$4\r\nsave\r\n$0\r\n\r\n");
    EXPECT_THAT(h.say("INFO\r\n"), HasSubstr("loading:0\r\n"));
    EXPECT_THAT(h.say("HELLO 3\r\n"), StartsWith("%7\r\n"));
    EXPECT_EQ(h.say("CLIENT GETNAME\r\n"), "$2\r\nme\r\n");
    EXPECT_THAT(h.say("HELLO 4\r\n"), StartsWith("-NOPROTO"));
    EXPECT_THAT(h.say("GET x\r\n"), StartsWith("-ERR unknown command 'GET'"));
    EXPECT_EQ(h.say("QUIT\r\n"), "+OK\r\n");
    EXPECT_EQ(h.last.what, verdict::close);
}

TEST(Resp, TheTableDrivesDispatchHelpAndCommand) {
    harness h;
    h.open("orders");
    EXPECT_EQ(h.say("COMMAND COUNT\r\n"), ":" + std::to_string(resp::commands().size()) + "\r\n");
    EXPECT_THAT(h.say("COMMAND\r\n"), StartsWith("*" + std::to_string(resp::commands().size()) + "\r\n"));
    const std::string help = h.say("FIRN.HELP\r\n");
    const std::string docs = h.say("COMMAND DOCS\r\n");
    const std::string page = resp::commands_as_markdown();
    for (const resp::command& c : resp::commands()) {
        EXPECT_THAT(help, HasSubstr(std::string{c.summary}));
        EXPECT_THAT(docs, HasSubstr(std::string{c.summary}));
        EXPECT_THAT(page, HasSubstr(std::string{c.summary}));
        EXPECT_THAT(c.syntax, StartsWith(std::string{c.name}));
        EXPECT_EQ(resp::find_command(c.name), &c);
        // One argument fewer than it takes is an error that names the command's syntax, and no more.
        const int fewest = c.arity < 0 ? -c.arity : c.arity;
        if (fewest < 2) continue;
        std::string words{c.name};
        for (int i = 2; i < fewest; ++i) words += " 1";
        const std::string reply = h.say(words + "\r\n");
        EXPECT_THAT(reply, StartsWith("-ERR wrong number of arguments for '" + std::string{c.name})) << words;
        EXPECT_THAT(reply, HasSubstr(std::string{c.syntax}));
    }
}

TEST(Resp, IdsAreBulkStringsAndIntegersOnlyWhereIncrDemandsIt) {
    harness h;
    h.open("orders");
    const std::string next = h.say(bulk_command({"FIRN.NEXT", "orders"}));
    EXPECT_THAT(next, StartsWith("$18\r\n"));
    EXPECT_THAT(h.say(bulk_command({"INCR", "orders"})), StartsWith(":"));
    EXPECT_THAT(h.say(bulk_command({"FIRN.NEXT", "orders", "2"})), StartsWith("*2\r\n$18\r\n"));
    const auto fields = layouts::standard.decode(id{ids_in(next).at(0)});
    EXPECT_EQ(fields.machine, 7U);
}

TEST(Resp, IdsPast63BitsAreNoIntegersOfTheProtocol) {
    harness h(false, [](settings& s) {
        s.defaults.ids.layout = make_layout({.reserved_bits = 0,
                                             .timestamp_bits = 31,
                                             .machine_bits = 11,
                                             .sequence_bits = 22,
                                             .tick_us = 1'000'000});
    });
    h.open("big");
    EXPECT_THAT(h.say("INCR big\r\n"), HasSubstr("use FIRN.NEXT"));
    EXPECT_GT(ids_in(h.say("FIRN.NEXT big\r\n")).at(0), std::uint64_t{1} << 63);
}

TEST(Resp, APipelineInAnyPiecesGetsIncreasingIdsInItsOrder) {
    harness h;
    h.open("orders");
    h.open("users");
    std::string pipeline;
    std::size_t expected = 0;
    for (int i = 0; i < 700; ++i) {
        pipeline += bulk_command({"INCR", "orders"});
        ++expected;
        if (i % 7 == 0) pipeline += bulk_command({"FIRN.NEXT", "orders"}), ++expected;
        if (i % 50 == 0) pipeline += bulk_command({"FIRN.NEXT", "orders", "3"}), expected += 3;
        if (i % 90 == 0) pipeline += bulk_command({"PING"});
    }
    std::vector<std::uint64_t> all;
    for (const std::size_t piece : {pipeline.size(), std::size_t{1000}, std::size_t{37}}) {
        std::string replies;
        for (std::size_t at = 0; at < pipeline.size(); at += piece) {
            replies += h.say(std::string_view{pipeline}.substr(at, piece));
            h.time->pass(1);
        }
        const auto ids = ids_in(replies);
        EXPECT_EQ(ids.size(), expected);
        all.insert(all.end(), ids.begin(), ids.end());
    }
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end()));
    EXPECT_EQ(std::set<std::uint64_t>(all.begin(), all.end()).size(), all.size());
}

TEST(Resp, ARangeIsContiguousAndBoundedByItsTick) {
    harness h;
    h.open("orders");
    h.say("FIRN.NEXT orders 100\r\n");
    const auto first = lines_of(h.say("FIRN.RANGE orders 5000\r\n"));
    ASSERT_EQ(first.size(), 5U);
    EXPECT_EQ(first[0], "*3");
    EXPECT_EQ(first[3], ":3996");  // what is left of the tick
    EXPECT_EQ(first[4], ":1");
    const auto second = lines_of(h.say("FIRN.RANGE orders 5000\r\n"));
    EXPECT_EQ(second[3], ":4096");  // all of the tick after it, borrowed
    EXPECT_EQ(parse_decimal(second[2]).value, parse_decimal(first[2]).value - 100 + (std::uint64_t{1} << 22));
}

TEST(Resp, TheStepOfARangeIsTheLayouts) {
    harness h(false, [](settings& s) { s.defaults.ids.layout = layouts::sonyflake; });
    h.open("s");
    EXPECT_EQ(lines_of(h.say("FIRN.RANGE s 10\r\n")).at(4), ":65536");
}

TEST(Resp, CountsAreStrictAndBounded) {
    harness h;
    h.open("orders");
    for (const char* count : {"0", "-1", "+1", "1e3", "01", "10001", "18446744073709551617", "x"})
        for (const char* command : {"FIRN.NEXT", "FIRN.RANGE"})
            EXPECT_THAT(h.say(bulk_command({command, "orders", count})),
                        StartsWith("-ERR count must be from 1 to 10000"))
                << count;
    EXPECT_THAT(h.say("FIRN.NEXT orders 10000\r\n"), StartsWith("*10000\r\n"));
}

TEST(Resp, DecodeTakesIdsAndNothingElse) {
    harness h;
    h.say("HELLO 3\r\n");
    const std::string known = h.say("FIRN.DECODE 1593572310593806338 twitter\r\n");
    EXPECT_THAT(known, HasSubstr("2022-11-18T11:50:20.644Z"));
    EXPECT_THAT(known, HasSubstr("$10\r\ndatacenter\r\n:11\r\n"));
    EXPECT_THAT(known, HasSubstr("$6\r\nworker\r\n:26\r\n"));
    EXPECT_THAT(known, HasSubstr("2010-11-04T01:42:54.657Z"));
    EXPECT_THAT(known, HasSubstr("#f\r\n"));
    EXPECT_THAT(h.say("FIRN.DECODE 9223372036854775807 twitter\r\n"), HasSubstr("#t\r\n"));
    for (const char* text : {"14755887168818983731200", "-1", "18446744073709551616", "12 ", "1e3", ""})
        EXPECT_THAT(h.say(bulk_command({"FIRN.DECODE", text})), HasSubstr("is no id")) << text;
    EXPECT_THAT(h.say("FIRN.DECODE 1 nowhere\r\n"), StartsWith("-ERR there is no layout"));
}

TEST(Resp, SpacesAreMadeOnFirstUseOnlyWhereAllowed) {
    harness h;
    EXPECT_EQ(ids_in(h.say("FIRN.NEXT fresh\r\n")).size(), 1U);
    EXPECT_GT(h.waits, 0);
    EXPECT_THAT(h.say("FIRN.NEXT ../x\r\n"), HasSubstr("a space's name has"));
    EXPECT_THAT(h.say(bulk_command({"INCR", ""})), HasSubstr("a space's name has"));

    harness closed(false, [](settings& s) { s.create = false; });
    EXPECT_THAT(closed.say("FIRN.NEXT fresh\r\n"), StartsWith("-NOSPACE"));

    harness few(false, [](settings& s) { s.spaces_max = 1; });
    few.open("one");
    EXPECT_THAT(few.say("FIRN.NEXT two\r\n"), HasSubstr("--spaces-max"));
}

TEST(Resp, AsksForTheToken) {
    harness h(false, [](settings& s) { s.token = "open sesame"; });
    h.open("orders");
    EXPECT_THAT(h.say("PING\r\n"), StartsWith("-NOAUTH"));
    EXPECT_THAT(h.say("INCR orders\r\nFIRN.NEXT orders\r\n"), testing::Not(HasSubstr(":")));
    EXPECT_THAT(h.say("HELLO 3\r\n"), StartsWith("-NOAUTH"));
    for (const char* wrong : {"", "open sesam", "open sesame ", "xpen sesame", "open sesamE"})
        EXPECT_THAT(h.say(bulk_command({"AUTH", wrong})), StartsWith("-WRONGPASS")) << wrong;
    EXPECT_EQ(h.say(bulk_command({"AUTH", "open sesame"})), "+OK\r\n");
    EXPECT_THAT(h.say("INCR orders\r\n"), StartsWith(":"));
    h.reconnect(false);
    EXPECT_THAT(h.say(bulk_command({"HELLO", "3", "AUTH", "default", "open sesame"})), StartsWith("%7"));
    h.reconnect(false);
    EXPECT_THAT(h.say(bulk_command({"AUTH", "root", "open sesame"})), StartsWith("-WRONGPASS"));
    harness free;
    EXPECT_THAT(free.say("AUTH x\r\n"), HasSubstr("asks for no token"));
}

TEST(Resp, AFullTickIsWaitedForAndThenItsFirstIdIsTheNextTicks) {
    harness h(false, [](settings& s) { s.defaults.ids.overflow = overflow_policy::spin; });
    h.open("orders");
    h.stop_at_wait = true;
    EXPECT_EQ(ids_in(h.say("FIRN.NEXT orders 4096\r\n")).size(), 4096U);
    EXPECT_EQ(h.say("PING\r\nINCR orders\r\nPING\r\n"), "+PONG\r\n");  // and no more, before it is there
    EXPECT_EQ(h.last.what, verdict::wait);
    EXPECT_GT(h.last.delay.count(), 0);
    h.time->pass(1);
    const std::string rest = h.say("");
    EXPECT_THAT(rest, testing::EndsWith("+PONG\r\n"));
    EXPECT_EQ(layouts::standard.decode(id{ids_in(rest).at(0)}).sequence, 0U);
}

TEST(Resp, AClockThatIsHoursBackFailsCallersAtTheWaitLimit) {
    harness h(false, [](settings& s) {
        s.defaults.ids.overflow = overflow_policy::spin;
        s.defaults.ids.ahead_max = std::chrono::hours{24};
    });
    h.open("orders");
    h.say("FIRN.NEXT orders 4096\r\n");
    h.time->step(-8 * 3'600'000);
    h.hurry();
    const auto before = h.waiting;
    EXPECT_THAT(h.say("FIRN.NEXT orders\r\n"), StartsWith("-TICK_FULL space orders: "));
    EXPECT_LE(h.waiting - before, h.how.bounds.wait + std::chrono::milliseconds{20});
    h.time->step(8 * 3'600'000);
    EXPECT_THAT(h.say("FIRN.NEXT orders\r\n"), StartsWith("-TICK_FULL"));  // a leap, not believed yet
    h.time->pass(60'001);
    h.calm();  // from here on it is the disk that is waited for
    EXPECT_EQ(ids_in(h.say("FIRN.NEXT orders\r\n")).size(), 1U);
}

TEST(Resp, PastTheRewindBoundItRefusesAtOnceAndRecoversByItself) {
    harness h(false, [](settings& s) { s.defaults.ids.ahead_max = std::chrono::seconds{10}; });
    space& orders = h.open("orders");
    const auto before = ids_in(h.say("FIRN.NEXT orders\r\n"));
    h.time->step(-5'000);
    EXPECT_TRUE(orders.ready(h.how.life_margin));
    EXPECT_EQ(ids_in(h.say("INCR orders\r\n")).size(), 1U);
    h.time->step(-60'000);
    EXPECT_THAT(h.say("FIRN.NEXT orders\r\nFIRN.NEXT orders\r\n"), HasSubstr("-AHEAD_LIMIT"));
    EXPECT_EQ(h.waits, 0);
    EXPECT_EQ(orders.reasons(h.how.life_margin).at(0).code, "ahead_limit");
    EXPECT_EQ(h.say("PING\r\n"), "+PONG\r\n");
    h.time->pass(60'000);
    EXPECT_TRUE(orders.ready(h.how.life_margin));
    EXPECT_GT(ids_in(h.say("FIRN.NEXT orders\r\n")).at(0), before.at(0));
}

TEST(Resp, RepliesThatTheClientDoesNotTakeStopItsReading) {
    harness h(false, [](settings& s) { s.bounds.reply_bytes = 1000; });
    h.open("orders");
    std::string many;
    for (int i = 0; i < 100; ++i) many += "FIRN.NEXT orders 10\r\n";
    byte_buffer out;
    const progress p = h.connection->run(many, out);
    EXPECT_EQ(p.what, verdict::again);
    EXPECT_LT(p.consumed, many.size());
    EXPECT_LT(out.size(), 1600U);
}

TEST(Resp, DrainingAnswersWhatHasArrivedAndCloses) {
    harness h;
    h.open("orders");
    h.connection->drain();
    EXPECT_EQ(ids_in(h.say("INCR orders\r\nINCR orders\r\n")).size(), 2U);
    EXPECT_EQ(h.last.what, verdict::close);
}

TEST(Resp, ABrokenRequestGetsTheRepliesBeforeIt) {
    harness h;
    const std::string reply = h.say("PING\r\n*1\r\n:5\r\nPING\r\n");
    EXPECT_THAT(reply, StartsWith("+PONG\r\n-ERR Protocol error"));
    EXPECT_EQ(h.last.what, verdict::close);
    EXPECT_EQ(h.shared->connections.protocol_errors.load(), 1U);
}

}  // namespace
}  // namespace firn::service::test
