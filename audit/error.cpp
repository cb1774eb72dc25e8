#include "audit/error.hpp"

#include <system_error>

namespace firn::audit {

std::string system_words(const std::string& what, int errno_value) {
    return what + ": " + std::generic_category().message(errno_value);
}

}  // namespace firn::audit
