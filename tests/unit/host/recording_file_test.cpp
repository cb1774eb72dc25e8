// The file of `firn watch`: what it continues, what it refuses, and that it never has half a line.
#include "host/recording_file.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/resource.h>

#include <fstream>
#include <sstream>

#include "lab/live/scratch.hpp"
#include "lab/recording/read.hpp"

namespace firn::host {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

const std::string boot(32, 'a');
const std::string another_boot(32, 'b');
const std::string unknown_boot(32, '0');

std::string content_of(const std::string& path) {
    std::ostringstream all;
    all << std::ifstream{path, std::ios::binary}.rdbuf();
    return all.str();
}

std::string sample(std::int64_t second) {
    return lab::line_of({.steady_ns = second * 1'000'000'000, .wall_ns = 1'700'000'000'000'000'000 + second});
}

std::string refusal(const std::string& path) {
    try {
        recording_file file{path, boot};
    } catch (const lab::recording_error& e) {
        return e.what();
    }
    return "taken";
}

TEST(recording_file, begins_with_a_header_and_is_read_back) {
    const scratch room;
    const std::string path = (room / "clock.rec").string();
    recording_file file{path, boot};
    file.append(sample(1));
    EXPECT_EQ(content_of(path), lab::header_of(boot) + sample(1)) << "written before it is closed";
    file.append(sample(2));
    file.close();
    EXPECT_EQ(lab::read_recording({path}, {}).samples.size(), 2U);
}

TEST(recording_file, goes_on_in_the_same_boot_from_its_last_record) {
    const scratch room;
    const std::string path = room.write("clock.rec", lab::header_of(boot) + sample(1) + sample(2));
    recording_file file{path, boot};
    EXPECT_EQ(file.records_before(), 2U);
    ASSERT_TRUE(file.last().has_value());
    EXPECT_EQ(file.last()->steady_ns, 2'000'000'000);
    EXPECT_FALSE(file.cut_half_line());
    file.append(sample(3));
    file.close();
    const lab::recording all = lab::read_recording({path}, {});
    EXPECT_EQ(all.samples.size(), 3U);
    EXPECT_EQ(all.boots, 0U);
}

TEST(recording_file, another_boot_is_another_session) {
    const scratch room;
    const std::string path = room.write("clock.rec", lab::header_of(another_boot) + sample(9));
    recording_file file{path, boot};
    EXPECT_FALSE(file.last().has_value());
    file.append(sample(1));
    file.close();
    const lab::recording all = lab::read_recording({path}, {});
    EXPECT_EQ(all.samples.size(), 2U);
    EXPECT_EQ(all.boots, 1U);
}

TEST(recording_file, an_unknown_boot_may_be_any) {
    const scratch room;
    const std::string path = room.write("clock.rec", lab::header_of(unknown_boot) + sample(9));
    EXPECT_FALSE((recording_file{path, unknown_boot}.last().has_value()));
}

TEST(recording_file, a_line_without_its_end_is_cut_off) {
    const scratch room;
    const std::string whole = lab::header_of(boot) + sample(1);
    const std::string path = room.write("clock.rec", whole + "sample 2000000000 17000000");
    recording_file file{path, boot};
    EXPECT_TRUE(file.cut_half_line());
    EXPECT_EQ(content_of(path), whole + lab::header_of(boot));
}

TEST(recording_file, leaves_alone_what_is_none) {
    const scratch room;
    for (const std::string text : {"MACHINE=7\n", "no end", "\n", "# firn recording\n"}) {
        const std::string path = room.write("other", text);
        EXPECT_THAT(refusal(path), HasSubstr("is no recording of firn's"));
        EXPECT_EQ(content_of(path), text);
    }
    const std::string newer = room.write("newer", "# firn recording 2\nboot 0\n");
    EXPECT_THAT(refusal(newer), HasSubstr("use a newer firn"));
    EXPECT_EQ(content_of(newer), "# firn recording 2\nboot 0\n");
    EXPECT_THAT(refusal((room / "no/such/clock.rec").string()), EndsWith("No such file or directory"));
    EXPECT_THAT(refusal(room.path().string()), EndsWith("Is a directory"));
}

TEST(recording_file, one_process_writes_it_at_a_time) {
    const scratch room;
    const std::string path = (room / "clock.rec").string();
    const recording_file first{path, boot};
    EXPECT_THAT(refusal(path), HasSubstr("another process is recording into it"));
}

TEST(recording_file, a_full_device_is_an_error) {
    EXPECT_THAT(refusal("/dev/full"), StartsWith("/dev/full: cannot be written: No space left"));
}

/// Files of this process may not grow beyond `bytes`: as a full disk, the last write is cut.
class limited_files {
  public:
    explicit limited_files(std::size_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        signal_ = ::signal(SIGXFSZ, SIG_IGN);
        const rlimit now{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    limited_files(const limited_files&) = delete;
    limited_files& operator=(const limited_files&) = delete;
    ~limited_files() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        ::signal(SIGXFSZ, signal_);
    }

  private:
    rlimit before_{};
    sighandler_t signal_ = SIG_DFL;
};

TEST(recording_file, half_a_line_that_was_written_is_taken_back) {
    const scratch room;
    const std::string path = (room / "clock.rec").string();
    const std::string whole = lab::header_of(boot) + sample(1);
    for (std::size_t more = 0; more < sample(2).size(); ++more) {
        std::filesystem::remove(path);
        recording_file file{path, boot};
        file.append(sample(1));
        std::string why = "taken";
        {
            const limited_files none{whole.size() + more};
            try {
                file.append(sample(2));
            } catch (const lab::recording_error& e) {
                why = e.what();
            }
        }
        EXPECT_THAT(why, HasSubstr("cannot be written: File too large"));
        EXPECT_EQ(content_of(path), whole) << more;
    }
}

}  // namespace
}  // namespace firn::host
