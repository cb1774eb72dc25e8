// firn::advance against the study's own two variables (advance_model.hpp): small layouts exhaustively, large
// ones at random; and what is promised of it, without the model.
#include "firn/advance.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/property/advance_model.hpp"

namespace firn {
namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

constexpr rewind_policy rewinds[] = {rewind_policy::clamp, rewind_policy::refuse,
                                     rewind_policy::unsafe_blind};
constexpr overflow_policy overflows[] = {overflow_policy::borrow, overflow_policy::spin};
constexpr decision_variant variants[] = {decision_variant::strict, decision_variant::inclusive,
                                         decision_variant::free_running};
constexpr sequence_start starts[] = {sequence_start::zero, sequence_start::rolling, sequence_start::random};

std::string show(const cursor& c, tick now, const policy& p, std::uint32_t want) {
    std::ostringstream out;
    out << "cursor " << c.last.value << " (tick " << c.last.tick_of(p.sequence_bits).count << ", sequence "
        << c.last.sequence_of(p.sequence_bits) << ", began with " << c.first << "), now " << now.count
        << ", want " << want << ", rewind " << int(p.rewind) << ", overflow " << int(p.overflow)
        << ", variant " << int(p.variant) << ", start " << int(p.start) << ", bits " << int(p.sequence_bits)
        << ", spread " << int(p.spread_bits) << ", ahead_max " << p.ahead_max;
    return out.str();
}

model::state state_of(const cursor& c, const policy& p) {
    const model::wide size = model::wide{1} << p.sequence_bits;
    model::state s;
    s.last = c.last.tick_of(p.sequence_bits).count;
    s.seq = c.last.sequence_of(p.sequence_bits);
    s.in_tick = (s.seq - c.first + size) % size + 1;
    return s;
}

model::answer answer_of(decision::kind k) {
    switch (k) {
        case decision::issue:
            return model::answer::issued;
        case decision::rewound:
            return model::answer::rewound;
        case decision::ahead:
            return model::answer::ahead;
        case decision::before_epoch:
            return model::answer::before_epoch;
        case decision::exhausted:
            return model::answer::exhausted;
        case decision::wait:
            break;
    }
    return model::answer::wait;
}

/// Compares one call with the model. Says what differs, or nothing.
std::string difference(const cursor& c, tick now, const policy& p, std::uint32_t want) {
    const decision d = advance(c, now, p, want);
    // The one thing that the model cannot know; that it stays in its range and on its tick is tested below.
    const model::wide random = p.start == sequence_start::random ? detail::start_of(now, c.last, p) : 0;
    const model::reply r = model::ask(state_of(c, p), now.count, p, random, want);

    if (answer_of(d.what) != r.what)
        return "kind " + std::to_string(int(d.what)) + ", expected " + std::to_string(int(r.what));
    if (d.what != decision::issue) {
        const model::wide most = no_limit;  // an amount saturates
        if (d.amount != (r.amount < most ? r.amount : most))
            return "amount " + std::to_string(d.amount) + ", expected " +
                   std::to_string(static_cast<std::int64_t>(r.amount));
        return {};
    }
    if (d.count != r.slots.size())
        return "count " + std::to_string(d.count) + ", expected " + std::to_string(r.slots.size());
    for (std::size_t i = 0; i < r.slots.size(); ++i) {
        const slot s{d.first.value + static_cast<std::int64_t>(i)};
        if (s.tick_of(p.sequence_bits).count != r.slots[i].first ||
            s.sequence_of(p.sequence_bits) != r.slots[i].second)
            return "slot " + std::to_string(s.value) + " at " + std::to_string(i);
    }
    const model::state after = state_of(d.next, p);
    if (after.last != r.after.last || after.seq != r.after.seq) return "another last or seq";
    if (p.variant == decision_variant::free_running && after.in_tick != r.after.in_tick)
        return "the tick has had another number of ids";
    if (p.variant != decision_variant::free_running && d.next.first != 0) return "next.first is not 0";
    return {};
}

template <class Visit>
void each_policy(std::uint8_t bits, Visit visit) {
    for (const auto rewind : rewinds)
        for (const auto overflow : overflows)
            for (const auto variant : variants)
                for (const auto start : starts)
                    for (const std::int64_t ahead_max :
                         {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, no_limit})
                        visit(policy{.rewind = rewind,
                                     .overflow = overflow,
                                     .variant = variant,
                                     .start = start,
                                     .sequence_bits = bits,
                                     .spread_bits = 2,
                                     .ahead_max = ahead_max,
                                     .seed = 7});
}

TEST(advance, agrees_with_the_model_on_every_call_of_small_layouts) {
    std::uint64_t compared = 0;
    for (std::uint8_t bits = 1; bits <= 3; ++bits) {
        const std::int64_t ticks = bits == 3 ? 4 : 6;
        const std::uint32_t size = 1U << bits;
        each_policy(bits, [&](const policy& p) {
            const std::uint32_t firsts = p.variant == decision_variant::free_running ? size : 1;
            for (std::int64_t last = -1; last < ticks * size; ++last)
                for (std::uint32_t first = 0; first < (last < 0 ? 1 : firsts); ++first)
                    for (std::int64_t now = -3; now <= ticks + 2; ++now)
                        for (std::uint32_t want = 1; want <= 2 * size + 1; ++want) {
                            const cursor c{.last = slot{last}, .first = first};
                            const std::string found = difference(c, tick{now}, p, want);
                            ++compared;
                            ASSERT_EQ(found, "") << show(c, tick{now}, p, want);
                        }
        });
    }
    EXPECT_GT(compared, 2'000'000U);
}

/// Every walk of a clock over a few ticks, from a fresh start: what the sequence of calls hands out.
template <class Visit>
void each_walk(std::size_t length, std::int64_t ticks, Visit visit) {
    std::vector<std::int64_t> walk(length, 0);
    for (;;) {
        visit(walk);
        std::size_t at = 0;
        while (at < length && ++walk[at] == ticks) walk[at++] = 0;
        if (at == length) return;
    }
}

TEST(advance, agrees_with_the_model_on_every_walk_of_the_clock) {
    each_policy(1, [](const policy& p) {
        each_walk(6, 4, [&](const std::vector<std::int64_t>& walk) {
            cursor c;
            for (const std::int64_t now : walk) {
                const std::string found = difference(c, tick{now}, p, 1);
                ASSERT_EQ(found, "") << show(c, tick{now}, p, 1);
                const decision d = advance(c, tick{now}, p);
                if (d.what == decision::issue) c = d.next;
            }
        });
    });
}

TEST(advance, never_repeats_and_always_rises_unless_blind) {
    for (std::uint8_t bits = 1; bits <= 2; ++bits)
        each_policy(bits, [](const policy& p) {
            if (p.rewind == rewind_policy::unsafe_blind) return;
            const bool rises = p.variant != decision_variant::free_running;  // there only from tick to tick
            each_walk(6, 4, [&](const std::vector<std::int64_t>& walk) {
                cursor c;
                std::array<std::int64_t, 12> seen;
                std::size_t n = 0;
                for (const std::int64_t now : walk) {
                    const decision d = advance(c, tick{now}, p, 2);
                    if (d.what != decision::issue) continue;
                    for (std::int64_t s = d.first.value; s <= d.next.last.value; ++s) {
                        ASSERT_EQ(std::count(seen.begin(), seen.begin() + std::ptrdiff_t(n), s), 0);
                        seen[n++] = s;
                    }
                    if (rises) {
                        ASSERT_GT(d.first, c.last) << show(c, tick{now}, p, 2);
                    }
                    ASSERT_GE(d.first.tick_of(p.sequence_bits), c.last.tick_of(p.sequence_bits));
                    c = d.next;
                }
            });
        });
}

TEST(advance, blind_repeats_as_soon_as_the_clock_steps_back) {
    const policy p{.rewind = rewind_policy::unsafe_blind, .sequence_bits = 2};
    cursor c;
    std::set<std::int64_t> seen;
    bool repeated = false;
    for (const std::int64_t now : {5, 6, 5}) {
        const decision d = advance(c, tick{now}, p);
        ASSERT_EQ(d.what, decision::issue);
        repeated |= !seen.insert(d.first.value).second;
        c = d.next;
    }
    EXPECT_TRUE(repeated);
}

TEST(advance, default_policy_is_one_line) {
    for (std::uint8_t bits = 1; bits <= 3; ++bits)
        for (std::int64_t last = -1; last < 60; ++last)
            for (std::int64_t now = 0; now < 20; ++now) {
                const decision d = advance({.last = slot{last}}, tick{now}, policy{.sequence_bits = bits});
                ASSERT_EQ(d.what, decision::issue);
                ASSERT_EQ(d.first.value, std::max(last + 1, now << bits)) << last << ' ' << now;
                ASSERT_EQ(d.next, (cursor{.last = d.first}));
                ASSERT_EQ(d.count, 1U);
            }
}

TEST(advance, a_batch_is_so_many_single_calls_at_the_same_time) {
    // True of clamp. (With refuse or blind a borrowed tick makes the next single call a rewind.)
    for (std::uint8_t bits = 1; bits <= 3; ++bits)
        each_policy(bits, [&](const policy& p) {
            if (p.rewind != rewind_policy::clamp || p.variant == decision_variant::free_running) return;
            for (std::int64_t last = -1; last < 24; ++last)
                for (std::int64_t now = 0; now < 8; ++now) {
                    const cursor begin{.last = slot{last}};
                    const std::uint32_t want = 9;
                    const decision batch = advance(begin, tick{now}, p, want);
                    cursor c = begin;
                    std::uint32_t got = 0;
                    decision single;
                    while (got < want && (single = advance(c, tick{now}, p)).what == decision::issue) {
                        ASSERT_EQ(single.first.value, batch.first.value + got);
                        c = single.next;
                        ++got;
                    }
                    if (got == 0) {
                        ASSERT_EQ(batch.what, single.what);
                        ASSERT_EQ(batch.amount, single.amount);
                    } else {
                        ASSERT_EQ(batch.count, got) << show(begin, tick{now}, p, want);
                        ASSERT_EQ(batch.next, c);
                    }
                }
        });
}

TEST(advance, a_decision_that_issues_nothing_carries_no_slot) {
    for (std::uint8_t bits = 1; bits <= 3; ++bits)
        each_policy(bits, [](const policy& p) {
            for (std::int64_t last = -1; last < 24; ++last)
                for (std::int64_t now = -2; now < 8; ++now) {
                    const decision d = advance({.last = slot{last}}, tick{now}, p);
                    if (d.what == decision::issue) {
                        ASSERT_GE(d.count, 1U);
                        ASSERT_EQ(d.amount, 0);
                    } else {
                        ASSERT_EQ(d.count, 0U) << int(d.what);
                        ASSERT_EQ(d.first, slot{});
                        ASSERT_EQ(d.next, cursor{});
                    }
                }
        });
}

// ---- at random, over whole layouts ----

rc::Gen<std::int64_t> any_tick(std::uint8_t bits, std::int64_t near) {
    using limits = std::numeric_limits<std::int64_t>;
    const std::int64_t end = detail::no_tick(bits);
    return rc::gen::oneOf(
        rc::gen::map(rc::gen::inRange<std::int64_t>(-5, 6),
                     [near](std::int64_t by) { return near > limits::max() - 6 ? near : near + by; }),
        rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 42),
        rc::gen::map(rc::gen::inRange<std::int64_t>(-5, 6),
                     [end](std::int64_t by) { return end > limits::max() - 6 ? end - 6 : end + by; }),
        rc::gen::arbitrary<std::int64_t>(),
        rc::gen::element(limits::min(), limits::min() + 1, std::int64_t{-1}, std::int64_t{0}, limits::max()));
}

