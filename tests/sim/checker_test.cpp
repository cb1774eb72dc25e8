// The checker checked: generators that are broken on purpose, and whose damage is known by arithmetic.
#include <gmock/gmock.h>

#include "lab/run.hpp"

namespace {

using namespace firn;
using lab::judge;
using lab::scenario;
using lab::verdict;

/// Hands every `period`-th id out twice.
class stuttering_process : public lab::sequencer_process {
  public:
    stuttering_process(const scenario& s, int period) : sequencer_process(s), period_(period) {}
    outcome<id> try_next(tick wall) noexcept {
        if (have_ && ++calls_ % period_ == 0) return last_;
        const outcome<id> r = sequencer_process::try_next(wall);
        if (r) {
            last_ = *r;
            have_ = true;
        }
        return r;
    }

  private:
    int period_;
    int calls_ = 0;
    bool have_ = false;
    id last_;
};

/// Forgets to count: every id of a tick is its first one.
class stuck_process : public lab::sequencer_process {
  public:
    explicit stuck_process(const scenario& s)
        : sequencer_process(s), layout_(s.layout), machine_(s.machine) {}
    outcome<id> try_next(tick wall) noexcept {
        tick_ = wall.count;
        return layout_.encode(wall, machine_, 0);
    }
    std::int64_t position() const noexcept { return tick_; }

  private:
    layout layout_;
    std::uint64_t machine_;
    std::int64_t tick_ = -1;
};

/// Wears another machine's number now and then: no id twice here, but ids that no slot explains.
class borrowed_number_process : public lab::sequencer_process {
  public:
    explicit borrowed_number_process(const scenario& s) : sequencer_process(s) {}
    outcome<id> try_next(tick wall) noexcept {
        const outcome<id> r = sequencer_process::try_next(wall);
        if (!r || ++calls_ % 2 != 0) return r;
        return id{(*r).value ^ (std::uint64_t{1} << 12)};
    }

  private:
    int calls_ = 0;
};

TEST(checker, finds_every_repeated_id) {
    const scenario s;
    for (const int period : {2, 10, 100, 1000}) {
        const verdict v = judge(s, [&] { return stuttering_process{s, period}; });
        EXPECT_EQ(v.issued, 1600U);
        // Its first call is not counted, being the first id.
        EXPECT_EQ(v.duplicates, static_cast<std::uint64_t>(1599 / period)) << period;
    }
}

TEST(checker, says_when_the_first_one_was_issued_first) {
    const scenario s;
    const verdict v = judge(s, [&] { return stuttering_process{s, 10}; });
    ASSERT_TRUE(v.first_duplicate);
    // Calls are counted from the second request on, so the tenth counted one is request 10 (from 0).
    EXPECT_EQ(v.first_duplicate->first_ns, 9 * 125'000);
    EXPECT_EQ(v.first_duplicate->again_ns, 10 * 125'000);
}

TEST(checker, finds_a_sequence_that_does_not_count) {
    scenario s;
    s.rewind_ns = 0;
    const verdict v = judge(s, [&] { return stuck_process{s}; });
    EXPECT_EQ(v.duplicates, 200U * 7);
    EXPECT_EQ(v.first_duplicate->first_ns, 0);
    EXPECT_EQ(v.first_duplicate->again_ns, 125'000);
}

TEST(checker, counts_ids_and_not_slots) {
    const scenario s;
    EXPECT_EQ(judge(s, [&] { return borrowed_number_process{s}; }).duplicates, 0U);
}

}  // namespace
