// The names of the written forms of an id (codecs/forms.hpp), for options that take one.
//
//     command->add_option("--to", given->form)->check(one_of(form_names(), "--to hex"));
#pragma once

#include <string>
#include <vector>

#include "firn/codecs/forms.hpp"

namespace firn::cli {

inline std::vector<std::string> form_names() {
    std::vector<std::string> names;
    names.reserve(std::size(codecs::forms));
    for (const codecs::form& f : codecs::forms) names.emplace_back(f.name);
    return names;
}

}  // namespace firn::cli
