#include "lab/scenario_file.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "lab/scenario_parameters.hpp"

namespace {

using namespace firn::lab;
using testing::HasSubstr;
using testing::StartsWith;

std::string complaint_about(const std::string& text) {
    try {
        parse_scenario(text, "some/file.toml");
    } catch (const std::runtime_error& e) {
        return e.what();
    }
    return "none";
}

TEST(scenario_file, reads_base_and_case) {
    const scenario_file f = parse_scenario(R"(
        section = 4
        title = "t"
        [base]
        rate = 0.1
        deploy-at = [120, 0.5]
        policy = "refuse"
        [[case]]
        name = "one"
        policy = "blind"
        clock = ["slew:10:-5:20", "jump:1:100:2"]
        expect = { stalled_ms = "31.520", issued = 20 })",
                                           "dir/x.toml");
    EXPECT_EQ(f.name, "x");
    EXPECT_EQ(f.section, 4);
    const auto& s = std::get<scenario>(f.cases.at(0).what);
    EXPECT_EQ(s.rate, (request_rate{1, 10}));
    EXPECT_THAT(s.deploys_ns, testing::ElementsAre(120'000'000, 500'000));
    EXPECT_EQ(s.rules.rewind, firn::rewind_policy::unsafe_blind);
    EXPECT_EQ(s.clock.size(), 3U);
    EXPECT_EQ(f.cases[0].expected.at(0).name, "stalled_ms");  // the order in the file
    EXPECT_EQ(f.cases[0].expected[0].value, "31.520");
}

TEST(scenario_file, says_where_and_what_is_wrong) {
    EXPECT_THAT(complaint_about("x = "), StartsWith("some/file.toml:1: "));
    EXPECT_THAT(complaint_about("\nspeed = 3\n[[case]]\nname='a'\nexpect={issued=1}"),
                StartsWith("some/file.toml:2: there is no key 'speed'"));
    EXPECT_THAT(complaint_about("section = 2"), HasSubstr("there is no [[case]]"));
    EXPECT_THAT(complaint_about("[[case]]\nexpect={issued=1}"), HasSubstr("needs a name"));
    EXPECT_THAT(complaint_about("[[case]]\nname='a'"), HasSubstr("needs figures"));
    EXPECT_THAT(complaint_about("[base]\nrate='x'\n[[case]]\nname='a'\nexpect={issued=1}"),
                StartsWith("some/file.toml:2: rate: takes requests per ms"));
    EXPECT_THAT(complaint_about("[[case]]\nname='a'\nmachine=1024\nexpect={issued=1}"),
                HasSubstr("machine: takes 0 to 1023"));
    EXPECT_THAT(complaint_about("[[case]]\nname='a'\nspeed=1\nexpect={issued=1}"),
                HasSubstr("no such parameter; there are policy, "));
    EXPECT_THAT(complaint_about("kind='x'\n[[case]]\nname='a'\nexpect={issued=1}"),
                HasSubstr("kind takes run"));
}

TEST(scenario_file, is_found_by_its_name_in_the_study) {
    EXPECT_EQ(load_scenario("4-b-resume").title, "B resume");
    EXPECT_THROW(load_scenario("no-such-thing"), std::runtime_error);
}

TEST(parameters, every_example_is_taken) {
    scenario s;
    for (const auto& p : scenario_parameters()) EXPECT_TRUE(p.set(s, p.example)) << p.name;
    fleet_options o;
    for (const auto& p : fleet_parameters()) EXPECT_TRUE(p.set(o, p.example)) << p.name;
}

TEST(parameters, every_one_refuses_nonsense) {
    for (const auto& p : scenario_parameters()) {
        scenario s;
        for (const char* nonsense : {"", " ", "x", "-1", "1e3", "1/2", "step", "step:1", "slew:1:1:0"})
            EXPECT_FALSE(p.set(s, nonsense)) << p.name << " took '" << nonsense << "'";
    }
}

TEST(parameters, several_values_only_where_they_make_sense) {
    scenario s;
    const std::vector<std::string> two{"1", "2"};
    assign(scenario_parameters(), s, "deploy-at", two);
    EXPECT_EQ(s.deploys_ns.size(), 2U);
    assign(scenario_parameters(), s, "deploy-at", two);  // in place of those before
    EXPECT_EQ(s.deploys_ns.size(), 2U);
    EXPECT_THROW(assign(scenario_parameters(), s, "rewind", two), argument_error);
}

TEST(parameters, must_fit_together) {
    scenario s;
    s.machine = 1024;
    EXPECT_THROW(check(s), argument_error);
    s = {};
    s.layout = {.timestamp_bits = 31, .machine_bits = 0, .sequence_bits = 32};
    EXPECT_THROW(check(s), argument_error);
    s = {};
    s.clock = {{.at_ns = 0, .by_ns = -2, .over_ns = 1}};
    EXPECT_THROW(check(s), argument_error);
    s = {};
    s.arrivals = arrival_kind::random;
    s.duration_ns = 10'000'000'000'000'000;
    EXPECT_THROW(check(s), argument_error);
}

}  // namespace
