// firn::audit::scan: reads and parses on all cores, and still shows each batch in the order of the input.
//
// Reading takes turns (it is the kernel's copy, and a pipe has one end), parsing runs at once, then
// in_order() takes turns again in the order of the input, then any_order() runs at once.
//
//     struct my_sink : scan_sink { … };
//     scan(source, {.threads = 2}, sink, stop);
#pragma once

#include "audit/batch.hpp"
#include "audit/chunk_source.hpp"
#include "audit/interruption.hpp"
#include "audit/parse.hpp"

namespace firn::audit {

class scan_sink {
  public:
    virtual ~scan_sink() = default;
    /// One batch at a time, in the order of the input. Keep it short: the others wait.
    virtual void in_order(const batch& b) = 0;
    /// The same batch on the same thread, while others run. `worker` counts from 0.
    virtual void any_order(const batch& b, unsigned worker) = 0;
};

struct scan_options {
    unsigned threads = 1;
    on_bad policy = on_bad::stop;
};

/// Sends everything that `source` has through `sink`. Returns when all of it is done.
/// Errors: failure and interrupted, and what the sink throws. Of several failures in the input the first one
/// in its order is thrown, on every run. After an error `stop` is requested: that is how the threads that
/// wait for a pipe are told.
void scan(chunk_source& source, const scan_options& options, scan_sink& sink, interruption& stop);

}  // namespace firn::audit
