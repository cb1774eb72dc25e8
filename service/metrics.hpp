// firn::service::metrics: everything that is counted, in Prometheus' text format.
//
//     response.body = firn::service::metrics_text(context);
#pragma once

#include <string>

#include "service/context.hpp"

namespace firn::service {

/// Source of names and units: https://prometheus.io/docs/practices/naming/.
std::string metrics_text(context& c);

}  // namespace firn::service