RC_GTEST_PROP(advance_at_random, agrees_with_the_model, ()) {
    const auto bits = *rc::gen::inRange<std::uint8_t>(1, 32);
    const std::int64_t end = detail::no_tick(bits);
    policy p{.rewind = *rc::gen::elementOf(std::vector(std::begin(rewinds), std::end(rewinds))),
             .overflow = *rc::gen::elementOf(std::vector(std::begin(overflows), std::end(overflows))),
             .variant = *rc::gen::elementOf(std::vector(std::begin(variants), std::end(variants))),
             .start = *rc::gen::elementOf(std::vector(std::begin(starts), std::end(starts))),
             .sequence_bits = bits,
             .spread_bits = *rc::gen::inRange<std::uint8_t>(0, 33),
             .ahead_max = *rc::gen::oneOf(rc::gen::just(no_limit), rc::gen::inRange<std::int64_t>(0, 6),
                                          rc::gen::inRange<std::int64_t>(0, no_limit)),
             .seed = *rc::gen::arbitrary<std::uint64_t>()};
    // A cursor that has been handed out: from a fresh one to the last slot of all; its sequence often at an
    // edge.
    const std::int64_t spent = std::clamp<std::int64_t>(*any_tick(bits, 1000), 0, end - 1);
    const std::uint32_t mask = static_cast<std::uint32_t>((std::uint64_t{1} << bits) - 1);
    const std::uint32_t sequence = *rc::gen::oneOf(
        rc::gen::element(0U, mask, mask - 1),
        rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [mask](auto v) { return v & mask; }));
    cursor c{.last = slot::at(tick{spent}, sequence, bits)};
    if (*rc::gen::inRange(0, 10) == 0) c.last = no_slot;
    if (p.variant == decision_variant::free_running && c.last != no_slot)
        c.first = *rc::gen::oneOf(
            rc::gen::element(0U, (sequence + 1) & mask),
            rc::gen::map(rc::gen::arbitrary<std::uint32_t>(), [mask](auto v) { return v & mask; }));
    const tick now{*any_tick(bits, c.last.tick_of(bits).count)};
    const auto want = *rc::gen::oneOf(rc::gen::just(1U), rc::gen::inRange(2U, 5000U));

    const std::string found = difference(c, now, p, want);
    RC_LOG() << show(c, now, p, want) << '\n';
    RC_ASSERT(found == "");
}

