// The audit on more threads than there are processors: the same answer, the same error, and an end when
// asked.
#include "audit/audit.hpp"

#include <gmock/gmock.h>

#include <string>
#include <thread>

#include "audit/error.hpp"
#include "lab/live/scratch.hpp"

namespace firn::audit {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class audit_threads : public testing::Test {
  protected:
    options with(const std::string& text) {
        options o;
        o.paths = {disk.write("ids", text)};
        o.spill_directory = disk.path();
        o.plan = memory_plan{.threads = 4,
                             .chunk_bytes = 500,
                             .fan_out_bits = 4,
                             .block_keys = 16,
                             .blocks_in_memory = 20,
                             .scratch_keys = 4 * 600};
        return o;
    }

    static std::string numbers(std::uint64_t count) {
        std::string text;
        for (std::uint64_t i = 0; i < count; ++i) text += std::to_string(i) + '\n';
        return text;
    }

    firn::scratch disk;
};

TEST_F(audit_threads, find_what_one_finds) {
    const std::string text = numbers(20'000) + "77\n4\n77\n";
    for (int round = 0; round < 5; ++round) {
        interruption stop;
        const report r = run(with(text), stop);
        EXPECT_EQ(r.ids, 20'003U);
        EXPECT_EQ(r.duplicates, 3U);
        EXPECT_GT(r.spilled_bytes, 0U);
        ASSERT_EQ(r.repeats.size(), 2U);
        EXPECT_EQ(r.repeats[1].id, 77U);
        ASSERT_EQ(r.repeats[1].places.size(), 3U);
        EXPECT_EQ(r.repeats[1].places[0].line, 78U);
        EXPECT_EQ(r.repeats[1].places[2].line, 20'003U);
    }
}

TEST_F(audit_threads, report_the_first_error_of_the_input) {
    const std::string text =
        numbers(2000) + "first\n" + numbers(1000) + "second\n" + numbers(1000) + "third\n";
    for (int round = 0; round < 20; ++round) {
        interruption stop;
        EXPECT_THAT([&] { run(with(text), stop); }, ThrowsMessage<failure>(HasSubstr("ids:2001: 'first'")));
    }
}

TEST_F(audit_threads, report_an_error_before_the_file_that_cannot_be_opened) {
    options o = with(numbers(2000) + "first\n");
    o.paths.push_back("/nowhere/ids");
    for (int round = 0; round < 20; ++round) {
        interruption stop;
        EXPECT_THAT([&] { run(o, stop); }, ThrowsMessage<failure>(HasSubstr("'first'")));
    }
}

TEST_F(audit_threads, end_when_the_disk_does) {
    options o = with(numbers(20'000));
    o.spill_directory = "/nowhere";
    interruption stop;
    EXPECT_THAT([&] { run(o, stop); }, ThrowsMessage<failure>(HasSubstr("cannot make a temporary file")));
}

TEST_F(audit_threads, end_when_asked_to) {
    options o = with(numbers(20'000));
    progress so_far;
    o.progress_to = &so_far;
    interruption stop;
    std::thread asker{[&] {
        while (so_far.done.load() == 0) std::this_thread::yield();
        stop.request();
    }};
    // It may have been done before it was asked; then it has the whole answer.
    try {
        EXPECT_EQ(run(o, stop).ids, 20'000U);
    } catch (const interrupted&) {
        EXPECT_TRUE(stop.requested());
    }
    asker.join();
}

}  // namespace
}  // namespace firn::audit
