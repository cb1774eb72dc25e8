#include "firn/generator.hpp"

#include <array>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/firn_matchers.hpp"

namespace firn {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::AllOf;
using testing::HasSubstr;

constexpr layout epoch0 = make_layout({});
constexpr std::int64_t t0 = 1'000'000;

std::shared_ptr<manual_clock> clock_at(std::int64_t t) {
    return std::make_shared<manual_clock>(tick{t});
}

/// Options for a generator that shares its cursor with no other test.
generator_options with(std::shared_ptr<clock> c) {
    return {.layout = epoch0, .machine = 7, .clock = std::move(c), .unsafe_own_cursor = true};
}

fields fields_of(const outcome<id>& r) {
    return epoch0.decode(r.value());
}

// ---- making one ----

TEST(generator, without_a_machine_number_refuses_and_says_why) {
    EXPECT_THAT([] { generator g{{}}; },
                throws(errc::machine_out_of_range, AllOf(HasSubstr("no machine number given"),
                                                         HasSubstr("0 to 1023"), HasSubstr("set .machine"))));
}

TEST(generator, refuses_options_that_make_no_sense) {
    const auto made = [](auto change) {
        return [change] {
            generator_options o = with(clock_at(t0));
            change(o);
            generator g{o};
        };
    };
    EXPECT_THAT(made([](auto& o) { o.machine = 1024; }),
                throws(errc::machine_out_of_range, HasSubstr("machine 1024 does not fit")));
    EXPECT_THAT(made([](auto& o) { o.layout.sequence_bits = 13; }), throws(errc::bad_layout));
    EXPECT_THAT(made([](auto& o) { o.rewind = rewind_policy::unsafe_blind; }),
                throws(errc::bad_policy, HasSubstr("use clamp or refuse")));
    EXPECT_THAT(made([](auto& o) { o.ahead_max = milliseconds{-1}; }),
                throws(errc::bad_policy, HasSubstr("ahead_max")));
    EXPECT_THAT(made([](auto& o) { o.clock = clock_at(-1); }), throws(errc::epoch_in_future));
    EXPECT_THAT(made([](auto& o) { o.clock = clock_at(std::int64_t{1} << 41); }), throws(errc::life_ended));
    EXPECT_THAT(made([](auto& o) { o.clock = clock_at((std::int64_t{1} << 41) - 1); }),
                throws(errc::life_ends_soon));
    EXPECT_NO_THROW(made([](auto& o) {
        o.clock = clock_at((std::int64_t{1} << 41) - 1);
        o.min_life = hours{0};
    })());
}

TEST(generator, whose_layout_is_a_constant_makes_the_same_ids) {
    const auto c = clock_at(t0);
    generator a{{.layout = layouts::twitter, .machine = 7, .clock = c, .unsafe_own_cursor = true}};
    static_generator<layouts::twitter> b{{.machine = 7, .clock = c, .unsafe_own_cursor = true}};
    for (int i = 0; i < 10'000; ++i) {
        if (i % 3000 == 0) c->set(tick{t0 + i});
        ASSERT_EQ(a.try_next().value(), b.try_next().value());
    }
    EXPECT_EQ(b.layout_of(), layouts::twitter);
}

/// Made before what the headers have to be made, as another file's static object may be.
struct made_early {
    made_early() {
        static generator ids{{.machine = 2, .order = order::thread_blocks}};
        first = ids.next();
        second = ids.next();
    }
    id first;
    id second;
};
[[gnu::init_priority(200)]] const made_early before_main;

TEST(generator, may_be_made_and_used_before_main) {
    EXPECT_LT(before_main.first, before_main.second);
}

// ---- handing out ----

TEST(generator, counts_within_a_tick_and_starts_again_in_the_next) {
    const auto c = clock_at(t0);
    generator g{with(c)};
    EXPECT_EQ(fields_of(g.try_next()), (fields{tick{t0}, 7, 0}));
    EXPECT_EQ(fields_of(g.try_next()), (fields{tick{t0}, 7, 1}));
    c->set(tick{t0 + 1});
    EXPECT_EQ(fields_of(g.try_next()), (fields{tick{t0 + 1}, 7, 0}));
    EXPECT_EQ(g.machine(), 7U);
    EXPECT_EQ(g.layout_of(), epoch0);
}

TEST(generator, borrows_the_next_tick_when_one_is_full_and_says_how_far_it_is_ahead) {
    const auto c = clock_at(t0);
    generator g{with(c)};
    for (int i = 0; i < 4096; ++i) ASSERT_EQ(fields_of(g.try_next()).tick, tick{t0});
    EXPECT_LE(g.ahead(), 1) << "the thread's block may reach into the next tick already";
    EXPECT_EQ(fields_of(g.try_next()), (fields{tick{t0 + 1}, 7, 0}));
    EXPECT_EQ(g.ahead(), 1);
    c->set(tick{t0 + 5});
    EXPECT_EQ(g.ahead(), 0);
}

TEST(generator, refuses_past_ahead_max_and_says_by_how_much) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.ahead_max = milliseconds{2};
    generator g{o};
    std::vector<id> three_ticks(4096 * 3);
    g.next(three_ticks);
    EXPECT_EQ(epoch0.decode(three_ticks.back()), (fields{tick{t0 + 2}, 7, 4095}));
    EXPECT_THAT(g.try_next(), fails_with(errc::ahead_limit, 3));
    c->set(tick{t0 - 50});
    EXPECT_THAT(g.try_next(), fails_with(errc::ahead_limit, 53));
    c->set(tick{t0 + 1});
    EXPECT_EQ(fields_of(g.try_next()), (fields{tick{t0 + 3}, 7, 0}));
}

