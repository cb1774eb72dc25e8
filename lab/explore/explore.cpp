#include "lab/explore/explore.hpp"

#include <algorithm>

#include "lab/explore/normal_form.hpp"
#include "lab/explore/state_queue.hpp"
#include "lab/explore/state_set.hpp"

namespace firn::lab {

namespace {

class explorer {
  public:
    explorer(const exploration& e, exploration_progress* progress)
        : e_(e), progress_(progress), here_(e.setup), there_(e.setup) {}

    exploration_result run() {
        normalise(here_);
        seen_.add(fingerprint(here_));
        next_.push(here_);
        steps_.push_back({});
        std::uint32_t index = 0;
        while (next_.bytes() != 0 && found_.flaw == flaw::none) {
            std::swap(now_, next_);
            next_.clear();
            ++found_.depth;
            while (found_.flaw == flaw::none && now_.pop(here_)) look_at(index++);
            now_.clear();
            if (e_.most_states != 0 && seen_.size() >= e_.most_states) break;
        }
        found_.complete = found_.flaw == flaw::none && next_.bytes() == 0;
        found_.states = seen_.size();
        return std::move(found_);
    }

  private:
    /// How a state was first reached.
    struct step_from {
        std::uint32_t parent = 0;
        std::uint32_t choice = 0;  // which of the parent's successors
    };

    void look_at(std::uint32_t index) {
        choices_.clear();
        list_successors(here_, e_.freedom, choices_);
        for (std::uint32_t i = 0; i < choices_.size(); ++i) {
            there_ = here_;
            const happening h = take(there_, choices_[i]);
            if (!h.applied) continue;
            ++found_.transitions;
            if (h.count != 0) ++found_.issues;
            if (is_flaw(h)) {
                found_.flaw = h.flaw;
                tell(index, i);
                return;
            }
            normalise(there_);
            if (!seen_.add(fingerprint(there_))) continue;
            next_.push(there_);
            steps_.push_back({index, i});
        }
        if ((index & 0xFF) == 0) report(index);
    }

    bool is_flaw(const happening& h) const noexcept {
        return e_.setup.bug == bug::none ? h.flaw != flaw::none : h.flaw == flaw::repeated;
    }

    static happening take(world& w, const timed_action& a) {
        w.state().wall = a.wall;
        const happening h = w.apply(a.what);
        w.state().wall = 0;
        return h;
    }

    /// Goes the way again, from the first state to the flaw.
    void tell(std::uint32_t index, std::uint32_t choice) {
        std::vector<std::uint32_t> way{choice};
        for (std::uint32_t at = index; at != 0; at = steps_[at].parent) way.push_back(steps_[at].choice);
        std::reverse(way.begin(), way.end());
        world w(e_.setup);
        std::int64_t wall = 0;
        for (const std::uint32_t c : way) {
            choices_.clear();
            list_successors(w, e_.freedom, choices_);
            const timed_action& a = choices_[c];
            const happening h = take(w, a);
            if (a.wall != wall && (h.asked_clock || a.what.what == act::issue || a.what.what == act::read)) {
                found_.history.push_back({.what = act::wall, .n = static_cast<std::int32_t>(a.wall - wall)});
                wall = a.wall;
            }
            found_.history.push_back(a.what);
            normalise(w);
        }
    }

    void report(std::uint32_t index) const noexcept {
        if (progress_ == nullptr) return;
        progress_->states.store(seen_.size(), std::memory_order_relaxed);
        progress_->looked_at.store(index, std::memory_order_relaxed);
    }

    const exploration& e_;
    exploration_progress* progress_;
    world here_;
    world there_;
    state_set seen_;
    state_queue now_;
    state_queue next_;
    std::vector<step_from> steps_;
    std::vector<timed_action> choices_;
    exploration_result found_;
};

exploration small(std::string_view name, std::string_view what, layout l, const freedom& f) {
    exploration e{.name = name, .what = what, .setup = {}, .freedom = f};
    e.setup.layout = l;
    e.setup.window_ticks = 1;
    return e;
}

std::vector<exploration> make_small_worlds() {
    std::vector<exploration> list{
        small("plain", "kills and power losses only", small_layout(1, 1), {}),
        small("wide", "the same with four slots a tick", small_layout(1, 2), {}),
        small("long", "the same with four ticks of two slots", small_layout(2, 1), {}),
        small("records", "two failures of writes or syncs of records", small_layout(1, 1), {.faults = 2}),
        small("page", "two failures of the mapped page's write-back", small_layout(1, 1),
              {.faults = 2, .records_fail = false, .page_fails = true}),
        small("late", "claims that are held up after their reading; one failure of either kind",
              small_layout(1, 1), {.faults = 1, .page_fails = true, .late_claims = true}),
        small("forks", "forks, and blocks of up to four slots", small_layout(1, 1), {.forks = true})};
    list.back().setup.order = order::thread_blocks;
    list.back().setup.largest_block = 4;
    return list;
}

}  // namespace

exploration_result explore(const exploration& e, exploration_progress* progress) {
    return explorer{e, progress}.run();
}

std::span<const exploration> small_worlds() {
    static const std::vector<exploration> all = make_small_worlds();
    return all;
}

}  // namespace firn::lab
