// The lab's commands as people and scripts call them: output, errors, exit status.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct ended {
    int status;
    std::string output;
};

/// Runs `firn ARGUMENTS` with stderr joined to stdout.
ended firn(const std::string& arguments, const std::string& before = "") {
    const std::string command = before + " " FIRN_COMMAND_PATH " " + arguments + " 2>&1";
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> chunk;
    while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe))
        output.append(chunk.data(), n);
    return {WEXITSTATUS(::pclose(pipe)), output};
}

TEST(lab_run, defaults_are_the_headline_trace_with_clamp_and_spin) {
    const ended r = firn("lab run --json");
    EXPECT_EQ(r.status, 0);
    EXPECT_EQ(
        r.output,
        "{\"offered\":1600,\"issued\":1600,\"refused\":0,\"duplicates\":0,\"restarts\":0,\"stalled_ms\":0,"
        "\"borrowed\":0,\"ahead_ms\":49,\"restart_log\":[],\"first_duplicate\":null}\n");
}

TEST(lab_run, deploy_at_may_be_repeated) {
    const ended r = firn("lab run --deploy-at 120 --deploy-at 130.5 --json");
    EXPECT_EQ(nlohmann::json::parse(r.output)["restarts"], 2);
}

TEST(lab_run, writes_records_to_standard_output) {
    const ended r = firn("lab run --duration 1 --rate 1 --records - --json");
    EXPECT_THAT(r.output, testing::StartsWith("true_ns,wall_ms,id,outcome\n0,0,28672,issued\n{"));
}

TEST(lab_run, begins_with_a_scenario_and_options_override_it) {
    EXPECT_EQ(
        nlohmann::json::parse(firn("lab run --scenario 4-b-resume --case clamp --json").output)["duplicates"],
        167);
    EXPECT_EQ(
        nlohmann::json::parse(
            firn("lab run --scenario 4-b-resume --case clamp --start-rule skip --json").output)["duplicates"],
        0);
}

TEST(lab_run, bad_arguments_are_one_line_that_names_takes_and_shows) {
    for (const char* arguments : {"--rate x",           "--rate 0",
                                  "--rate -1",          "--duration 1e3",
                                  "--policy foo",       "--probe 1.5",
                                  "--machine 1024",     "--layout 41/10/13",
                                  "--layout 41/10",     "--deploy-at x",
                                  "--start-rule maybe", "--epoch -1",
                                  "--clock wobble:1:2", "--scenario 4-b-resume",
                                  "--scenario nope",    "--case x",
                                  "--rewind ''",        "--overflow spill",
                                  "--variant lax",      "--step-at 1.0000001"}) {
        const ended r = firn(std::string{"lab run "} + arguments);
        const std::string name = std::string{arguments}.substr(0, std::string{arguments}.find(' '));
        EXPECT_EQ(r.status, 2) << arguments;
        EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << arguments << '\n' << r.output;
        EXPECT_THAT(r.output, AllOf(HasSubstr("(example: --"), testing::MatchesRegex("firn: --.*")))
            << arguments;
        if (name != "--scenario") {
            EXPECT_THAT(r.output, HasSubstr(name));
        }
    }
}

TEST(lab_run, records_that_cannot_be_written_end_with_1) {
    const ended r = firn("lab run --records /no/such/folder/x.csv");
    EXPECT_EQ(r.status, 1);
    EXPECT_THAT(r.output, HasSubstr("/no/such/folder/x.csv"));
}

TEST(lab_sweep, prints_rows_in_order_as_a_table_csv_or_json) {
    const std::string axes = "lab sweep --over rewind=10..50:40 --over policy=blind,clamp";
    const ended csv = firn(axes + " --csv");
    EXPECT_EQ(csv.status, 0);
    EXPECT_EQ(csv.output,
              "rewind,policy,offered,issued,refused,duplicates,restarts,stalled_ms,borrowed,ahead_ms\n"
              "10,blind,1600,1600,0,80,0,0,0,0\n"
              "10,clamp,1600,1600,0,0,0,0,0,9\n"
              "50,blind,1600,1600,0,400,0,0,0,0\n"
              "50,clamp,1600,1600,0,0,0,0,0,49\n");
    const ended json = firn(axes + " --json");
    const auto first = nlohmann::json::parse(json.output.substr(0, json.output.find('\n')));
    EXPECT_EQ(first["rewind"], 10);
    EXPECT_EQ(first["policy"], "blind");
    EXPECT_EQ(first["duplicates"], 80);
    EXPECT_EQ(std::count(json.output.begin(), json.output.end(), '\n'), 4);
    EXPECT_EQ(firn(axes).status, 0);
}

TEST(lab_sweep, says_what_is_wrong_before_it_runs_anything) {
    for (const char* arguments :
         {"", "--over rewind", "--over speed=1..2", "--over machine=1..2000",
          "--over rewind=1..10 --json --csv", "--over rewind=1..10 --over rewind=3"}) {
        const ended r = firn(std::string{"lab sweep "} + arguments);
        EXPECT_EQ(r.status, 2) << arguments;
        EXPECT_EQ(std::count(r.output.begin(), r.output.end(), '\n'), 1) << r.output;
    }
}

TEST(lab_fleet, measures_beside_the_prediction) {
    const ended r = firn("lab fleet --machines 8 --window 20 --fleets 4 --json");
    EXPECT_EQ(r.status, 0);
    const auto j = nlohmann::json::parse(r.output);
    EXPECT_NEAR(j["inverted_fraction"].get<double>(), j["predicted_fraction"].get<double>(), 0.001);
    EXPECT_LT(j["widest_ms"], 1);
    EXPECT_EQ(j["machine_inversions"], 0);
    EXPECT_EQ(j["ids"], 4 * 8 * 160);
    EXPECT_EQ(firn("lab fleet --machines 1025").status, 2);
    EXPECT_THAT(firn("lab fleet --over machines=2,4 --over window=5,10 --fleets 1").output,
                HasSubstr("predicted %"));
}

TEST(demo, shows_every_section_and_no_figure_differs) {
    const ended r = firn("demo");
    EXPECT_EQ(r.status, 0);
    for (int n = 1; n <= 8; ++n) EXPECT_THAT(r.output, HasSubstr("\n" + std::to_string(n) + ". "));
    EXPECT_THAT(r.output, AllOf(HasSubstr("figures are as expected"), Not(HasSubstr("DIFFERS"))));
    EXPECT_THAT(r.output, Not(HasSubstr("\033")));  // no colour into a pipe
}

TEST(demo, one_section_and_json) {
    const ended r = firn("demo --section 4 --json");
    EXPECT_EQ(r.status, 0);
    const auto j = nlohmann::json::parse(r.output);
    EXPECT_EQ(j["ok"], true);
    ASSERT_EQ(j["sections"].size(), 1U);
    EXPECT_EQ(j["sections"][0]["section"], 4);
    EXPECT_EQ(j["sections"][0]["rows"].size(), 9U);
    EXPECT_EQ(j["sections"][0]["rows"][0]["figures"]["duplicates"]["measured"], 400);  // a number
    EXPECT_EQ(firn("demo --section 10").status, 2);
}

TEST(help, has_examples) {
    for (const char* command : {"lab run", "lab sweep", "lab fleet", "demo"}) {
        const ended r = firn(std::string{command} + " --help");
        EXPECT_EQ(r.status, 0);
        EXPECT_THAT(r.output, HasSubstr("Examples:\n  firn ")) << command;
    }
}

}  // namespace
