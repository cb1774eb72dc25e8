#include "cli/time_argument.hpp"

#include <chrono>

#include "cli/arguments.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"

namespace firn::cli {

instant time_argument(const std::string& name, const std::string& text, const std::string& example) {
    constexpr std::uint64_t end_of_9999_ms = 253'402'300'799'999;
    if (const parsed p = parse_decimal(text, end_of_9999_ms))
        return instant{std::chrono::milliseconds{static_cast<std::int64_t>(p.value)}};
    if (const auto when = parse_rfc3339(text); when && when->time_since_epoch().count() >= 0) return *when;
    throw bad_argument(name, "takes an instant from 1970 on, or milliseconds since 1970, not '" + text + "'",
                       example);
}

}  // namespace firn::cli
