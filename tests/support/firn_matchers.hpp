// How the tests look at firn's types: printed by name in a failure, and matched by error code.
//
//     EXPECT_THAT([&] { firn::generator{{.machine = 1024}}; },
//                 firn::throws(firn::errc::machine_out_of_range, testing::HasSubstr("0 to 1023")));
//     EXPECT_THAT(g.try_next(), firn::fails_with(firn::errc::tick_full, 1001));
#pragma once

#include <gmock/gmock.h>

#include <ostream>

#include "firn/error.hpp"
#include "firn/id.hpp"
#include "firn/outcome.hpp"
#include "firn/slot.hpp"
#include "firn/text.hpp"

namespace firn {

inline void PrintTo(errc code, std::ostream* out) {
    *out << name_of(code);
}
inline void PrintTo(id i, std::ostream* out) {
    *out << "id " << i.value;
}
inline void PrintTo(tick t, std::ostream* out) {
    *out << "tick " << t.count;
}
inline void PrintTo(slot s, std::ostream* out) {
    *out << "slot " << s.value;
}
inline void PrintTo(text_fault f, std::ostream* out) {
    *out << reason_of(f);
}

template <class T>
void PrintTo(const outcome<T>& o, std::ostream* out) {
    if (o)
        *out << testing::PrintToString(*o);
    else
        *out << name_of(o.error()) << ' ' << o.amount();
}

/// A callable that throws firn::error with this code and a matching what().
template <class Text>
auto throws(errc code, const Text& what) {
    using testing::AllOf;
    using testing::Property;
    return testing::Throws<error>(
        AllOf(Property("code", &error::code, code), Property("what", &error::what, what)));
}
inline auto throws(errc code) {
    return throws(code, testing::_);
}

MATCHER_P(fails_with, code, "") {
    return !arg && arg.error() == code;
}
MATCHER_P2(fails_with, code, amount, "") {
    return !arg && arg.error() == code && arg.amount() == amount;
}

}  // namespace firn