RC_GTEST_PROP(advance_at_random, the_largest_batch_stays_in_bounds, ()) {
    const auto bits = *rc::gen::inRange<std::uint8_t>(1, 32);
    const std::int64_t end = detail::no_tick(bits);
    const policy p{.sequence_bits = bits, .ahead_max = *rc::gen::element(no_limit, std::int64_t{0}, end)};
    const cursor c{.last = slot{*rc::gen::inRange<std::int64_t>(-1, slot::at(tick{end}, 0, bits).value - 1)}};
    const tick now{*any_tick(bits, c.last.tick_of(bits).count)};
    const decision d = advance(c, now, p, std::numeric_limits<std::uint32_t>::max());
    if (d.what != decision::issue) return;
    RC_ASSERT(d.count >= 1U);
    RC_ASSERT(d.first > c.last);
    RC_ASSERT(d.next.last.value == d.first.value + d.count - 1);
    RC_ASSERT(d.next.last < slot::at(tick{end}, 0, bits));
    RC_ASSERT(detail::distance(now, d.next.last.tick_of(bits)) <= p.ahead_max);
}

RC_GTEST_PROP(advance_at_random, a_random_start_depends_on_tick_and_seed_alone, ()) {
    const policy p{.start = sequence_start::random,
                   .sequence_bits = *rc::gen::inRange<std::uint8_t>(1, 32),
                   .spread_bits = *rc::gen::inRange<std::uint8_t>(0, 40),
                   .seed = *rc::gen::arbitrary<std::uint64_t>()};
    const tick at{*rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 32)};
    const std::uint32_t s = detail::start_of(at, no_slot, p);
    RC_ASSERT(s == detail::start_of(at, slot{*rc::gen::arbitrary<std::int64_t>()}, p));
    RC_ASSERT(s < std::uint64_t{1} << std::min(p.spread_bits, p.sequence_bits));
}

}  // namespace
}  // namespace firn
