// firn::service::decode: what an id says, as names and values that every protocol writes in its own way.
//
//     for (const auto& f : firn::service::decode(some_id, firn::layouts::twitter, now)) w.add(f.name,
//     f.text);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "firn/layout.hpp"

namespace firn::service {

struct named_value {
    std::string name;
    std::string text;
    bool number = false;   ///< A number below 2^53: may be written as one.
    bool boolean = false;  ///< "true" or "false".
};

/// The fields of `i` as `l` reads them, and which layout and epoch that was. `future` is true when its time
/// lies after `now`: then it is likely that it was made with another layout or epoch.
std::vector<named_value> decode(id i, const layout& l, instant now);

}  // namespace firn::service
