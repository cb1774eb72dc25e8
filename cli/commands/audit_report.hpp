// How `firn audit` shows a report: for people, and as JSON.
#pragma once

#include <iosfwd>

#include "audit/report.hpp"

namespace firn::cli {

void print_audit(std::ostream& out, const audit::report& r);

/// One object. Ids are strings: JavaScript loses their digits past 2^53.
void print_audit_json(std::ostream& out, const audit::report& r);

}  // namespace firn::cli
