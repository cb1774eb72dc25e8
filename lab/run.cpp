#include "lab/run.hpp"

namespace firn::lab {

verdict run(const scenario& s, const run_options& options) {
    return with_product(s, [&](auto make) { return judge(s, make, options); });
}

}  // namespace firn::lab
