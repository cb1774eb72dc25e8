#include "cli/time_argument.hpp"

#include <chrono>
#include <stdexcept>

#include "cli/arguments.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"
#include "service/core/layout_text.hpp"

namespace firn::cli {

instant time_argument(const std::string& name, const std::string& text, const std::string& example) {
    constexpr std::uint64_t end_of_9999_ms = 253'402'300'799'999;
    if (const parsed p = parse_decimal(text, end_of_9999_ms))
        return instant{std::chrono::milliseconds{static_cast<std::int64_t>(p.value)}};
    if (const auto when = parse_rfc3339(text); when && when->time_since_epoch().count() >= 0) return *when;
    throw bad_argument(name, "takes an instant from 1970 on, or milliseconds since 1970, not '" + text + "'",
                       example);
}

std::chrono::microseconds span_argument(const std::string& name, const std::string& text,
                                        std::chrono::microseconds least) {
    std::chrono::microseconds span{-1};
    try {
        span = service::duration_from(name, text);
    } catch (const std::invalid_argument&) {  // one form of refusal for all arguments of a command
    }
    if (span < least)
        throw bad_argument(name,
                           "takes a time of " + std::to_string(least.count() / 1000) +
                               " ms or more with its unit (ms, s, m, h or d), not '" + text + "'",
                           name + " 10s");
    return span;
}

std::string time_text(std::int64_t unix_ns) {
    return rfc3339(instant{std::chrono::microseconds{unix_ns / 1000}});
}

}  // namespace firn::cli
