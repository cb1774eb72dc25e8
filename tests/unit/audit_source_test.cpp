// Inputs cut into chunks of whole records, whatever the size of the chunks, and read a second time.
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "audit/chunk_source.hpp"
#include "audit/csv.hpp"
#include "audit/error.hpp"
#include "lab/live/scratch.hpp"

namespace firn::audit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::string> chunks_of(chunk_source& source) {
    interruption stop;
    chunk c;
    std::vector<std::string> all;
    while (source.next(c, stop)) all.emplace_back(c.text());
    return all;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string all;
    for (const auto& part : parts) all += part;
    return all;
}

class audit_source : public testing::Test {
  protected:
    firn::scratch disk;
    interruption stop;
};

TEST_F(audit_source, cuts_at_line_ends_whatever_the_size) {
    const std::string text = "1\n22\n333\n4444\n55555\n6";
    const std::string path = disk.write("ids", text);
    for (std::size_t size = 1; size < text.size() + 2; ++size) {
        chunk_source source{{path}, {.chunk_bytes = size}};
        const auto parts = chunks_of(source);
        EXPECT_EQ(joined(parts), text) << size;
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) EXPECT_TRUE(parts[i].ends_with('\n')) << size;
    }
}

TEST_F(audit_source, tells_where_each_file_begins) {
    chunk_source source{{disk.write("a", "1\n2\n3\n"), disk.write("empty", ""), disk.write("b", "4\n")},
                        {.chunk_bytes = 4}};
    chunk c;
    ASSERT_TRUE(source.next(c, stop));
    EXPECT_TRUE(c.first_of_file);
    ASSERT_TRUE(source.next(c, stop));
    EXPECT_FALSE(c.first_of_file);
    EXPECT_EQ(c.file, 0U);
    ASSERT_TRUE(source.next(c, stop));
    EXPECT_TRUE(c.first_of_file);
    EXPECT_EQ(c.file, 2U);
    EXPECT_FALSE(source.next(c, stop));
}

TEST_F(audit_source, ends_a_csv_chunk_outside_of_quotes) {
    const std::string records = "\"a\n\n\"\"\n\",1\nb,2\n\"\n\n\n\",3\n";
    const std::string path = disk.write("csv", "name,id\n" + records);
    for (std::size_t size = 1; size < 40; ++size) {
        chunk_source source{{path}, {.form = input_form::csv, .column = "id", .chunk_bytes = size}};
        const auto parts = chunks_of(source);
        EXPECT_EQ(joined(parts), records) << size;
        for (const auto& part : parts) EXPECT_EQ(csv::whole_records(part), part.size()) << size;
    }
}

TEST_F(audit_source, finds_the_column_of_each_file) {
    chunk_source source{
        {disk.write("a", "\xEF\xBB\xBFid,x\n1,2\n"), disk.write("b", "\"x\n\",\"id\"\r\n3,4\n")},
        {.form = input_form::csv, .column = "id"}};
    chunk c;
    ASSERT_TRUE(source.next(c, stop));
    EXPECT_EQ(c.column, 0U);
    EXPECT_EQ(c.lines_before, 1U);
    ASSERT_TRUE(source.next(c, stop));
    EXPECT_EQ(c.column, 1U);
    EXPECT_EQ(c.lines_before, 2U);
    EXPECT_EQ(c.text(), "3,4\n");
}

TEST_F(audit_source, names_the_columns_when_there_is_no_such_one) {
    for (const auto& [text, words] :
         {std::pair{"a,b\n1,2\n", "no column is named 'id'; the header names: a, b"},
          std::pair{"id,id\n", "more than one column is named 'id'"},
          std::pair{"", "no column is named 'id'"}}) {
        const std::string path = disk.write("csv", text);
        chunk_source source{{path}, {.form = input_form::csv, .column = "id"}};
        EXPECT_THAT([&] { chunks_of(source); },
                    ThrowsMessage<failure>(AllOf(HasSubstr(path + ":1: "), HasSubstr(words))));
    }
}

TEST_F(audit_source, refuses_half_an_id) {
    chunk_source source{{disk.write("raw", "12345678abc")}, {.form = input_form::raw}};
    EXPECT_THAT([&] { chunks_of(source); },
                ThrowsMessage<failure>(HasSubstr("11 bytes are no multiple of 8")));
}

TEST_F(audit_source, refuses_a_record_without_end) {
    chunk_source source{{disk.write("long", "1\n" + std::string(100, '7'))},
                        {.chunk_bytes = 16, .record_bytes_max = 64}};
    EXPECT_THAT([&] { chunks_of(source); },
                ThrowsMessage<failure>(HasSubstr("no end of a record within 64 bytes, at byte 2;")));
}

TEST_F(audit_source, names_what_it_cannot_open) {
    chunk_source missing{{"/nowhere/ids"}, {}};
    EXPECT_THAT([&] { chunks_of(missing); },
                ThrowsMessage<failure>("cannot open /nowhere/ids: No such file or directory"));
    chunk_source directory{{disk.path().string()}, {}};
    EXPECT_THAT([&] { chunks_of(directory); }, ThrowsMessage<failure>(HasSubstr("it is a directory")));
}

TEST_F(audit_source, reads_files_again) {
    chunk_source source{{disk.write("a", "1\n2\n"), disk.write("b", "3\n")}, {.chunk_bytes = 2}};
    const auto first = chunks_of(source);
    source.rewind();
    EXPECT_EQ(chunks_of(source), first);
    EXPECT_EQ(source.bytes_read(), 6U);
    EXPECT_EQ(source.bytes_total(), 6U);
}

/// A pipe with `text` in it and its writing end closed, as a path.
class filled_pipe {
  public:
    explicit filled_pipe(const std::string& text) {
        std::array<int, 2> ends{};
        if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
        reader_ = unique_fd{ends[0]};
        const unique_fd writer{ends[1]};
        if (::write(writer.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
            throw std::runtime_error("the pipe is too small");
    }
    std::string path() const { return "/dev/fd/" + std::to_string(reader_.get()); }

  private:
    unique_fd reader_;
};

TEST_F(audit_source, reads_a_pipe_again_from_its_copy) {
    const filled_pipe pipe{"1\n2\n3\n"};
    chunk_source source{{pipe.path()},
                        {.chunk_bytes = 2, .files = {.copy_pipes = true, .spill_directory = disk.path()}}};
    EXPECT_EQ(source.bytes_total(), std::nullopt);
    EXPECT_THAT(chunks_of(source), ElementsAre("1\n", "2\n", "3\n"));
    source.rewind();
    EXPECT_THAT(chunks_of(source), ElementsAre("1\n", "2\n", "3\n"));
    EXPECT_TRUE(std::filesystem::is_empty(disk.path()));
}

TEST_F(audit_source, does_not_pretend_to_read_a_pipe_again) {
    const filled_pipe pipe{"1\n"};
    chunk_source source{{pipe.path()}, {}};
    chunks_of(source);
    source.rewind();
    EXPECT_THAT([&] { chunks_of(source); }, ThrowsMessage<failure>(HasSubstr("cannot be read twice")));
}

TEST_F(audit_source, stops_waiting_for_a_pipe_when_asked_to) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    const unique_fd reader{ends[0]};
    const unique_fd writer{ends[1]};
    input in{"/dev/fd/" + std::to_string(reader.get()), {}};
    in.open();
    std::array<char, 8> buffer{};
    std::thread asker{[&] { stop.request(); }};
    EXPECT_THROW(in.read(buffer, stop), interrupted);
    asker.join();
}

}  // namespace
}  // namespace firn::audit
