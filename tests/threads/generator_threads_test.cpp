// One generator, several threads: nothing twice, and the order that is promised. Run under ThreadSanitizer
// too.
#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <ostream>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "firn/counter_clock.hpp"
#include "firn/firn.hpp"
#include "tests/support/firn_matchers.hpp"
#include "tests/threads/crew.hpp"

namespace firn {
namespace {

using std::chrono::milliseconds;

/// Stands still but for every 64th reading, when it goes on or, now and then, back.
class restless_clock final : public clock {
  public:
    std::chrono::nanoseconds sleep_towards(tick, std::chrono::nanoseconds limit) noexcept override {
        return std::min<std::chrono::nanoseconds>(limit, std::chrono::microseconds{1});
    }

  protected:
    tick read() noexcept override {
        const std::int64_t n = readings_.fetch_add(1, std::memory_order_relaxed) / 64;
        return tick{60'000'000'000 + n - (n % 5 == 0 ? 7 : 0)};
    }

  private:
    std::atomic<std::int64_t> readings_{0};
};

enum class time_by { wall, counter, restless, frozen };

struct setting {
    const char* name;
    order ordering;
    time_by by;
    rewind_policy rewind = rewind_policy::clamp;
    overflow_policy overflow = overflow_policy::borrow;
    sequence_start start = sequence_start::zero;

