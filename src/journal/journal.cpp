#include "firn/journal.hpp"

#include <algorithm>
#include <utility>

#include "firn/counter_clock.hpp"
#include "src/journal/reservation.hpp"

namespace firn {

namespace {

detail::journal_terms terms_of(const journal::options& o) {
    if (o.unsafe_own_cursor)
        throw error(errc::bad_policy,
                    "unsafe_own_cursor is of no use for a journal: its cursor is the directory's");
    if (o.window < std::chrono::milliseconds{1} || o.window > std::chrono::hours{24})
        throw error(errc::bad_policy, "window must be from 1 ms to 24 h; 3 s is the default",
                    o.window.count());
    return {.layout = o.layout,
            .machine = o.machine,
            .window_ticks = std::max<std::int64_t>(1, o.window.count() / o.layout.tick_us)};
}

std::shared_ptr<clock> living_clock(const journal::options& o) {
    auto c = o.clock ? o.clock : std::make_shared<counter_clock>(o.layout);
    check_life(o.layout, o.layout.time_of(c->now()), o.min_life);
    return c;
}

}  // namespace

journal journal::open(const std::filesystem::path& directory, const options& o) {
    const policy rules = detail::checked_policy(o);
    const detail::journal_terms terms = terms_of(o);
    const auto c = living_clock(o);
    return journal(o, rules, c, std::make_unique<detail::reservation>(directory, terms, c));
}

journal::journal(const options& o, const policy& rules, std::shared_ptr<firn::clock> c,
                 std::unique_ptr<detail::reservation> r)
    : issuer<packer>(packer{o.layout, o.machine}, rules, o.order, std::move(c), r->words()),
      reservation_(std::move(r)) {}

journal::~journal() = default;

journal_status journal::status() const noexcept {
    return reservation_->status();
}

outcome<id> journal::at_ceiling(std::int64_t slots_past) noexcept {
    if (const errc lost = reservation_->lost(); lost != errc::ok)
        return {lost, reservation_->trouble_errno()};
    reservation_->kick();
    return {errc::ceiling_reached, slots_past};
}

std::chrono::nanoseconds journal::wait_for_ceiling(std::chrono::nanoseconds limit) {
    return reservation_->extend(limit);
}

}  // namespace firn