TEST(generator, ahead_max_is_kept_in_whole_ticks_of_the_layout) {
    layout seconds = epoch0;
    seconds.tick_us = 1'000'000;
    const auto c = clock_at(t0);
    generator g{{.layout = seconds,
                 .machine = 7,
                 .ahead_max = milliseconds{1999},
                 .clock = c,
                 .unsafe_own_cursor = true}};
    std::vector<id> two_ticks(4096 * 2);
    g.next(two_ticks);
    EXPECT_THAT(g.try_next(), fails_with(errc::ahead_limit, 2));
}

TEST(generator, at_the_end_of_life_says_exhausted_and_never_wraps) {
    const auto c = clock_at((std::int64_t{1} << 41) - 1);
    auto o = with(c);
    o.min_life = hours{0};
    generator g{o};
    id last;
    for (int i = 0; i < 4096; ++i) last = g.try_next().value();
    EXPECT_EQ(last.value >> 63, 0U);
    EXPECT_EQ(epoch0.decode(last), (fields{tick{(std::int64_t{1} << 41) - 1}, 7, 4095}));
    for (const std::int64_t later : {0, 1, 1000}) {
        c->set(tick{(std::int64_t{1} << 41) - 1 + later});
        EXPECT_THAT(g.try_next(), fails_with(errc::exhausted));
        EXPECT_THAT([&] { g.next(); }, throws(errc::exhausted, HasSubstr("exhausted")));
    }
    c->set(tick{5});
    EXPECT_THAT(g.try_next(), testing::AnyOf(fails_with(errc::exhausted), fails_with(errc::ahead_limit)));
}

TEST(generator, goes_on_through_a_wall_before_the_epoch) {
    const auto c = clock_at(10);
    generator g{with(c)};
    const id before = g.next();
    c->set(tick{-10});
    EXPECT_GT(g.try_next().value(), before);
    EXPECT_EQ(g.ahead(), 20);
}

// ---- batches ----