    friend void PrintTo(const setting& s, std::ostream* out) { *out << s.name; }
};

std::shared_ptr<clock> make_clock(time_by by, const layout& l) {
    switch (by) {
        case time_by::wall:
            return std::make_shared<system_clock>(l);
        case time_by::counter:
            return std::make_shared<counter_clock>(l);
        case time_by::restless:
            return std::make_shared<restless_clock>();
        case time_by::frozen:
            break;
    }
    return std::make_shared<manual_clock>(tick{60'000'000'000});
}

class threads : public testing::TestWithParam<setting> {
  protected:
    generator_options options() const {
        const setting& s = GetParam();
        return {.layout = layouts::standard,
                .machine = 7,
                .rewind = s.rewind,
                .overflow = s.overflow,
                .start = s.start,
                .order = s.ordering,
                .clock = make_clock(s.by, layouts::standard),
                .unsafe_own_cursor = true};
    }
    static constexpr std::size_t each = 20'000;
};

TEST_P(threads, never_get_one_id_twice_and_each_gets_its_own_in_order) {
    generator g{options()};
    const auto got = crew(4, [&](std::size_t) { return take(g, each); });
    EXPECT_EQ(repeated(got), 0U);
    EXPECT_TRUE(each_in_order(got));
}

TEST_P(threads, mix_single_calls_and_batches) {
    generator g{options()};
    const auto got = crew(3, [&](std::size_t who) {
        std::vector<id> ids;
        std::array<id, 37> batch;
        while (ids.size() < each) {
            for (std::size_t i = 0; i < 5 + who; ++i) ids.push_back(g.next());
            g.next(batch);
            ids.insert(ids.end(), batch.begin(), batch.end());
        }
        return ids;
    });
    EXPECT_EQ(repeated(got), 0U);
    EXPECT_TRUE(each_in_order(got));
}

TEST_P(threads, of_two_generators_of_one_machine_share_the_cursor) {
    // Case 19. Two objects, one machine number, no unsafe_own_cursor: whoever made them, one cursor.
    static std::uint64_t machine = 100;
    auto o = options();
    o.machine = ++machine;
    o.unsafe_own_cursor = false;
    generator a{o};
    generator b{o};
    const auto got = crew(4, [&](std::size_t who) { return take(who % 2 == 0 ? a : b, each); });
    EXPECT_EQ(repeated(got), 0U);
    EXPECT_TRUE(each_in_order(got));
}

class strict_threads : public threads {};

TEST_P(strict_threads, see_an_id_that_was_there_before_their_call_as_smaller) {
    generator g{options()};
    std::atomic<std::uint64_t> latest{0};
    const auto violations = crew(4, [&](std::size_t) {
        int wrong = 0;
        for (std::size_t i = 0; i < each; ++i) {
            const std::uint64_t before = latest.load(std::memory_order_acquire);
            const id mine = g.next();
            wrong += mine.value <= before;
            std::uint64_t seen = before;
            if (i % 8 == 0) std::this_thread::yield();
            while (seen < mine.value &&
                   !latest.compare_exchange_weak(seen, mine.value, std::memory_order_acq_rel)) {
            }
        }
        return wrong;
    });
    EXPECT_EQ(violations, std::vector<int>(4, 0));
}

TEST_P(strict_threads, that_take_turns_are_in_one_order) {
    // No luck needed: each thread takes some ids, and the other's next one has to be larger than all of them,
    // whatever it has kept for itself.
    generator g{options()};
    std::binary_semaphore turns[] = {std::binary_semaphore{1}, std::binary_semaphore{0}};
    id latest{};
    int wrong = 0;
    const auto take_turns = [&](std::size_t who) {
        for (std::size_t round = 0; round < 500; ++round) {
            turns[who].acquire();
            for (std::size_t i = 0; i < 1 + round % 23; ++i) {
                const id mine = g.next();
                wrong += mine <= latest;
                latest = mine;
            }
            turns[1 - who].release();
        }
        return 0;
    };
    crew(2, take_turns);
    EXPECT_EQ(wrong, 0);
}

TEST_P(threads, that_call_for_the_first_time_at_once_need_no_set_up) {
    // Case 20: ten threads, each makes its own generator and takes an id; the first of all, in each round.
    static std::uint64_t machine = 200;
    for (int round = 0; round < 20; ++round) {
        auto o = options();
        o.machine = ++machine;
        o.unsafe_own_cursor = false;
        const auto got = crew(10, [&](std::size_t) {
            generator mine{o};
            return std::vector<id>{mine.next()};
        });
        ASSERT_EQ(repeated(got), 0U) << round;
    }
}

const setting strict_settings[] = {
    {"wall", order::strict, time_by::wall},
    {"counter", order::strict, time_by::counter},
    {"counter_rolling", order::strict, time_by::counter, rewind_policy::clamp, overflow_policy::borrow,
     sequence_start::rolling},
    {"frozen", order::strict, time_by::frozen},
    {"restless", order::strict, time_by::restless},
    {"restless_refuse", order::strict, time_by::restless, rewind_policy::refuse},
    {"restless_spin", order::strict, time_by::restless, rewind_policy::clamp, overflow_policy::spin}};
const setting block_settings[] = {
    {"wall", order::thread_blocks, time_by::wall},
    {"counter", order::thread_blocks, time_by::counter},
    {"counter_random", order::thread_blocks, time_by::counter, rewind_policy::clamp, overflow_policy::borrow,
     sequence_start::random},
    {"frozen", order::thread_blocks, time_by::frozen},
    {"restless", order::thread_blocks, time_by::restless},
    {"restless_refuse", order::thread_blocks, time_by::restless, rewind_policy::refuse}};

std::string name(const testing::TestParamInfo<setting>& tested) {
    return tested.param.name;
}
INSTANTIATE_TEST_SUITE_P(strict, threads, testing::ValuesIn(strict_settings), name);
INSTANTIATE_TEST_SUITE_P(blocks, threads, testing::ValuesIn(block_settings), name);
INSTANTIATE_TEST_SUITE_P(order, strict_threads, testing::ValuesIn(strict_settings), name);

TEST(lazily_made, generator_of_a_function_serves_ten_first_callers) {
    // Case 20, as it is usually written.
    const auto first = [] {
        static generator ids{{.machine = 3}};
        return ids.next();
    };
    const auto got = crew(10, [&](std::size_t) { return std::vector<id>{first()}; });
    EXPECT_EQ(repeated(got), 0U);
}

/// Whoever waits on it waits until the gate is opened; who asks for the time does not.
class gated_clock final : public clock {
  public:
    static constexpr std::int64_t start = 1'800'000'000;

    std::chrono::nanoseconds sleep_towards(tick target, std::chrono::nanoseconds limit) noexcept override {
        std::unique_lock hold(mutex_);
        waiting_ += 1;
        changed_.notify_all();
        changed_.wait(hold, [this] { return open_; });
        now_.store(target.count);
        return std::min<std::chrono::nanoseconds>(limit, std::chrono::seconds{1});
    }
    void until_somebody_waits() {
        std::unique_lock hold(mutex_);
        changed_.wait(hold, [this] { return waiting_ > 0; });
    }
    void open() {
        const std::lock_guard hold(mutex_);
        open_ = true;
        changed_.notify_all();
    }

  protected:
    tick read() noexcept override { return tick{now_.load()}; }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int waiting_ = 0;
    std::atomic<std::int64_t> now_{start};
};

TEST(case_10, while_one_call_waits_for_the_next_second_everything_else_answers) {
    constexpr layout seconds = make_layout(
        {.timestamp_bits = 35, .machine_bits = 14, .sequence_bits = 14, .tick_us = 1'000'000, .epoch_ms = 0});
    constexpr std::int64_t t0 = gated_clock::start;
    const auto c = std::make_shared<gated_clock>();
    generator g{{.layout = seconds,
                 .machine = 7,
                 .overflow = overflow_policy::spin,
                 .min_life = std::chrono::hours{0},
                 .clock = c,
                 .unsafe_own_cursor = true}};
    std::vector<id> second(1U << 14);
    g.next(second);
    auto one_more = std::async(std::launch::async, [&] { return g.next(std::chrono::minutes{1}); });
    c->until_somebody_waits();

    // No lock is held over there: each of these returns, or the test would not end. And they are quick.
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THAT(g.try_next(), fails_with(errc::tick_full, t0 + 1));
    std::array<id, 3> batch;
    EXPECT_THAT(g.try_next(batch), fails_with(errc::tick_full, t0 + 1));
    EXPECT_EQ(g.ahead(), 0);
    EXPECT_EQ(g.last_slot().tick_of(14), tick{t0});
    EXPECT_EQ(seconds.decode(second[5]).sequence, 5U);
    EXPECT_GT(g.counters().refusals, 0U);
    generator of_another_machine{{.layout = seconds,
                                  .machine = 8,
                                  .min_life = std::chrono::hours{0},
                                  .clock = c,
                                  .unsafe_own_cursor = true}};
    EXPECT_TRUE(of_another_machine.try_next());
    EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds{50});

    c->open();
    EXPECT_EQ(seconds.decode(one_more.get()), (fields{tick{t0 + 1}, 7, 0}));
}

}  // namespace
}  // namespace firn
