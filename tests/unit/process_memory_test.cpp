#include "firn/detail/process_memory.hpp"

#include <set>

#include "firn/firn.hpp"
#include "tests/support/firn_matchers.hpp"

extern "C" unsigned long long firn_ids_of_one_library();
extern "C" unsigned long long firn_ids_of_another_library();

namespace firn {
namespace {

TEST(process_words, are_one_for_a_layout_and_machine_and_start_fresh) {
    const layout l = make_layout({.epoch_ms = 1});
    cursor_words& words = detail::process_words(l, 5);
    EXPECT_EQ(words.cursor.load(), no_slot.value);
    EXPECT_EQ(words.ceiling.load(), l.end_slot().value);
    EXPECT_EQ(&detail::process_words(l, 5), &words);
    EXPECT_NE(&detail::process_words(l, 6), &words);
    layout other = l;
    other.epoch_ms = 2;
    EXPECT_NE(&detail::process_words(other, 5), &words);
    other = l;
    other.name = "named";
    EXPECT_EQ(&detail::process_words(other, 5), &words);
    EXPECT_NE(&detail::new_process_words(l), &words);
}

// Case 19, of the kind that nobody sees coming: each library has generators of its own for one machine.
TEST(process_words, are_shared_by_shared_libraries_that_hide_their_symbols) {
    generator mine{{.machine = 42}};
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        ASSERT_TRUE(seen.insert(mine.next().value).second);
        ASSERT_TRUE(seen.insert(firn_ids_of_one_library()).second);
        ASSERT_TRUE(seen.insert(firn_ids_of_another_library()).second);
    }
}

}  // namespace
}  // namespace firn