TEST(batch, fills_the_span_with_neighbouring_slots) {
    generator g{with(clock_at(t0))};
    std::vector<id> ids(10'000);
    EXPECT_EQ(g.try_next(ids).value(), ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const fields f = epoch0.decode(ids[i]);
        ASSERT_EQ(slot::at(f.tick, f.sequence, 12).value, (t0 << 12) + static_cast<std::int64_t>(i));
        ASSERT_EQ(f.machine, 7U);
    }
    EXPECT_GT(g.next(), ids.back());
}

TEST(batch, of_none_is_none_and_changes_nothing) {
    generator g{with(clock_at(t0))};
    EXPECT_EQ(g.try_next(std::span<id>{}).value(), 0U);
    g.next(std::span<id>{});
    EXPECT_EQ(g.last_slot(), no_slot);
}

TEST(batch, is_shorter_when_spin_meets_the_end_of_the_tick) {
    auto o = with(clock_at(t0));
    o.overflow = overflow_policy::spin;
    generator g{o};
    std::vector<id> ids(5000, id{~std::uint64_t{0}});
    EXPECT_EQ(g.try_next(ids).value(), 4096U);
    EXPECT_EQ(ids[4096], id{~std::uint64_t{0}}) << "what was not claimed is not written";
    EXPECT_THAT(g.try_next(ids), fails_with(errc::tick_full, t0 + 1));
    EXPECT_EQ(ids[0], id{std::uint64_t{t0} << 22 | 7 << 12});
}

TEST(batch, is_shorter_when_ahead_max_is_near) {
    auto o = with(clock_at(t0));
    o.ahead_max = milliseconds{1};
    generator g{o};
    std::vector<id> ids(10'000);
    EXPECT_EQ(g.try_next(ids).value(), 8192U);
    EXPECT_THAT([&] { g.next(ids); }, throws(errc::ahead_limit));
}

TEST(batch, that_waits_fills_all_of_a_span_that_is_larger_than_a_tick) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.overflow = overflow_policy::spin;
    generator g{o};
    std::vector<id> ids(4096 * 3 + 5);
    g.next(ids);
    EXPECT_EQ(c->now(), tick{t0 + 3});
    for (std::size_t i = 1; i < ids.size(); ++i) ASSERT_LT(ids[i - 1], ids[i]);
    EXPECT_EQ(epoch0.decode(ids.back()), (fields{tick{t0 + 3}, 7, 4}));
    EXPECT_EQ(g.counters().waits, 1U);
    EXPECT_EQ(g.counters().longest_wait_ns, 3'000'000);
}

// ---- waiting ----

TEST(next, waits_for_the_tick_that_spin_names) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.overflow = overflow_policy::spin;
    generator g{o};
    for (int i = 0; i < 4096; ++i) g.next();
    EXPECT_EQ(g.counters().waits, 0U);
    EXPECT_EQ(epoch0.decode(g.next()), (fields{tick{t0 + 1}, 7, 0}));
    EXPECT_EQ(g.counters().waits, 1U);
    EXPECT_EQ(g.counters().longest_wait_ns, 1'000'000);
}

TEST(next, waits_out_a_small_rewind_under_refuse) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.rewind = rewind_policy::refuse;
    generator g{o};
    const id before = g.next();
    c->set(tick{t0 - 7});
    EXPECT_THAT(g.try_next(), fails_with(errc::clock_rewound, 7));
    const id after = g.next();
    EXPECT_GT(after, before);
    EXPECT_EQ(c->now(), tick{t0});
    EXPECT_EQ(g.counters().longest_wait_ns, 7'000'000);
}

TEST(next, gives_up_at_its_limit_with_the_cause_and_leaves_everything_as_it_was) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.rewind = rewind_policy::refuse;
    generator g{o};
    const id before = g.next();
    c->set(tick{t0 - 1000});
    EXPECT_THAT([&] { g.next(milliseconds{100}); },
                throws(errc::deadline,
                       AllOf(HasSubstr("within the wait limit of 100 ms"), HasSubstr("900 ticks less"))));
    EXPECT_EQ(c->now(), tick{t0 - 900}) << "it waited as long as it was allowed to";
    c->set(tick{t0});
    EXPECT_EQ(g.next().value, before.value + 1);
}

