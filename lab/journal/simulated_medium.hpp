// lab::simulated_medium: the product's `medium` over a simulated host, for one step of one process.
//
// Not for users: world.hpp. Made before a step and finished after it, so that a host stays plain data:
//
//     simulated_medium m{setup, state, 0, action};
//     protocol.step(m);
//     m.finish();
#pragma once

#include <array>
#include <cstdint>

#include "lab/journal/mix.hpp"
#include "lab/journal/world.hpp"
#include "src/journal/medium.hpp"

namespace firn::lab {

class simulated_medium : public detail::medium {
  public:
    simulated_medium(const setup& s, world_state& w, unsigned process, const action& a);

    bool try_lock() override;
    void unlock() noexcept override;
    bool enter() override;
    bool leave() noexcept override;
    bool in_place() override { return told(true); }
    std::array<detail::record_read, 2> read() override;
    bool create(const detail::journal_record& first) override;
    bool write(std::size_t place, const detail::journal_record& r) override;
    bool sync() override;
    int error() const noexcept override { return 5; }  // EIO
    detail::journal_page& page() override;
    bool page_is_sound() override;
    detail::boot_id boot() override { return boot_of(host_.boot); }
    tick now() override;

    /// The stores to the page reach the host.
    void finish() noexcept;

    const happening& seen() const noexcept { return seen_; }
    /// A call has failed because it was made to.
    bool made_to_fail() const noexcept { return made_to_fail_; }
    bool interrupted() const noexcept { return interrupted_; }

  protected:
    lab::process& me() noexcept { return world_.processes[index_]; }
    bool alone_without_me() const noexcept;
    bool told(bool answer) noexcept {
        trail_.add(answer ? 1 : 2);
        return answer;
    }

    const setup& setup_;
    world_state& world_;
    lab::host& host_;
    const action& action_;
    happening seen_;
    detail::journal_page page_;

  private:
    bool fail() noexcept;

    unsigned index_;
    bool page_used_ = false;
    bool made_to_fail_ = false;
    bool interrupted_ = false;
    mixer trail_;
};

}  // namespace firn::lab
