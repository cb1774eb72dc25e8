#include "lab/run.hpp"

namespace firn::lab {

verdict run(const scenario& s, const run_options& options) {
    return judge(
        s, [&] { return sequencer_process{s}; }, options);
}

}  // namespace firn::lab
