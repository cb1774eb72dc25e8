// The text forms of a 64-bit id: known texts (computed by another implementation), the limits, what is
// rejected and where. Inputs 25 and 27 of the reports that firn's requirements rest on are in here.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "firn/codecs/base32.hpp"
#include "firn/codecs/base58.hpp"
#include "firn/codecs/base62.hpp"
#include "firn/codecs/batch.hpp"
#include "firn/codecs/forms.hpp"
#include "firn/codecs/plain.hpp"
#include "firn/text.hpp"

namespace {

using namespace firn::codecs;
using firn::text_fault;

struct known_text {
    std::uint64_t value;
    std::string_view hex, base32, bitcoin, flickr, base62;
};

constexpr std::array known_texts{known_text{0, "0000000000000000", "0000000000000", "1", "1", "0"},
                                 known_text{1, "0000000000000001", "0000000000001", "2", "2", "1"},
                                 known_text{57, "0000000000000039", "000000000001S", "z", "Z", "v"},
                                 known_text{58, "000000000000003a", "000000000001T", "21", "21", "w"},
                                 known_text{61, "000000000000003d", "000000000001X", "24", "24", "z"},
                                 known_text{62, "000000000000003e", "000000000001Y", "25", "25", "10"},
                                 known_text{1593572310593806338, "161d8192c8d7a002", "1C7C1JB4DF802",
                                            "4hYemNrAYM7", "4GxDLnRaxm7", "1tiZqAomlYg"},
                                 known_text{1050118621198921728, "0e92c5527c95b000", "0X4P5A9Y9BC00",
                                            "3SP1cVW51wM", "3ro1Buv51Wm", "1FZYNDFWXYm"},
                                 known_text{175928847299117063, "0271065ac1020007", "04W86BB0G4007",
                                            "QgmVVkniES", "pFLuuKMHer", "Czks0tP37X"},
                                 known_text{9007199254740991, "001fffffffffffff", "007ZZZZZZZZZZ",
                                            "2DLNrMSKug", "2dknRmrjUF", "fFgnDxSe7"},
                                 known_text{9007199254740992, "0020000000000000", "0080000000000",
                                            "2DLNrMSKuh", "2dknRmrjUG", "fFgnDxSe8"},
                                 known_text{9223372036854775807, "7fffffffffffffff", "7ZZZZZZZZZZZZ",
                                            "NQm6nKp8qFC", "npL6MjP8Qfc", "AzL8n0Y58m7"},
                                 known_text{9223372036854775808U, "8000000000000000", "8000000000000",
                                            "NQm6nKp8qFD", "npL6MjP8Qfd", "AzL8n0Y58m8"},
                                 known_text{18446744073709551615U, "ffffffffffffffff", "FZZZZZZZZZZZZ",
                                            "jpXCZedGfVQ", "JPwcyDCgEup", "LygHa16AHYF"}};

template <class Codec>
void expect_known(std::uint64_t value, std::string_view text) {
    EXPECT_EQ(Codec::format(value).view(), text);
    const auto p = Codec::parse(text);
    EXPECT_TRUE(p) << text << ": " << p.reason() << " at " << p.position;
    EXPECT_EQ(p.value, value) << text;
}

TEST(codecs, known_texts) {
    for (const known_text& k : known_texts) {
        expect_known<hex>(k.value, k.hex);
        expect_known<base32>(k.value, k.base32);
        expect_known<base58_bitcoin>(k.value, k.bitcoin);
        expect_known<base58_flickr>(k.value, k.flickr);
        expect_known<base62>(k.value, k.base62);
        expect_known<decimal>(k.value, std::to_string(k.value));
        EXPECT_EQ(firn::to_hex(firn::id{k.value}), k.hex);
    }
}

TEST(codecs, work_at_compile_time) {
    static_assert(base58_flickr::parse("npL6MjP8Qfc").value == 9223372036854775807);
    static_assert(base32::format(firn::id{1593572310593806338}) == "1C7C1JB4DF802");
    static_assert(!base62::parse("LygHa16AHYG"));
}

struct rejected {
    std::string_view text;
    text_fault fault;
    std::uint32_t position;
};

template <class Codec>
void expect_rejected(const rejected& r, parse_options options = {}) {
    const auto p = Codec::parse(r.text, options);
    EXPECT_FALSE(p) << "accepted \"" << r.text << '"';
    EXPECT_STREQ(p.reason(), firn::reason_of(r.fault)) << '"' << r.text << '"';
    EXPECT_EQ(p.position, r.position) << '"' << r.text << '"';
    EXPECT_EQ(p.value, 0U) << '"' << r.text << '"';
}

// Base58 wraps silently elsewhere: 2^63 and 2^64 became 0 or negative ids.
TEST(codecs, base58_does_not_wrap) {
    const parse_options is_signed{.max = max_signed};
    EXPECT_EQ(base58_flickr::parse("npL6MjP8Qfc", is_signed).value, max_signed);
    expect_rejected<base58_flickr>({"npL6MjP8Qfd", text_fault::overflow, 10}, is_signed);
    expect_rejected<base58_flickr>({"JPwcyDCgEuq", text_fault::overflow, 0}, is_signed);
    expect_rejected<base58_flickr>({"JPwcyDCgEuq", text_fault::overflow, 10});
    EXPECT_EQ(base58_flickr::parse("npL6MjP8Qfd").value, max_signed + 1);
    expect_rejected<base58_bitcoin>({"jpXCZedGfVR", text_fault::overflow, 10});
    expect_rejected<base58_bitcoin>({"NQm6nKp8qFD", text_fault::overflow, 10}, is_signed);
}

TEST(codecs, base58_rejects_other_spellings) {
    expect_rejected<base58_flickr>({"", text_fault::empty, 0});
    expect_rejected<base58_flickr>({"1npL6MjP8Qfc", text_fault::not_canonical, 0});
    expect_rejected<base58_flickr>({"11", text_fault::not_canonical, 0});
    expect_rejected<base58_flickr>({"2222222222222", text_fault::overflow, 11});
    expect_rejected<base58_flickr>({"npL6MjP8Qf0", text_fault::bad_character, 10});
    expect_rejected<base58_flickr>({"nOL6MjP8Qfc", text_fault::bad_character, 1});
    expect_rejected<base58_flickr>({"nIL6MjP8Qfc", text_fault::bad_character, 1});
    expect_rejected<base58_flickr>({"nlL6MjP8Qfc", text_fault::bad_character, 1});
    expect_rejected<base58_flickr>({" npL6MjP8Qf", text_fault::bad_character, 0});
    expect_rejected<base58_flickr>({"npL6MjP8Qf\n", text_fault::bad_character, 10});
    // There is no case folding in base 58, lenient or not.
    EXPECT_EQ(base58_flickr::parse("A", {.accept = spelling::lenient}).value, 34U);
}

TEST(codecs, base32_is_strict_unless_asked) {
    const parse_options lenient{.accept = spelling::lenient};
    expect_rejected<base32>({"1c7C1JB4DF802", text_fault::not_canonical, 1});
    expect_rejected<base32>({"1C7C1JB4DF8O2", text_fault::not_canonical, 11});
    expect_rejected<base32>({"IC7C1JB4DF802", text_fault::not_canonical, 0});
    for (const std::string_view text : {"1c7c1jb4df802", "lC7CLJB4DF8o2", "iC7CIJB4DF8O2", "1C7C1JB4DF802"})
        EXPECT_EQ(base32::parse(text, lenient).value, 1593572310593806338U) << text;
    expect_rejected<base32>({"1C7C1JB4DF8U2", text_fault::bad_character, 11}, lenient);
    expect_rejected<base32>({"1C7C1-JB4DF80", text_fault::bad_character, 5}, lenient);
    expect_rejected<base32>({"1C7C1JB4DF80", text_fault::too_short, 12}, lenient);
    expect_rejected<base32>({"01C7C1JB4DF802", text_fault::too_long, 13}, lenient);
    expect_rejected<base32>({"G000000000000", text_fault::overflow, 0}, lenient);
    expect_rejected<base32>({"FZZZZZZZZZZZZZ", text_fault::too_long, 13});
    expect_rejected<base32>({"8000000000000", text_fault::overflow, 0}, {.max = max_signed});
}

TEST(codecs, base62_and_hex_limits) {
    expect_rejected<base62>({"LygHa16AHYG", text_fault::overflow, 10});
    expect_rejected<base62>({"LygHa16AHZ0", text_fault::overflow, 9});
    expect_rejected<base62>({"100000000000", text_fault::overflow, 11});
    expect_rejected<base62>({"00", text_fault::not_canonical, 0});
    expect_rejected<base62>({"a-b", text_fault::bad_character, 1});
    expect_rejected<hex>({"00000000000000FF", text_fault::not_canonical, 14});
    expect_rejected<hex>({"ff", text_fault::too_short, 2});
    expect_rejected<hex>({"0x000000000000ff", text_fault::bad_character, 1});
    EXPECT_EQ(hex::parse("00000000000000FF", {.accept = spelling::lenient}).value, 255U);
}

// No id is spelled like this.
TEST(codecs, what_is_no_decimal_id) {
    const std::array none{rejected{"14755887168818983731200", text_fault::overflow, 19},
                          rejected{"-1", text_fault::bad_character, 0},
                          rejected{"18446744073709551616", text_fault::overflow, 19},
                          rejected{"12 ", text_fault::bad_character, 2},
                          rejected{"1e3", text_fault::bad_character, 1},
                          rejected{"", text_fault::empty, 0},
                          rejected{"+5", text_fault::bad_character, 0},
                          rejected{" 7", text_fault::bad_character, 0},
                          rejected{"0x10", text_fault::bad_character, 1},
                          rejected{"007", text_fault::not_canonical, 0}};
    for (const rejected& r : none) {
        const auto p = firn::parse_decimal(r.text);
        EXPECT_FALSE(p) << r.text;
        EXPECT_EQ(p.fault, r.fault) << r.text;
        EXPECT_FALSE(decimal::parse(r.text)) << r.text;
        EXPECT_EQ(decimal::parse(r.text).fault, r.fault) << r.text;
    }
    expect_rejected<decimal>({"18446744073709551616", text_fault::overflow, 19});
    expect_rejected<decimal>({"9223372036854775808", text_fault::overflow, 18}, {.max = max_signed});
}

TEST(codecs, batches_fill_and_drain_buffers) {
    const std::array<std::uint64_t, 4> ids{1, 1593572310593806338, 0, 18446744073709551615U};
    std::array<char, 40> out{};
    const auto w = format_many<base62>(ids, out);
    // The third would fit, but not the longest text that it might have been: room is asked for before
    // writing.
    EXPECT_EQ(std::string_view(out.data(), w.size), "1\n1tiZqAomlYg\n0\nLygHa16AHYF\n");
    EXPECT_EQ(w.count, 4U);
    std::array<char, 13> small{};
    // Two characters and eleven of room: the second text would just fit, but room is asked for the separator
    // too.
    const auto partly = format_many<base62>(ids, small);
    EXPECT_EQ(partly.count, 1U);
    EXPECT_EQ(std::string_view(small.data(), partly.size), "1\n");

    std::array<std::uint64_t, 3> three{};
    const std::string_view text = "1\n1tiZqAomlYg\n0\nLygHa16AHYF\nunfinished";
    const auto r = parse_many<base62>(text, three);
    EXPECT_TRUE(r);
    EXPECT_EQ(r.count, 3U);
    EXPECT_EQ(r.size, 16U);
    EXPECT_EQ(three[1], 1593572310593806338U);
    const auto rest = parse_many<base62>(text.substr(r.size), three);
    EXPECT_TRUE(rest);
    EXPECT_EQ(rest.count, 1U);
    EXPECT_EQ(text.substr(r.size + rest.size), "unfinished");
}

TEST(codecs, a_batch_says_where_it_went_wrong) {
    std::array<std::uint64_t, 8> values{};
    const auto r = parse_many<decimal>("12,x3,", values, ',');
    EXPECT_FALSE(r);
    EXPECT_EQ(r.count, 1U);
    EXPECT_EQ(r.size, 3U);
    EXPECT_EQ(r.position, 3U);
    EXPECT_EQ(r.fault, text_fault::bad_character);
    EXPECT_EQ(
        parse_many<base32>("1c7c1jb4df802\n", values, '\n', parse_options{.accept = spelling::lenient}).count,
        1U);
}

TEST(codecs, forms_by_name) {
    std::vector<std::string_view> texts;
    std::array<std::array<char, form_max_size>, forms.size()> room{};
    for (std::size_t i = 0; i < forms.size(); ++i) {
        const char* end = forms[i].write(1593572310593806338, room[i].data());
        texts.emplace_back(room[i].data(), static_cast<std::size_t>(end - room[i].data()));
        EXPECT_EQ(forms[i].parse(texts.back(), {}).value, 1593572310593806338U);
        EXPECT_EQ(form_named(forms[i].name), &forms[i]);
    }
    EXPECT_EQ(texts,
              (std::vector<std::string_view>{"1593572310593806338", "161d8192c8d7a002", "1C7C1JB4DF802",
                                             "4hYemNrAYM7", "4GxDLnRaxm7", "1tiZqAomlYg"}));
    EXPECT_EQ(form_named("base64"), nullptr);
    EXPECT_EQ(form_named(""), nullptr);
}

}  // namespace
