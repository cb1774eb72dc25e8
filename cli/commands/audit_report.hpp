// How `firn audit` shows a report: for people, and as JSON.
#pragma once

#include <iosfwd>

#include "audit/report.hpp"

namespace firn::cli {

struct audit_text_options {
    bool layout_was_named = true;  ///< Else it is said that the layout is a guess.
};

void print_audit(std::ostream& out, const audit::report& r, const audit_text_options& options);

/// One object. Ids are strings: JavaScript loses their digits past 2^53.
void print_audit_json(std::ostream& out, const audit::report& r);

}  // namespace firn::cli
