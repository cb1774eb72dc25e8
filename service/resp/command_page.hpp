// firn::service::resp::commands_as_markdown: the table of commands as a page, without the commands
// themselves.
//
//     std::cout << firn::service::resp::commands_as_markdown();
#pragma once

#include <string>

namespace firn::service::resp {

std::string commands_as_markdown();

}  // namespace firn::service::resp
