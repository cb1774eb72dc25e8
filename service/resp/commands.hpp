// firn::service::resp::commands: one description per command. Dispatch, COMMAND, FIRN.HELP and
// docs/service/commands.md (`firn serve --print-commands`) are made from it.
//
//     if (const command* c = find_command("firn.next")) c->run(session, args);
//     for (const command& c : commands()) std::cout << c.name << ' ' << c.summary << '\n';
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "service/resp/command_page.hpp"
#include "service/resp/session.hpp"

namespace firn::service::resp {

struct command {
    std::string_view name;    ///< Upper case.
    int arity = 0;            ///< With the name itself; negative: at least so many.
    std::string_view syntax;  ///< As a person would write it.
    std::string_view summary;
    std::string_view reply;    ///< What comes back, and which errors.
    std::string_view group;    ///< "ids", "server" or "connection".
    std::string_view flags;    ///< Redis' words, separated by spaces.
    bool names_space = false;  ///< Its first argument is a space: a key, to those who route by key.
    bool before_auth = false;
    void (*run)(session& s, session::arguments args) = nullptr;
};

std::span<const command> commands() noexcept;
/// By name, in any case; null when there is none.
const command* find_command(std::string_view name) noexcept;
}  // namespace firn::service::resp