TEST(next, with_no_time_left_does_not_wait) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.rewind = rewind_policy::refuse;
    generator g{o};
    g.next();
    c->set(tick{t0 - 1});
    EXPECT_THAT([&] { g.next(nanoseconds{0}); }, throws(errc::deadline));
    EXPECT_THAT([&] { g.next(nanoseconds{-5}); }, throws(errc::deadline));
    using steady = std::chrono::steady_clock;
    EXPECT_THAT([&] { g.next(steady::now() - hours{1}); }, throws(errc::deadline));
    EXPECT_THAT([&] { g.next(steady::time_point::min()); }, throws(errc::deadline));
    EXPECT_EQ(c->now(), tick{t0 - 1});
    EXPECT_NO_THROW(g.next(steady::time_point::max()));
}

TEST(next, with_no_time_left_still_takes_an_id_that_is_there) {
    generator g{with(clock_at(t0))};
    EXPECT_NO_THROW(g.next(nanoseconds{0}));
    EXPECT_NO_THROW(g.next(std::chrono::steady_clock::time_point::min()));
}

TEST(next, does_not_wait_for_what_no_caller_would_bear) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.ahead_max = milliseconds{5};
    generator g{o};
    g.next();
    c->set(tick{t0 - 100});
    EXPECT_THAT([&] { g.next(hours{24}); }, throws(errc::ahead_limit, HasSubstr("100 ticks ahead")));
    EXPECT_EQ(c->now(), tick{t0 - 100});
    EXPECT_EQ(g.counters().waits, 0U);
}

TEST(generator, counts_its_refusals) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.rewind = rewind_policy::refuse;
    generator g{o};
    (void)g.try_next();
    EXPECT_EQ(g.counters().refusals, 0U);
    c->set(tick{t0 - 1});
    (void)g.try_next();
    (void)g.try_next();
    EXPECT_EQ(g.counters().refusals, 2U);
}

// ---- a call that fails changes no state ----

TEST(generator, goes_on_after_any_refusal_as_if_it_had_not_been_asked) {
    for (const auto ordering : {order::strict, order::thread_blocks})
        for (const auto overflow : {overflow_policy::borrow, overflow_policy::spin}) {
            const auto asked = clock_at(t0);
            const auto left_alone = clock_at(t0);
            auto o = with(asked);
            o.rewind = rewind_policy::refuse;
            o.overflow = overflow;
            o.order = ordering;
            generator a{o};
            o.clock = left_alone;
            generator b{o};
            for (int i = 0; i < 1000; ++i) {
                const std::int64_t now = t0 + i / 7;
                if (i % 3 == 0) {
                    asked->set(tick{now - 5});
                    if (i > 0) {
                        ASSERT_THAT(a.try_next(), fails_with(errc::clock_rewound));
                    }
                }
                asked->set(tick{now});
                left_alone->set(tick{now});
                ASSERT_EQ(a.try_next().value(), b.try_next().value()) << i;
            }
        }
}

// ---- one cursor for a machine (case 19: a second generator shares it) ----

TEST(generator, of_the_same_machine_in_one_process_shares_the_cursor) {
    const auto c = clock_at(t0);
    const generator_options o{.layout = epoch0, .machine = 19, .clock = c};
    generator first{o};
    generator second{o};
    std::set<id> seen;
    id before{};
    for (int i = 0; i < 10'000; ++i) {
        const id one = (i % 3 == 0 ? first : second).next();
        ASSERT_LT(before, one) << "one order for both";
        before = one;
    }
    EXPECT_EQ(first.last_slot(), second.last_slot());
}

TEST(generator, goes_on_where_one_that_is_gone_has_stopped) {
    const auto c = clock_at(t0);
    const generator_options o{.layout = epoch0, .machine = 20, .clock = c};
    id last{};
    for (int i = 0; i < 100; ++i) {
        generator g{o};
        const id one = g.next();
        ASSERT_LT(last, one);
        last = one;
        c->set(tick{t0 - i});
    }
}

