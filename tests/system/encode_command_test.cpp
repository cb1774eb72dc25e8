// `firn encode`: gives back what `firn decode` takes apart, and refuses what does not fit.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "tests/support/shell.hpp"

namespace firn {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

// cases.md, ids with known meaning.
TEST(encode, makes_the_ids_with_known_meaning) {
    EXPECT_EQ(shell("$firn encode --as twitter --time 2022-11-18T11:50:20.644Z --field datacenter=11 --field "
                    "worker=26 --field sequence=2")
                  .out,
              "1593572310593806338\n");
    EXPECT_EQ(shell("$firn encode --as twitter --time 2018-10-10T20:19:24.211Z --field machine=347").out,
              "1050118621198921728\n")
        << "10 * 32 + 27";
    EXPECT_EQ(
        shell("$firn encode --as discord --time 2016-04-30T11:18:25.796Z --field worker=1 --field sequence=7")
            .out,
        "175928847299117063\n");
}

TEST(encode, is_undone_by_decode_in_every_layout_and_form) {
    for (const layout* l : layouts::all) {
        const std::string as = " --as " + std::string{l->name.view()};
        const instant when = l->time_of(tick{1'234'567});
        const std::string fields = " --field machine=" + std::to_string(l->machine_max()) +
                                   " --field sequence=" + std::to_string(l->sequence_max());
        for (const char* form : {"decimal", "hex", "base32", "base58", "base58-flickr", "base62"}) {
            const ended e = shell("$firn encode --time " + rfc3339(when) + as + fields + " --to " + form +
                                  " | $firn decode - --json --format " + form + as);
            ASSERT_EQ(e.status, 0) << as << ' ' << form << e.err;
            const auto j = nlohmann::json::parse(e.out);
            EXPECT_EQ(j["fields"]["tick"], 1'234'567) << as;
            EXPECT_EQ(j["fields"]["machine"], l->machine_max()) << as;
            EXPECT_EQ(j["fields"]["sequence"], l->sequence_max()) << as;
        }
    }
}

TEST(encode, of_a_time_that_the_layout_does_not_have_is_an_error) {
    for (const char* time : {"2010-11-04T01:42:54.656Z", "2080-07-10T17:30:30.209Z"}) {
        const ended e = shell(std::string{"$firn encode --as twitter --time "} + time);
        EXPECT_EQ(e.status, 1) << time;
        EXPECT_THAT(e.out, IsEmpty());
        EXPECT_THAT(e.err, HasSubstr("from 2010-11-04T01:42:54.657Z to before 2080-07-10T17:30:30.209Z"));
    }
}

TEST(encode, makes_the_ids_of_other_formats_from_what_decode_shows) {
    for (const auto& [format, text] :
         {std::pair{"objectid", "507f1f77bcf86cd799439011"},
          std::pair{"uuidv7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"},
          std::pair{"ulid", "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, std::pair{"ksuid", "0ujtsYcgvSTl8PAuAdqWYSMnLOv"},
          std::pair{"xid", "9m4e2mr0ui3e8a215n4g"}}) {
        const std::string as = std::string{" --as "} + format;
        const auto j = nlohmann::json::parse(shell("$firn decode --json " + std::string{text} + as).out);
        std::string fields;
        for (const auto& [name, value] : j["fields"].items()) {
            if (name == "milliseconds" || name == "seconds" || name == "version" || name == "variant")
                continue;
            fields +=
                " --field " + name + '=' + (value.is_string() ? value.get<std::string>() : value.dump());
        }
        EXPECT_EQ(shell("$firn encode --time " + j["time"].get<std::string>() + as + fields).out,
                  std::string{text} + '\n')
            << fields;
    }
}

TEST(encode, of_other_formats_refuses_what_does_not_fit) {
    for (const char* wrong : {"random=00", "random=d6764c61efb99302bd5g", "random=d6764c61efb99302bd5b0",
                              "random", "milliseconds=5", "machine=7"}) {
        const ended e = shell(std::string{"$firn encode --as ulid --field "} + wrong);
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_THAT(e.err, HasSubstr("random (80 bits, in hex)")) << wrong;
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
    EXPECT_EQ(shell("$firn encode --as xid --field counter=16777216").status, 2);
    EXPECT_EQ(shell("$firn encode --as xid --field counter=16777215").status, 0);
    EXPECT_EQ(shell("$firn encode --as ksuid --time 2014-05-13T16:53:19Z").status, 1) << "before its epoch";
    EXPECT_EQ(shell("$firn encode --as objectid --time 2106-02-07T06:28:16Z").status, 1) << "past its end";
    EXPECT_EQ(shell("$firn encode --as ulid --to hex").status, 2);
    EXPECT_EQ(shell("$firn encode --as ulid --epoch 0").status, 2);
}

// cases.md, 14 and 17: nothing is masked, and only digits are numbers.
TEST(encode, refuses_numbers_that_do_not_fit_or_are_none) {
    for (const char* wrong :
         {"machine=1024", "worker=32", "sequence=4096", "machine=", "machine", "machine=0x10", "machine=' 7'",
          "machine=+5", "machine=-1", "shard=1", "=1", ""}) {
        const ended e =
            shell(std::string{"$firn encode --as twitter --field "} + (*wrong != 0 ? wrong : "''"));
        EXPECT_EQ(e.status, 2) << wrong;
        EXPECT_THAT(e.out, IsEmpty()) << wrong;
        EXPECT_EQ(lines_in(e.err), 1) << e.err;
    }
    EXPECT_THAT(shell("$firn encode --as 30/18/15 --epoch 0 --field machine=462146").err,
                HasSubstr("0 to 262143"));
}

}  // namespace
}  // namespace firn
