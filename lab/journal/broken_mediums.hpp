// The deliberate bugs (bug.hpp) that lie in what is below the protocol, one class each.
//
// Not for users: world.cpp.
//
//     with_medium(setup, state, 0, action, [&](simulated_medium& m) { … });
#pragma once

#include <utility>

#include "lab/journal/simulated_medium.hpp"

namespace firn::lab {

class same_boot_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    detail::boot_id boot() override { return boot_of(1); }
};

class half_pair_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    bool enter() override {
        const bool alone = simulated_medium::enter();
        if (!alone) return alone;
        const unsigned bits = setup_.layout.sequence_bits;
        const slot whole{page_.words.cursor.load(std::memory_order_relaxed)};
        page_.words.cursor.store(slot::at(whole.tick_of(bits), 0, bits).value, std::memory_order_relaxed);
        return alone;
    }
};

class late_sync_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    bool sync() override {
        seen_.effect = effect::synced;
        return told(true);
    }
    void unlock() noexcept override {
        simulated_medium::sync();
        simulated_medium::unlock();
    }
};

class believing_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    bool write(std::size_t where, const detail::journal_record& r) override {
        if (!(kept_of(r) == host_.places[where].visible)) return simulated_medium::write(where, r);
        seen_.effect = effect::wrote;
        seen_.place = static_cast<std::uint8_t>(where);
        return told(true);
    }
    bool sync() override {
        if (me().wrote) return simulated_medium::sync();
        seen_.effect = effect::synced;
        return told(true);
    }
};

class retrying_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    bool sync() override {
        if (!simulated_medium::sync()) seen_.failed = false;
        return told(true);
    }
};

class last_user_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    bool leave() noexcept override {
        simulated_medium::leave();
        seen_.alone = true;
        return told(true);
    }
};

class sound_page_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    bool page_is_sound() override {
        simulated_medium::page_is_sound();
        return told(true);
    }
};

class unsynced_name_medium final : public simulated_medium {
  public:
    using simulated_medium::simulated_medium;
    std::array<detail::record_read, 2> read() override {
        const bool before = host_.name_durable;
        const auto places = simulated_medium::read();
        host_.name_durable = before;
        return places;
    }
};

template <class F>
void with_medium(const setup& s, world_state& w, unsigned process, const action& a, F&& f) {
    const auto with = [&]<class Medium>(std::in_place_type_t<Medium>) {
        Medium m{s, w, process, a};
        f(m);
    };
    switch (s.bug) {
        case bug::trusted_across_boots:
            return with(std::in_place_type<same_boot_medium>);
        case bug::half_pair:
            return with(std::in_place_type<half_pair_medium>);
        case bug::published_before_sync:
            return with(std::in_place_type<late_sync_medium>);
        case bug::read_back_unsynced:
            return with(std::in_place_type<believing_medium>);
        case bug::sync_retried:
            return with(std::in_place_type<retrying_medium>);
        case bug::closed_while_shared:
            return with(std::in_place_type<last_user_medium>);
        case bug::write_back_unnoticed:
            return with(std::in_place_type<sound_page_medium>);
        case bug::name_unsynced:
            return with(std::in_place_type<unsynced_name_medium>);
        default:
            return with(std::in_place_type<simulated_medium>);
    }
}

}  // namespace firn::lab