TEST(generator, under_another_name_of_its_layout_shares_the_cursor) {
    layout renamed = epoch0;
    renamed.name = "mine";
    renamed.machine_parts = {{{"rack", 4}, {"slot", 6}, {}}};
    const auto c = clock_at(t0);
    generator a{{.layout = epoch0, .machine = 21, .clock = c}};
    generator b{{.layout = renamed, .machine = 21, .clock = c}};
    const id first = a.next();
    EXPECT_LT(first, b.next());
}

TEST(generator, of_another_machine_or_layout_has_its_own_cursor) {
    const auto c = clock_at(t0);
    generator a{{.layout = epoch0, .machine = 22, .clock = c}};
    generator b{{.layout = epoch0, .machine = 23, .clock = c}};
    generator d{{.layout = layouts::twitter, .machine = 22, .clock = c}};
    (void)a.next();
    EXPECT_EQ(b.last_slot(), no_slot);
    EXPECT_EQ(d.last_slot(), no_slot);
    EXPECT_EQ(epoch0.decode(b.next()).sequence, 0U);
}

// ---- another generator of the machine was faster ----

/// Reads `readings` one after the other, and the last for ever; calls `between` after the first.
class scripted_clock final : public clock {
  public:
    explicit scripted_clock(std::vector<std::int64_t> readings) : readings_(std::move(readings)) {}
    std::function<void()> between = [] {};
    std::chrono::nanoseconds sleep_towards(tick, nanoseconds) noexcept override { return nanoseconds{0}; }

  protected:
    tick read() noexcept override {
        const std::int64_t now = readings_[std::min(at_, readings_.size() - 1)];
        if (at_++ == armed_at) between();
        return tick{now};
    }

  public:
    std::size_t armed_at = 1;

  private:
    std::vector<std::int64_t> readings_;
    std::size_t at_ = 0;
};

TEST(refuse, does_not_take_a_faster_thread_for_a_rewind) {
    for (const auto ordering : {order::strict, order::thread_blocks}) {
        const std::uint64_t machine = ordering == order::strict ? 24 : 25;
        // This one reads t0 and, before it comes to the cursor, the other has read t0 + 1 and been there.
        const auto slow = std::make_shared<scripted_clock>(std::vector<std::int64_t>{t0, t0, t0 + 1});
        const generator_options o{
            .layout = epoch0, .machine = machine, .rewind = rewind_policy::refuse, .order = ordering};
        auto of_slow = o;
        of_slow.clock = slow;
        auto of_fast = o;
        of_fast.clock = clock_at(t0 + 1);
        generator a{of_slow};  // makes the first reading
        generator b{of_fast};
        slow->between = [&] { (void)b.try_next(); };
        EXPECT_EQ(fields_of(a.try_next()), (fields{tick{t0 + 1}, machine, 1}));
        EXPECT_EQ(a.counters().refusals, 0U);
    }
}

TEST(refuse, still_refuses_when_the_wall_itself_is_behind) {
    const auto slow = std::make_shared<scripted_clock>(std::vector<std::int64_t>{t0, t0, t0});
    const generator_options o{.layout = epoch0, .machine = 26, .rewind = rewind_policy::refuse};
    auto of_slow = o;
    of_slow.clock = slow;
    auto of_fast = o;
    of_fast.clock = clock_at(t0 + 1);
    generator a{of_slow};
    generator b{of_fast};
    slow->between = [&] { (void)b.try_next(); };
    EXPECT_THAT(a.try_next(), fails_with(errc::clock_rewound, 1));
}

TEST(next, keeps_its_limit_with_a_clock_that_will_not_sleep) {
    // It says that the tick waited for has come, and reads the old one for ever.
    const auto stuck = std::make_shared<scripted_clock>(std::vector<std::int64_t>{t0});
    auto o = with(stuck);
    o.overflow = overflow_policy::spin;
    generator g{o};
    std::vector<id> full(4096);
    g.next(full);
    EXPECT_THAT([&] { g.next(milliseconds{1}); },
                throws(errc::deadline, HasSubstr("within the wait limit of 1 ms")));
}

// ---- thread blocks, seen from one thread ----

