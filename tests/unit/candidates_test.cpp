#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "firn/formats/candidates.hpp"
#include "firn/rfc3339.hpp"

namespace firn::formats {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

const instant now = *parse_rfc3339("2026-12-01T00:00:00Z");

std::string best(std::string_view text) {
    const auto all = candidates(text, now);
    return all.empty() ? "none" : all.front().reading.format;
}

TEST(candidates, are_sorted_by_plausibility_and_then_by_the_length_of_the_message) {
    const auto all = candidates("1593572310593806338", now);
    ASSERT_EQ(all.size(), 10U) << "each 64-bit layout reads every number";
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_GE(all[i - 1].plausible(), all[i].plausible());
        if (all[i - 1].plausible() == all[i].plausible()) {
            EXPECT_LE(all[i - 1].bits, all[i].bits);
        }
    }
    EXPECT_TRUE(all.front().plausible());
    EXPECT_FALSE(all.back().plausible());
    EXPECT_THAT(all.back().reading.warnings, testing::Not(IsEmpty()));
}

TEST(candidates, are_implausible_in_the_future_and_before_their_kind) {
    for (const auto& c : candidates("1633725669152133120", now)) {
        if (c.reading.format == "discord") {
            EXPECT_THAT(c.reading.warnings.at(0), HasSubstr("lies in the future"));
        }
        EXPECT_EQ(c.plausible(), c.reading.warnings.empty());
    }
    for (const auto& c : candidates("175928847299117063", now))
        if (c.reading.format == "leaf") {
            EXPECT_THAT(c.reading.warnings.at(0), HasSubstr("before there were such ids"));
        }
    // The same number, asked for six years later, may be Discord's.
    bool seen = false;
    for (const auto& c : candidates("1633725669152133120", now + std::chrono::hours{24 * 365 * 6}))
        seen = seen || (c.reading.format == "discord" && c.plausible());
    EXPECT_TRUE(seen);
}

// Example objects of Discord's documentation, and of Twitter's: old ids are small in both.
TEST(candidates, put_the_ids_of_known_origin_first) {
    for (const char* discord : {"175928847299117063", "80351110224678912", "197038439483310086",
                                "81384788765712384", "162701077035089920", "290926798626357250"})
        EXPECT_EQ(best(discord), "discord") << discord;
    for (const char* twitter : {"1050118621198921728", "1593572310593806338", "1633725669152133120",
                                "1460323737035677698", "849813577770778624", "1390014133951520773"})
        EXPECT_EQ(best(twitter), "twitter") << twitter;
    EXPECT_EQ(best("109372843347212345"), "mastodon");
}

TEST(candidates, take_a_new_id_for_one_of_firns) {
    const tick at = layouts::standard.tick_of(now - std::chrono::seconds{1});
    EXPECT_EQ(best(to_decimal(layouts::standard.encode(at, 7, 0))), "standard");
}

TEST(candidates, know_a_text_by_its_form) {
    EXPECT_EQ(best("507f1f77bcf86cd799439011"), "objectid");
    EXPECT_EQ(best("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"), "uuidv7");
    EXPECT_EQ(best("01ARZ3NDEKTSV4RRFFQ69G5FAV"), "ulid");
    EXPECT_EQ(best("0ujtsYcgvSTl8PAuAdqWYSMnLOv"), "ksuid");
    EXPECT_EQ(best("9m4e2mr0ui3e8a215n4g"), "xid");
    EXPECT_EQ(best("0HPQK4X5Q2N3B"), "tsid");
}

TEST(candidates, of_what_is_no_id_there_are_none) {
    for (const char* text : {"", "12 ", "-1", "1e3", "hello", "0x10", "007", "18446744073709551616",
                             "14755887168818983731200", "a word that is long"})
        EXPECT_THAT(candidates(text, now), IsEmpty()) << text;
}

TEST(candidates, keep_to_the_form_that_is_named) {
    const auto* hex = codecs::form_named("hex");
    for (const auto& c : candidates("161d7eaa1a17a002", now, hex)) EXPECT_EQ(c.form, hex);
    EXPECT_THAT(candidates("01ARZ3NDEKTSV4RRFFQ69G5FAV", now, hex), IsEmpty());
}

TEST(candidates, of_small_numbers_have_short_messages) {
    EXPECT_EQ(detail::gamma_bits(0), 1);
    EXPECT_EQ(detail::gamma_bits(1), 3);
    EXPECT_EQ(detail::gamma_bits(2), 3);
    EXPECT_EQ(detail::gamma_bits(7), 7);
    EXPECT_EQ(detail::gamma_bits(4095), 25);
}

}  // namespace
}  // namespace firn::formats
