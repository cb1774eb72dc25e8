// From bytes to ids: the digits, the lines, and the words for what is no id.
#include <gmock/gmock.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "audit/decimal.hpp"
#include "audit/parse.hpp"
#include "firn/text.hpp"

namespace firn::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

chunk chunk_of(std::string_view text) {
    chunk c;
    c.reserve(text.size() + 1);
    std::memcpy(c.free_space().data(), text.data(), text.size());
    c.set_size(text.size());
    return c;
}

batch parsed_lines(std::string_view text, on_bad policy = on_bad::stop) {
    batch b;
    parse(chunk_of(text), input_form::lines, policy, b);
    return b;
}

std::vector<std::uint64_t> ids_of(const batch& b) {
    return {b.ids().begin(), b.ids().end()};
}

std::vector<std::uint64_t> lines_of(const batch& b) {
    std::vector<std::uint64_t> lines;
    for (std::size_t i = 0; i < b.ids().size(); ++i) lines.push_back(b.line_of(i));
    return lines;
}

/// What read_decimal takes of `text`, which it may read past.
std::pair<std::uint64_t, std::ptrdiff_t> taken(std::string text) {
    const auto size = text.size();
    text.resize(size + read_padding, '9');
    text[size] = '\n';
    std::uint64_t value = 0;
    const char* rest = read_decimal(text.data(), value);
    return {value, rest == nullptr ? -1 : rest - text.data()};
}

TEST(audit_decimal, agrees_with_the_strict_reader_at_each_length) {
    std::string digits;
    for (const char c : std::string{"18446744073709551615"}) {
        digits += c;
        EXPECT_EQ(taken(digits), std::pair(parse_decimal(digits).value, std::ptrdiff_t(digits.size())));
    }
    for (const char* largest : {"9", "99999999", "9999999999999999", "9999999999999999999"})
        EXPECT_EQ(taken(largest).first, parse_decimal(largest).value) << largest;
}

TEST(audit_decimal, takes_no_other_spelling) {
    for (const char* wrong : {"", "-1", "+5", " 7", "a", "00", "01", "18446744073709551616",
                              "99999999999999999999", "14755887168818983731200"})
        EXPECT_EQ(taken(wrong).second, -1) << wrong;
    EXPECT_EQ(taken("0"), std::pair(std::uint64_t{0}, std::ptrdiff_t{1}));
}

TEST(audit_decimal, stops_at_the_first_character_that_is_no_digit) {
    for (int byte = 0; byte < 256; ++byte) {
        const auto c = static_cast<char>(byte);
        if (c >= '0' && c <= '9') continue;
        for (std::size_t at = 1; at < 20; ++at) {
            std::string text(19, '7');
            text.insert(at, 1, c);
            EXPECT_EQ(taken(text).second, static_cast<std::ptrdiff_t>(at)) << byte;
        }
    }
}

TEST(audit_lines, are_numbers_with_either_line_end) {
    EXPECT_THAT(ids_of(parsed_lines("1\n22\r\n1593572310593806338\n0\n")),
                ElementsAre(1, 22, 1593572310593806338, 0));
}

TEST(audit_lines, need_no_end_of_the_last_one) {
    EXPECT_THAT(ids_of(parsed_lines("1\n22")), ElementsAre(1, 22));
    EXPECT_THAT(ids_of(parsed_lines("1\r\n22\r")), ElementsAre(1, 22));
    EXPECT_THAT(ids_of(parsed_lines("")), IsEmpty());
    EXPECT_EQ(parsed_lines("1\n22").line_count, 2U);
    EXPECT_EQ(parsed_lines("1\n22\n").line_count, 2U);
}

TEST(audit_lines, end_at_the_first_that_is_no_id) {
    const batch b = parsed_lines("1\n2\n12 \n3\n");
    ASSERT_TRUE(b.bad);
    EXPECT_EQ(b.bad->line, 2U);
    EXPECT_EQ(b.bad->what, "'12 ' is no id: character 3 is no digit");
}

