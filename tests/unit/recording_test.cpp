// Recorded clocks: sample logs in their programs' true formats, signs, and what each fault says.
#include "lab/recording/read.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "lab/live/scratch.hpp"
#include "lab/recording/firn_recording.hpp"

namespace {

using namespace firn::lab;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* tracking_banner =
    "========================================================================================================"
    "=="
    "===========================\n"
    "   Date (UTC) Time     IP Address   St   Freq ppm   Skew ppm     Offset L Co  Offset sd Rem. corr. Root "
    "delay "
    "Root disp. Max. error\n"
    "========================================================================================================"
    "=="
    "===========================\n";
// The line of chrony.conf(5), in one piece.
constexpr const char* tracking_line =
    "2017-08-22 13:22:36 203.0.113.15     2     -3.541      0.075 -8.621e-06 N  2  2.940e-03 -2.084e-04  "
    "1.534e-02  3.472e-04  8.304e-03\n";
constexpr const char* statistics_line =
    "2016-08-10 05:40:50 203.0.113.15     6.261e-03 -3.247e-03  2.220e-03  1.874e-06  1.080e-06 7.8e-02  16  "
    " 0  "
    " 8  0.00\n";
constexpr std::int64_t s_ns = 1'000'000'000;

recording read(const std::string& text, const reading_options& o = {}) {
    std::istringstream in{text};
    return read_recording(in, "log", o);
}

std::string refusal(const std::string& text, const reading_options& o = {}) {
    try {
        read(text, o);
    } catch (const recording_error& e) {
        return e.what();
    }
    return "taken";
}

std::string fault_of_line(recording_format f, const std::string& line) {
    const recorded_line l = read_line(f, line);
    return l.kind == line_kind::fault ? std::to_string(l.column) + ": " + l.why : "taken";
}

TEST(recording, chrony_tracking_is_read_with_its_banners) {
    const recording r =
        read(std::string{tracking_banner} + tracking_line + tracking_banner +
             "2017-08-22 13:23:40 203.0.113.15     2     -3.541      0.075  2.500e-01 N  2  2.940e-03  "
             "0.000e+00  1.534e-02  3.472e-04  8.304e-03\n");
    EXPECT_EQ(r.format, recording_format::chrony_tracking);
    ASSERT_EQ(r.samples.size(), 2U);
    EXPECT_EQ(r.notes, 6U);
    EXPECT_EQ(r.not_understood, 0U);
    // The wall is off by the offset and by what is still to be corrected: -8.621 us + 208.4 us.
    EXPECT_EQ(r.samples[0].error_ns, 199'779);
    EXPECT_EQ(r.samples[0].true_ns, 1'503'408'156 * s_ns + 8'621);
    EXPECT_EQ(r.samples[1].error_ns, 250'000'000) << "positive is fast";
    EXPECT_EQ(r.samples[1].true_ns, 1'503'408'220 * s_ns - 250'000'000);
}

TEST(recording, chrony_tracking_of_older_versions_has_fewer_columns) {
    EXPECT_EQ(read("2009-01-02 03:04:05 192.0.2.1        3     -3.541      0.075 -1.000e-03 N\n")
                  .samples[0]
                  .error_ns,
              -1'000'000);
    EXPECT_EQ(read("2011-01-02 03:04:05 2001:db8::7      3     -3.541      0.075 -1.000e-03 +  2  1.0e-03 "
                   "-2.0e-03\n")
                  .samples[0]
                  .error_ns,
              1'000'000);
}

TEST(recording, chrony_without_a_source_says_nothing) {
    const recording r =
        read(std::string{tracking_line} +
             "2017-08-22 13:30:00 0.0.0.0          0     -3.541      0.000  0.000e+00 ?  0  0.000e+00 "
             "-2.084e-04  1.534e-02  3.472e-04  8.304e-03\n");
    EXPECT_EQ(r.samples.size(), 1U);
    EXPECT_EQ(r.unsynchronised, 1U);
}

TEST(recording, chrony_statistics_are_those_of_one_server) {
    const std::string other =
        "2016-08-10 05:40:51 PPS0             6.261e-03  9.000e-03  2.220e-03  1.874e-06  1.080e-06 7.8e-02  "
        "16   0   8\n";
    const std::string text = std::string{statistics_line} + other + statistics_line;
    const recording r = read(text);
    EXPECT_EQ(r.format, recording_format::chrony_statistics);
    EXPECT_EQ(r.source, "203.0.113.15");
    ASSERT_EQ(r.samples.size(), 2U);
    EXPECT_EQ(r.samples[0].error_ns, -3'247'000);
    EXPECT_EQ(r.of_other_sources, 1U);
    EXPECT_EQ(read(text, {.source = "PPS0"}).samples.at(0).error_ns, 9'000'000);
    EXPECT_THAT(refusal(text, {.source = "nobody"}), HasSubstr("none of its 3 records is of source nobody"));
    EXPECT_THAT(refusal(tracking_line, {.source = "x"}), HasSubstr("--source is for chrony-statistics"));
}

TEST(recording, loopstats_say_what_has_to_be_added) {
    // The line of ntpd's html/monopt.html: MJD 50935 is 1998-05-02.
    const recording r = read("50935 75440.031 0.000006019 13.778 0.000351733 0.013380 6\n");
    EXPECT_EQ(r.format, recording_format::loopstats);
    EXPECT_EQ(r.samples.at(0).error_ns, -6'019);
    EXPECT_EQ(r.samples.at(0).true_ns,
              (std::int64_t{50935 - 40587} * 86400 + 75440) * s_ns + 31'000'000 + 6'019);
}

TEST(recording, stamps_that_go_back_are_a_step) {
    const recording r = read(
        "60000 1000.000 0.000100000 13.778 0.000351733 0.013380 6\n"
        "60000 1064.000 0.000100000 13.778 0.000351733 0.013380 6\n"
        "60000 1028.000 0.000100000 13.778 0.000351733 0.013380 6\n"
        "60000 1092.000 0.000100000 13.778 0.000351733 0.013380 6\n");
    ASSERT_EQ(r.samples.size(), 4U);
    EXPECT_EQ(r.went_back, 1U);
    EXPECT_EQ(r.samples[2].true_ns - r.samples[1].true_ns, 64 * s_ns);
    EXPECT_EQ(r.samples[2].error_ns - r.samples[1].error_ns, -100 * s_ns);
    EXPECT_EQ(r.samples[3].error_ns, r.samples[2].error_ns) << "what is lost stays lost";
}

TEST(recording, noise_within_a_second_is_no_step) {
    const recording r =
        read(std::string{tracking_line} +
             "2017-08-22 13:22:36 203.0.113.15     2     -3.541      0.075  3.000e-03 N  2  2.940e-03  "
             "0.000e+00  1.534e-02  3.472e-04  8.304e-03\n");
    EXPECT_EQ(r.went_back, 0U);
    EXPECT_EQ(r.samples[1].true_ns, r.samples[0].true_ns);
    EXPECT_EQ(r.samples[1].error_ns, 3'000'000);
}

TEST(recording, firn_keeps_steady_time_across_steps_and_begins_anew_at_a_boot) {
    const std::int64_t wall = 1'800'000'000 * s_ns;
    recorded_sample s{.steady_ns = 5 * s_ns, .wall_ns = wall};
    std::string text = header_of("aa") + line_of(s);
    s.steady_ns += s_ns;
    s.wall_ns += s_ns - 50'000'000;
    text += step_line(s.steady_ns, s.wall_ns, -50'000'000) + line_of(s);
    text += header_of("aa") + line_of({.steady_ns = s.steady_ns + s_ns, .wall_ns = s.wall_ns + s_ns});
    text += header_of("bb") + line_of({.steady_ns = s_ns, .wall_ns = wall + 100 * s_ns});
    const recording r = read(text);
    EXPECT_EQ(r.format, recording_format::firn);
    ASSERT_EQ(r.samples.size(), 5U);
    EXPECT_EQ(r.samples[0].error_ns, 0);
    EXPECT_EQ(r.samples[1].error_ns, -50'000'000);
    EXPECT_EQ(r.samples[3].error_ns, -50'000'000) << "a second session of the same boot goes on";
    EXPECT_EQ(r.boots, 1U);
    EXPECT_EQ(r.samples[4].error_ns, -50'000'000) << "no step is made up across a boot";
    EXPECT_THAT(refusal("# firn recording 2\n", {.format = recording_format::firn}),
                AllOf(HasSubstr("log:1:18: "), HasSubstr("version '2'"), HasSubstr("newer firn")));
}

TEST(recording, faults_are_counted_and_the_first_is_kept) {
    const recording r = read(std::string{tracking_line} + "rubbish\n" + tracking_line +
                             "2017-08-22 13:22:36 203.0.113.15 2 -3.541 x 1 N\n");
    EXPECT_EQ(r.samples.size(), 2U);
    EXPECT_EQ(r.not_understood, 2U);
    ASSERT_TRUE(r.first_fault);
    EXPECT_EQ(r.first_fault->text(), "log:2:8: a line of tracking.log has 8, 11 or 14 columns, not 1");
    EXPECT_EQ(r.lines, 4U);
}

TEST(recording, each_fault_says_its_column) {
    using enum recording_format;
    EXPECT_THAT(fault_of_line(chrony_tracking, "2017-02-29 13:22:36 192.0.2.1 2 -3.541 0.075 -8.621e-06 N"),
                HasSubstr("1: '2017-02-29 13:22:36' is no UTC time"));
    EXPECT_EQ(fault_of_line(chrony_tracking, "2017-02-28 13:22:36 192.0.2.1 2 -3.541 0.075 -8.6e-06x N"),
              "46: '-8.6e-06x' is no offset in seconds (at most 1.9e9 either way)");
    EXPECT_THAT(fault_of_line(chrony_tracking, "2017-02-28 13:22:36 192.0.2.1 2 -3.541 0.075 nan N"),
                HasSubstr("'nan' is no offset"));
    EXPECT_THAT(fault_of_line(chrony_tracking, "2017-02-28 13:22:36 192.0.2.1 2 -3.541 0.075 1e-3 Q"),
                HasSubstr("'Q' is no leap status"));
    EXPECT_THAT(fault_of_line(loopstats, "40586 0 0 0 0 0 6"),
                HasSubstr("1: '40586' is no modified Julian day"));
    EXPECT_THAT(fault_of_line(loopstats, "799999999999999999 0 0 0 0 0 6"),
                HasSubstr("1: '799999999999999999' is no modified Julian day"));
    EXPECT_THAT(fault_of_line(loopstats, "60000 86401 0 0 0 0 6"), HasSubstr("7: '86401' is no second"));
    EXPECT_THAT(fault_of_line(loopstats, "60000 5 0 0 0 6"), HasSubstr("7 columns, not 6"));
    EXPECT_THAT(fault_of_line(firn, "sample 1 2 3"), HasSubstr("10 columns, not 4"));
    EXPECT_THAT(fault_of_line(firn, "step 1 -2 3"), HasSubstr("'-2' is no time"));
    EXPECT_THAT(fault_of_line(firn, "stop 1 2 3"), HasSubstr("1: 'stop' is no line of a recording"));
}

TEST(recording, what_is_no_recording_is_refused) {
    EXPECT_THAT(refusal(""), HasSubstr("no line of it is of chrony's tracking.log"));
    EXPECT_THAT(refusal("hello\nworld\n"), HasSubstr("--format"));
    EXPECT_EQ(refusal("hello\n", {.format = recording_format::loopstats}),
              "log:1:6: a line of loopstats has 7 columns, not 1; no line is a record of loopstats");
    EXPECT_THAT(refusal(tracking_banner, {.format = recording_format::chrony_tracking}),
                HasSubstr("there is no record in it"));
}

TEST(recording, rotated_files_are_put_in_order) {
    const firn::scratch room;
    const std::string newer = room.write("loopstats", "60001 64.000 0.0002 13.7 0.00035 0.0133 6\n");
    const std::string older = room.write("loopstats.1", "60000 64.000 0.0001 13.7 0.00035 0.0133 6\n");
    const recording r = read_recording({newer, older}, {});
    ASSERT_EQ(r.samples.size(), 2U);
    EXPECT_EQ(r.samples[0].error_ns, -100'000);
    EXPECT_EQ(r.went_back, 0U);
    EXPECT_THROW(read_recording({newer, room.write("tracking.log", tracking_line)}, {}), recording_error);
    EXPECT_THROW(read_recording({"nowhere/at/all"}, {}), recording_error);
}

}  // namespace