TEST(thread_blocks, hand_out_neighbouring_slots_to_one_thread) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.order = order::thread_blocks;
    generator g{o};
    for (std::uint32_t i = 0; i < 5000; ++i)
        ASSERT_EQ(fields_of(g.try_next()), (fields{tick{t0 + i / 4096}, 7, i % 4096})) << i;
}

TEST(thread_blocks, burn_nothing_at_one_id_a_tick) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.order = order::thread_blocks;
    generator g{o};
    for (std::int64_t i = 0; i < 100; ++i) {
        c->set(tick{t0 + i});
        ASSERT_EQ(fields_of(g.try_next()), (fields{tick{t0 + i}, 7, 0}));
        ASSERT_EQ(g.last_slot(), slot::at(tick{t0 + i}, 0, 12)) << "a block of one slot";
    }
}

TEST(thread_blocks, drop_what_is_left_at_the_end_of_the_tick) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.order = order::thread_blocks;
    generator g{o};
    for (int i = 0; i < 20; ++i) (void)g.try_next();
    EXPECT_GE(g.last_slot().value, slot::at(tick{t0}, 19, 12).value);
    c->set(tick{t0 + 1});
    EXPECT_EQ(fields_of(g.try_next()), (fields{tick{t0 + 1}, 7, 0}));
}

TEST(thread_blocks, and_batches_of_one_thread_are_in_order) {
    const auto c = clock_at(t0);
    for (const auto ordering : {order::strict, order::thread_blocks}) {
        auto o = with(c);
        o.order = ordering;
        generator g{o};
        id before{};
        std::array<id, 3> batch;
        for (int i = 0; i < 500; ++i) {
            for (int n = 0; n < i % 17; ++n) {
                const id one = g.next();
                ASSERT_LT(before, one);
                before = one;
            }
            g.next(batch);
            ASSERT_LT(before, batch[0]) << "what was left of the block comes too late now";
            before = batch[2];
        }
    }
}

TEST(thread_blocks, stop_at_the_end_of_a_tick_under_spin) {
    const auto c = clock_at(t0);
    auto o = with(c);
    o.order = order::thread_blocks;
    o.overflow = overflow_policy::spin;
    generator g{o};
    for (int i = 0; i < 4096; ++i) ASSERT_EQ(fields_of(g.try_next()).tick, tick{t0});
    EXPECT_THAT(g.try_next(), fails_with(errc::tick_full, t0 + 1));
    EXPECT_EQ(epoch0.decode(g.next()), (fields{tick{t0 + 1}, 7, 0}));
}

TEST(thread_blocks, of_more_generators_than_a_thread_has_places_never_mix) {
    const auto c = clock_at(t0);
    std::vector<std::unique_ptr<generator>> many;
    for (std::uint64_t m = 0; m < 20; ++m)
        many.push_back(std::make_unique<generator>(generator_options{.layout = epoch0,
                                                                     .machine = m,
                                                                     .order = order::thread_blocks,
                                                                     .clock = c,
                                                                     .unsafe_own_cursor = true}));
    std::set<id> seen;
    for (int i = 0; i < 500; ++i)
        for (std::uint64_t m = 0; m < many.size(); ++m) {
            const id one = many[(m * 7 + static_cast<std::uint64_t>(i)) % many.size()]->next();
            ASSERT_TRUE(seen.insert(one).second);
        }
}

// ---- where the sequence starts ----

TEST(sequence_start, rolling_and_random_stay_unique_and_in_order) {
    for (const auto start : {sequence_start::rolling, sequence_start::random})
        for (const auto overflow : {overflow_policy::borrow, overflow_policy::spin}) {
            const auto c = clock_at(t0);
            auto o = with(c);
            o.start = start;
            o.overflow = overflow;
            generator g{o};
            id before{};
            for (int i = 0; i < 30'000; ++i) {
                if (i % 100 == 0) c->set(tick{t0 + i / 100 - (i % 700 == 0 ? 3 : 0)});
                const id one = g.next();
                ASSERT_LT(before, one);
                before = one;
            }
        }
}

}  // namespace
}  // namespace firn
