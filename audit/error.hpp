// firn::audit::failure, firn::audit::interrupted: the two ways in which an audit ends without a report.
//
// Not for duplicates: finding them is a result (report.hpp).
//
//     try { auto r = firn::audit::run(options); }
//     catch (const firn::audit::interrupted&) { return 130; }
//     catch (const firn::audit::failure& e) { std::cerr << e.what() << '\n'; return 3; }
#pragma once

#include <stdexcept>
#include <string>

namespace firn::audit {

/// Input that cannot be read or is no list of ids, or no room for temporary files. what() says where, what
/// was seen and the way out.
class failure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Someone asked for the end (interruption.hpp). Nothing is left behind.
class interrupted : public std::runtime_error {
  public:
    interrupted() : std::runtime_error("interrupted") {}
};

/// "what: the system's words for errno_value".
std::string system_words(const std::string& what, int errno_value);

}  // namespace firn::audit
