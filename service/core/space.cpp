#include "service/core/space.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "firn/rfc3339.hpp"

namespace firn::service {

namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds shortest_pause = std::chrono::microseconds{200};
constexpr nanoseconds longest_pause = std::chrono::milliseconds{20};

std::string seconds_of(std::int64_t us) {
    std::string out = std::to_string(us / 1'000'000);
    if (us < 10'000'000) {
        const std::string ms = std::to_string(us / 1000 % 1000);
        out += '.' + std::string(3 - ms.size(), '0') + ms;
    }
    return out + " s";
}

/// In place: a journal does not move, so that std::make_unique cannot have it.
std::unique_ptr<journal> open_journal(const std::filesystem::path& directory, const journal::options& o) {
    // NOLINTNEXTLINE(modernize-make-unique)
    return std::unique_ptr<journal>(new journal(journal::open(directory, o)));
}

}  // namespace

space::space(space_settings s, std::filesystem::path directory, std::shared_ptr<counter_clock> host_clock)
    : settings_(std::move(s)), directory_(std::move(directory)), clock_(std::move(host_clock)) {
    settings_.ids.clock = clock_;
    journals_.push_back(open_journal(directory_, settings_.ids));
    current_.store(journals_.back().get(), std::memory_order_release);
}

space::~space() = default;

taken space::take(std::span<id> out) noexcept {
    taken t;
    journal& from = ids();
    while (t.count < out.size()) {
        const outcome<std::size_t> r = from.try_next(out.subspan(t.count));
        if (!r) {
            t.code = r.error();
            t.amount = r.amount();
            break;
        }
        t.count += *r;
    }
    if (t.count > 0) {
        issued_.fetch_add(t.count, std::memory_order_relaxed);
        if (stalled()) stalled_.store(false, std::memory_order_relaxed);
    }
    return t;
}

id_range space::take_range(std::size_t want) noexcept {
    thread_local std::vector<id> block;
    const layout& l = layout_of();
    // What is left of the tick that the next id lies in, so that the claim does not run past it and throw
    // away the rest. Another thread may be quicker; then the rest is skipped, which is no harm.
    const slot next{ids().last_slot().value + 1};
    const bool fresh = clock_->now() > next.tick_of(l.sequence_bits);
    const std::size_t left =
        std::size_t{l.sequence_max()} + 1 - (fresh ? 0 : next.sequence_of(l.sequence_bits));
    block.resize(std::min(want, left));
    const taken t = take(block);
    id_range range{
        .first = {}, .step = std::uint64_t{1} << l.sequence_shift(), .code = t.code, .amount = t.amount};
    if (t.count == 0) return range;
    range.code = errc::ok;
    range.first = block[0];
    while (range.count < t.count && block[range.count].value == range.first.value + range.count * range.step)
        ++range.count;
    return range;
}

nanoseconds space::pause(const taken& t) noexcept {
    switch (t.code) {
        case errc::ceiling_reached: {
            const journal_status s = ids().status();
            // The disk has said no: nobody is helped by waiting for it with a request in hand.
            return s.trouble != errc::ok ? nanoseconds{0} : nanoseconds{shortest_pause};
        }
        case errc::tick_full: {
            const std::int64_t ticks = t.amount - clock_->now().count;
            const nanoseconds left =
                std::chrono::microseconds{std::min<std::int64_t>(ticks, 1'000'000) *
                                          std::min<std::int64_t>(layout_of().tick_us, 1'000'000)};
            return std::clamp(left, shortest_pause, longest_pause);
        }
        case errc::clock_rewound:
            return std::clamp(nanoseconds{std::chrono::microseconds{
                                  std::min<std::int64_t>(t.amount, 1'000'000) * layout_of().tick_us}},
                              shortest_pause, longest_pause);
        default:
            return nanoseconds{0};
    }
}

void space::count_refusal(errc code) noexcept {
    const auto index = static_cast<std::size_t>(code);
    if (index < codes) refused_[index].fetch_add(1, std::memory_order_relaxed);
    if (code == errc::ceiling_reached || code == errc::journal_io)
        stalled_.store(true, std::memory_order_relaxed);
}

void space::count_wait(nanoseconds waited) noexcept {
    waits_.fetch_add(1, std::memory_order_relaxed);
    waited_ns_.fetch_add(static_cast<std::uint64_t>(waited.count()), std::memory_order_relaxed);
}

std::string space::explain(errc code, std::int64_t amount) const {
    const std::string where = "space " + name() + ": ";
    if (code == errc::ceiling_reached || code == errc::journal_io) {
        const journal_status s = current_.load(std::memory_order_acquire)->status();
        if (s.trouble == errc::journal_io)
            return where + "the journal cannot be extended (" + std::strerror(s.trouble_errno) +
                   "), and what was reserved is used up; free some space or mend the disk, and it goes on by "
                   "itself";
        return where +
               "the reservation ahead was not extended in time; retry, and look at the disk's latency";
    }
    if (code == errc::journal_replaced)
        return where + "its journal was deleted or replaced while in use; restore the directory and restart";
    return where + describe(code, amount);
}