TEST(audit_lines, keep_their_numbers_when_bad_ones_are_skipped) {
    const batch b = parsed_lines("x\n5\n\n6\n7\n1e3\n8\n", on_bad::skip);
    EXPECT_FALSE(b.bad);
    EXPECT_THAT(ids_of(b), ElementsAre(5, 6, 7, 8));
    EXPECT_THAT(lines_of(b), ElementsAre(2, 4, 5, 7));
    EXPECT_EQ(b.skipped, 3U);
    EXPECT_EQ(b.line_count, 7U);
}

TEST(audit_lines, keep_their_numbers_when_the_batch_is_used_again) {
    batch b;
    parse(chunk_of("x\n5\n"), input_form::lines, on_bad::skip, b);
    parse(chunk_of("5\n6\n"), input_form::lines, on_bad::skip, b);
    EXPECT_THAT(lines_of(b), ElementsAre(1, 2));
    EXPECT_EQ(b.skipped, 0U);
}

TEST(audit_bad_id, says_what_it_saw_and_why) {
    EXPECT_EQ(describe_bad_id(""), "'' is no id: the line is empty");
    EXPECT_EQ(describe_bad_id("-1"), "'-1' is no id: character 1 is no digit");
    EXPECT_EQ(describe_bad_id("1e3"), "'1e3' is no id: character 2 is no digit");
    EXPECT_EQ(describe_bad_id("007"), "'007' is no id: it begins with a zero");
    EXPECT_EQ(describe_bad_id("18446744073709551616"),
              "'18446744073709551616' is no id: it is larger than 18446744073709551615");
    EXPECT_EQ(describe_bad_id("14755887168818983731200"),
              "'14755887168818983731200' is no id: it is larger than 18446744073709551615");
}

TEST(audit_bad_id, shows_what_a_terminal_would_not) {
    EXPECT_THAT(describe_bad_id("1\x1b[2J\t\xff"), HasSubstr("'1\\x1b[2J\\x09\\xff'"));
    EXPECT_THAT(describe_bad_id(std::string(1000, 'y')), HasSubstr("'" + std::string(40, 'y') + "…'"));
}

TEST(audit_bad_id, points_out_a_csv) {
    EXPECT_THAT(describe_bad_id("17,paid"), HasSubstr("--column"));
}

TEST(audit_raw, is_eight_bytes_each_lowest_first) {
    batch b;
    parse(chunk_of(std::string("\x01\0\0\0\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 16)), input_form::raw,
          on_bad::stop, b);
    EXPECT_THAT(ids_of(b), ElementsAre(1, ~std::uint64_t{0}));
    EXPECT_THAT(lines_of(b), ElementsAre(1, 2));
}

TEST(audit_csv_lines, give_the_column_and_the_line_where_the_record_begins) {
    chunk c = chunk_of("a,1\n\"b\nb\",2\r\n\"c,\"\"c\"\"\",\"3\"\n,4");
    c.column = 1;
    c.lines_before = 1;
    batch b;
    parse(c, input_form::csv, on_bad::stop, b);
    EXPECT_FALSE(b.bad);
    EXPECT_THAT(ids_of(b), ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(lines_of(b), ElementsAre(2, 3, 5, 6));
    EXPECT_EQ(b.line_count, 6U);
}

TEST(audit_csv_lines, say_what_is_wrong) {
    for (const auto& [text, words] :
         {std::pair{"a\n", "too few fields: 'a'"},
          std::pair{"a,x1\n", "'x1' is no id: character 1 is no digit"}, std::pair{"a,\n", "'' is no id"},
          std::pair{"a\"b,1\n", "does not begin with one: 'a\"b,1'"},
          std::pair{"\"a\"b,1\n", "text after the closing quote"},
          std::pair{"\"a,1\n", "without its closing quote"}}) {
        chunk c = chunk_of(text);
        c.column = 1;
        batch b;
        parse(c, input_form::csv, on_bad::stop, b);
        ASSERT_TRUE(b.bad) << text;
        EXPECT_THAT(b.bad->what, HasSubstr(words));
        parse(c, input_form::csv, on_bad::skip, b);
        EXPECT_EQ(b.skipped, 1U) << text;
    }
}

}  // namespace
}  // namespace firn::audit
