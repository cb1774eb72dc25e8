#include "lab/hunt/play.hpp"

namespace firn::lab {

finding play_script(const script& s, const witness& told) {
    world w(s.setup);
    ledger given;
    finding f;
    for (std::size_t i = 0; i < s.actions.size(); ++i) {
        happening h;
        if (told) {
            const world before = w;
            h = w.apply(s.actions[i]);
            if (h.applied) told(before, w, i, h);
        } else {
            h = w.apply(s.actions[i]);
        }
        if (h.count != 0) {
            const auto again = given.add(h.first, h.count, static_cast<std::uint32_t>(i));
            f.ids += h.count;
            if (again) {
                f.flaw = flaw::repeated;
                f.at = i;
                f.slot = again->slot;
                f.first_at = again->first_at;
                return f;
            }
        }
        // Of a bug only the duplicates count; the product keeps all of its promises.
        if (h.flaw != flaw::none && s.setup.bug == bug::none) {
            f.flaw = h.flaw;
            f.at = i;
            return f;
        }
    }
    return f;
}

}  // namespace firn::lab