std::vector<reason> space::reasons(std::chrono::microseconds life_margin) {
    std::vector<reason> all;
    const layout& l = layout_of();
    const figures f = look();
    const std::int64_t now = clock_->now().count;
    const auto say = [&](const char* code, std::string text, bool warning = false) {
        all.push_back({code, name(), std::move(text), warning});
    };

    if (now < 0) say("before_epoch", explain(errc::before_epoch, -now));
    if (f.ahead_us > settings_.ids.ahead_max.count())
        say("ahead_limit", "the clock is behind the last id by " + seconds_of(f.ahead_us) +
                               ", past ahead-max (" + seconds_of(settings_.ids.ahead_max.count()) +
                               "); ids go on when the clock has caught up: mend it, or raise ahead-max");
    // A tick or two ahead is what borrowing does; what a client can wait out is no reason either.
    else if (settings_.ids.rewind == rewind_policy::refuse && f.ahead_us > 100'000)
        say("clock_rewound", "the clock stepped back and is behind the last id by " + seconds_of(f.ahead_us) +
                                 "; rewind=refuse waits until it has caught up, rewind=clamp would go on");
    else if (f.ahead_us > 1'000'000)
        say("clock_behind",
            "the clock is behind the last id by " + seconds_of(f.ahead_us) + "; ids go on up to ahead-max (" +
                seconds_of(settings_.ids.ahead_max.count()) + ")",
            true);
    if (f.clock.doubted_ns != 0)
        say("clock_doubted",
            "the clock leapt ahead by " + seconds_of(f.clock.doubted_ns / 1000) +
                " and is not believed until it has held for a minute; ids go on in the time before the leap",
            true);

    if (f.journal.trouble == errc::journal_replaced)
        say("journal_replaced", explain(errc::journal_replaced, 0));
    else if (f.journal.trouble != errc::ok)
        say("ceiling_not_extendable",
            std::string{"the journal cannot be extended ("} + std::strerror(f.journal.trouble_errno) +
                "); ids go on until what is reserved is used up: free some space or mend the disk");
    else if (stalled())
        say("ceiling_not_extendable", explain(errc::ceiling_reached, 0));

    const instant end = l.end_instant();
    if (f.now >= end || f.journal.last.tick_of(l.sequence_bits).count + 1 >= l.end_tick().count)
        say("exhausted",
            "the layout's timestamp field ended at " + rfc3339(end) + "; move to one with a later epoch");
    else if (end - f.now < life_margin)
        say("life_ending", "the layout's timestamp field ends at " + rfc3339(end) +
                               "; move to one with a later epoch before that");
    else if (end - f.now < std::chrono::hours{24 * 365})
        say("life_ends_soon",
            "the layout's timestamp field ends at " + rfc3339(end) + "; plan for one with a later epoch",
            true);
    return all;
}

bool space::ready(std::chrono::microseconds life_margin) {
    const auto all = reasons(life_margin);
    return std::all_of(all.begin(), all.end(), [](const reason& r) { return r.warning; });
}

void space::mend() noexcept {
    const std::lock_guard alone(journals_mutex_);
    const auto now = std::chrono::steady_clock::now();
    const journal_status s = ids().status();
    if (!s.lost && journals_.size() > 1 && now - reopened_at_ > std::chrono::seconds{10})
        journals_.erase(journals_.begin(), journals_.end() - 1);  // nobody is in a call of theirs any more
    if (s.trouble == errc::ok && !stalled()) return;
    if (!s.lost) {
        id spent;
        static_cast<void>(take(std::span{&spent, 1}));  // at the ceiling it has the reservation tried again
        return;
    }
    // A failed sync is not believed again by the journal that saw it. A fresh one reads what the disk holds,
    // writes it again and syncs that, as after a restart of the process. Not for a journal that was replaced:
    // a fresh one would begin without a memory.
    if (s.trouble != errc::journal_io || now - reopened_at_ < std::chrono::seconds{1}) return;
    reopened_at_ = now;
    try {
        journals_.push_back(open_journal(directory_, settings_.ids));
        current_.store(journals_.back().get(), std::memory_order_release);
        reopened_.fetch_add(1, std::memory_order_relaxed);
    } catch (const std::exception&) {
        // Still not well. It is told by reasons(); the next round tries again.
    }
}

space::figures space::look() {
    const layout& l = layout_of();
    figures f;
    f.journal = ids().status();
    f.clock = clock_->counters();
    const tick now = clock_->now();
    f.now = l.time_of(now);
    f.issued = issued_.load(std::memory_order_relaxed);
    for (std::size_t i = 1; i < codes; ++i)
        if (const std::uint64_t n = refused_[i].load(std::memory_order_relaxed); n > 0)
            f.refused.emplace_back(static_cast<errc>(i), n);
    f.waits = waits_.load(std::memory_order_relaxed);
    f.waited_ns = waited_ns_.load(std::memory_order_relaxed);
    f.reopened = reopened_.load(std::memory_order_relaxed);
    const std::int64_t ahead = f.journal.last.tick_of(l.sequence_bits).count - now.count;
    constexpr std::int64_t most = std::int64_t{1} << 62;
    f.ahead_us = ahead <= 0 ? 0 : ahead > most / l.tick_us ? most : ahead * l.tick_us;
    f.ceiling_us = f.journal.ticks_left > most / l.tick_us ? most : f.journal.ticks_left * l.tick_us;
    return f;
}

}  // namespace firn::service
