// Every figure of the study, by name: the scenario files are the table of what each must be. Each failure
// prints the command that runs it alone.
#include "lab/study.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <vector>

#include "firn/text.hpp"
#include "lab/run.hpp"

namespace {

using namespace firn;
using namespace firn::lab;

struct one_case {
    const scenario_file* file;
    const scenario_case* of;
};

std::vector<one_case> all_cases() {
    std::vector<one_case> cases;
    for (const scenario_file& file : builtin_scenarios())
        for (const scenario_case& c : file.cases) cases.push_back({&file, &c});
    return cases;
}

std::string name_of_case(const one_case& c) {
    std::string name = c.file->name + "_" + c.of->name;
    for (char& each : name)
        if (std::isalnum(static_cast<unsigned char>(each)) == 0) each = '_';
    return name;
}

void PrintTo(const one_case& c, std::ostream* out) {
    *out << replay_command(*c.file, *c.of);
}

class study : public testing::TestWithParam<one_case> {};

TEST_P(study, figures_are_as_expected) {
    const auto& [file, of] = GetParam();
    const figures measured = measure(*of);
    for (const expectation& e : of->expected) {
        const checked_figure f = check_figure(measured, e);
        EXPECT_TRUE(f.ok) << f.name << " is " << f.measured << ", expected " << f.expected
                          << "\nreplay: " << replay_command(*file, *of);
    }
}

INSTANTIATE_TEST_SUITE_P(scenarios, study, testing::ValuesIn(all_cases()),
                         [](const auto& each) { return name_of_case(each.param); });

TEST(study_files, all_are_part_of_the_program) {
    std::set<std::string> on_disk;
    for (const auto& entry : std::filesystem::directory_iterator{FIRN_SCENARIOS})
        if (entry.path().extension() == ".toml") on_disk.insert(entry.path().stem().string());
    std::set<std::string> built_in;
    for (const scenario_file& file : builtin_scenarios()) built_in.insert(file.name);
    EXPECT_EQ(on_disk, built_in);
}

TEST(study_files, every_section_has_scenarios_and_the_demo_finds_them_right) {
    for (int n = 1; n <= study_sections; ++n) EXPECT_TRUE(run_section(n).ok()) << "section " << n;
}

// What the tables do not say in a figure.

TEST(study_text, the_first_collision_is_ms_50_machine_7_sequence_0) {
    const layout l{};
    const fields f = l.decode(id{209743872});
    EXPECT_EQ(f.tick, tick{50});
    EXPECT_EQ(f.machine, 7U);
    EXPECT_EQ(f.sequence, 0U);
}

TEST(study_text, the_stall_at_81_is_35_81sts_of_a_millisecond) {
    scenario s;
    s.rate = {81, 1};
    const verdict v = run(s);
    EXPECT_EQ(v.stalled_ns, (35 * ns_per_ms + 80) / 81);
}

TEST(study_text, refusals_are_rate_times_rewind_less_one) {
    for (const std::int64_t rewind : {1, 2, 5, 10, 50}) {
        scenario s;
        s.rules.rewind = rewind_policy::refuse;
        s.rewind_ns = rewind * ns_per_ms;
        EXPECT_EQ(run(s).refused, static_cast<std::uint64_t>(8 * (rewind - 1)));
    }
}

TEST(study_text, a_rewind_is_free_while_rate_times_rewind_plus_one_fits_the_sequence) {
    for (const std::int64_t rate : {20, 63, 64, 65, 100, 128, 200}) {
        for (const std::int64_t rewind : {2, 15, 31, 32, 40, 63, 64}) {
            scenario s;
            s.rate = {rate, 1};
            s.rewind_ns = rewind * ns_per_ms;
            EXPECT_EQ(run(s).stalled_ns == 0, rate * (rewind + 1) <= 4096) << rate << " × " << rewind;
        }
    }
}

TEST(study_text, free_running_is_in_phase_at_multiples_of_512_only) {
    for (std::int64_t deploy = 600; deploy < 800; ++deploy) {
        scenario s;
        s.rules.rewind = rewind_policy::unsafe_blind;
        s.rules.variant = decision_variant::free_running;
        s.duration_ns = 1000 * ns_per_ms;
        s.step_at_ns = 600 * ns_per_ms;
        s.rewind_ns = 200 * ns_per_ms;
        s.deploys_ns = {deploy * ns_per_ms};
        EXPECT_EQ(run(s).duplicates,
                  (deploy - 200) % 512 == 0 ? static_cast<std::uint64_t>(800 - deploy) * 8 : 0)
            << deploy;
    }
}

}  // namespace
