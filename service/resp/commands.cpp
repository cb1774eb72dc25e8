#include "service/resp/commands.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"
#include "firn/version.hpp"
#include "service/core/decode.hpp"
#include "service/core/layout_text.hpp"

namespace firn::service::resp {

namespace {

using arguments = session::arguments;

std::string upper(std::string_view text) {
    std::string out{text.substr(0, 64)};
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    return out;
}

/// The count that `text` tells, or nothing after an error reply.
std::optional<std::size_t> count_of(session& s, std::string_view text) {
    const std::size_t most = s.bounds().ids_per_call;
    const parsed p = parse_decimal(text, most);
    if (p && p.value > 0) return static_cast<std::size_t>(p.value);
    s.fail("ERR", "count must be from 1 to " + std::to_string(most) + ", digits only; not '" +
                      std::string{text.substr(0, 32)} + "'");
    return std::nullopt;
}

/// Whether the token fits; otherwise an error was replied.
bool let_in(session& s, std::string_view token) {
    if (!s.shared().asks_for_token()) {
        s.fail("ERR",
               "AUTH was sent, but this server asks for no token. Leave it out, or start it with --token");
        return false;
    }
    if (!s.shared().is_token(token)) {
        s.fail("WRONGPASS", "invalid username-password pair or user is disabled.");
        return false;
    }
    s.authenticated();
    return true;
}

void firn_next(session& s, arguments args) {
    if (args.size() == 2) return s.owe(session::debt::bulk, args[1], 1);
    if (args.size() > 3)
        return s.fail("ERR", "FIRN.NEXT takes a space and at most a count, as FIRN.NEXT orders 100");
    if (const auto n = count_of(s, args[2])) s.owe(session::debt::bulks, args[1], *n);
}

void firn_range(session& s, arguments args) {
    if (const auto n = count_of(s, args[2])) s.owe(session::debt::range, args[1], *n);
}

void incr(session& s, arguments args) {
    s.owe(session::debt::integer, args[1], 1);
}

void firn_decode(session& s, arguments args) {
    if (args.size() > 3) return s.fail("ERR", "FIRN.DECODE takes an id and at most a layout or a space");
    const parsed p = parse_decimal(args[1]);
    if (!p)
        return s.fail("ERR",
                      "'" + std::string{args[1].substr(0, 32)} + "' is no id: " + p.reason() +
                          "; an id is decimal, from 0 to 18446744073709551615, as 1593572310593806338");
    layout l = s.shared().spaces.defaults().ids.layout;
    if (args.size() == 3) {
        if (const space* of = s.shared().spaces.find(args[2]))
            l = of->layout_of();
        else if (const layout* known = layouts::find(args[2]))
            l = *known;
        else
            return s.fail("ERR",
                          "there is no layout and no space '" + std::string{args[2].substr(0, 64)} + "'");
    }
    const auto values = decode(id{p.value}, l, system_clock::wall());
    writer w = s.reply();
    w.map(values.size());
    for (const named_value& v : values) {
        w.bulk(v.name);
        if (v.number)
            w.integer(std::stoll(v.text));
        else if (v.boolean)
            w.boolean(v.text == "true");
        else
            w.bulk(v.text);
    }
}

void write_space(session& s, space& one) {
    const space::figures f = one.look();
    writer w = s.reply();
    const auto reasons = one.reasons(std::chrono::hours{1});
    w.map(12);
    w.bulk("space");
    w.bulk(one.name());
    w.bulk("layout");
    w.bulk(text_of(one.layout_of()));
    w.bulk("machine");
    w.integer(static_cast<std::int64_t>(one.machine()));
    w.bulk("now");
    w.bulk(rfc3339(f.now));
    w.bulk("life_end");
    w.bulk(rfc3339(one.layout_of().end_instant()));
    w.bulk("issued");
    w.integer(static_cast<std::int64_t>(f.issued));
    w.bulk("ahead_ms");
    w.integer(f.ahead_us / 1000);
    w.bulk("ceiling_ms");
    w.integer(f.ceiling_us / 1000);
    w.bulk("extensions");
    w.integer(static_cast<std::int64_t>(f.journal.extensions));
    w.bulk("clock_steps");
    w.integer(static_cast<std::int64_t>(f.clock.steps_back + f.clock.steps_forward));
    w.bulk("ready");
    w.boolean(std::all_of(reasons.begin(), reasons.end(), [](const reason& r) { return r.warning; }));
    w.bulk("reasons");
    w.array(reasons.size());
    for (const reason& r : reasons) w.bulk(r.code + ": " + r.text);
}

void firn_info(session& s, arguments args) {
    if (args.size() > 2) return s.fail("ERR", "FIRN.INFO takes at most a space");
    if (args.size() == 2) {
        space* one = s.shared().spaces.find(args[1]);
        if (one == nullptr)
            return s.fail("NOSPACE", "there is no space '" + std::string{args[1].substr(0, 64)} + "'");
        return write_space(s, *one);
    }
    const auto all = s.shared().spaces.all();
    s.reply().array(all.size());
    for (space* one : all) write_space(s, *one);
}

void firn_help(session& s, arguments args) {
    writer w = s.reply();
    if (args.size() > 1) {
        const command* c = find_command(args[1]);
        if (c == nullptr) return s.fail("ERR", "there is no such command; FIRN.HELP lists them");
        w.array(3);
        w.bulk(c->syntax);
        w.bulk(c->summary);
        w.bulk(c->reply);
        return;
    }
    w.array(commands().size());
    for (const command& c : commands()) w.bulk(std::string{c.syntax} + " -- " + std::string{c.summary});
}

void auth(session& s, arguments args) {
    if (args.size() > 3) return s.fail("ERR", "syntax error");
    if (args.size() == 3 && args[1] != "default")
        return s.fail("WRONGPASS", "invalid username-password pair or user is disabled.");
    if (let_in(s, args.back())) s.reply().simple("OK");
}

void hello(session& s, arguments args) {
    int version = s.protocol();
    bool in = !s.shared().asks_for_token();
    std::size_t i = 1;
    if (args.size() > 1) {
        const parsed p = parse_decimal(args[1], 9);
        if (!p || (p.value != 2 && p.value != 3)) return s.fail("NOPROTO", "unsupported protocol version");
        version = static_cast<int>(p.value);
        i = 2;
    }
    std::optional<std::string> name;
    while (i < args.size()) {
        const std::string option = upper(args[i]);
        if (option == "AUTH" && i + 2 < args.size()) {
            if (args[i + 1] != "default" || !s.shared().is_token(args[i + 2]))
                return s.fail("WRONGPASS", "invalid username-password pair or user is disabled.");
            s.authenticated();
            in = true;
            i += 3;
        } else if (option == "SETNAME" && i + 1 < args.size()) {
            name = args[i + 1];
            i += 2;
        } else {
            return s.fail("ERR", "syntax error in HELLO option '" + option + "'");
        }
    }
    if (!in && !s.is_authenticated())
        return s.fail(
            "NOAUTH",
            "HELLO must be called with the client already authenticated, otherwise the HELLO <proto> "
            "AUTH <user> <pass> option can be used to authenticate the client and select the RESP "
            "protocol version at the same time");
    if (name) s.rename(*name);
    s.protocol(version);
    writer w = s.reply();
    w.map(7);
    w.bulk("server");
    w.bulk("firn");
    w.bulk("version");
    w.bulk(library_version);
    w.bulk("proto");
    w.integer(version);
    w.bulk("id");
    w.integer(static_cast<std::int64_t>(s.who().id));
    w.bulk("mode");
    w.bulk("standalone");
    w.bulk("role");
    w.bulk("master");
    w.bulk("modules");
    w.array(0);
}

void ping(session& s, arguments args) {
    if (args.size() > 2) return s.fail("ERR", "wrong number of arguments for 'ping' command");
    if (args.size() == 2)
        s.reply().bulk(args[1]);
    else
        s.reply().simple("PONG");
}

void echo(session& s, arguments args) {
    s.reply().bulk(args[1]);
}

void client(session& s, arguments args) {
    const std::string what = upper(args[1]);
    const auto info = [&] {
        return "id=" + std::to_string(s.who().id) + " addr=" + s.who().address + " name=" + s.name() +
               " resp=" + std::to_string(s.protocol()) + " db=0\n";
    };
    if (what == "ID") {
        s.reply().integer(static_cast<std::int64_t>(s.who().id));
    } else if (what == "SETNAME" && args.size() == 3) {
        s.rename(std::string{args[2].substr(0, 64)});
        s.reply().simple("OK");
    } else if (what == "GETNAME") {
        if (s.name().empty())
            s.reply().null();
        else
            s.reply().bulk(s.name());
    } else if (what == "INFO" || what == "LIST") {
        s.reply().verbatim(info());
    } else if (what == "SETINFO" || what == "NO-EVICT" || what == "NO-TOUCH") {
        s.reply().simple("OK");
    } else {
        s.fail("ERR",
               "unknown subcommand '" + what + "'; CLIENT takes ID, SETNAME, GETNAME, INFO, LIST, SETINFO");
    }
}

void write_command(writer w, const command& c) {
    std::vector<std::string_view> flags;
    std::string_view rest = c.flags;
    while (!rest.empty()) {
        const std::size_t space = std::min(rest.find(' '), rest.size());
        flags.push_back(rest.substr(0, space));
        rest.remove_prefix(std::min(space + 1, rest.size()));
    }
    std::string lower{c.name};
    for (char& ch : lower)
        if (ch >= 'A' && ch <= 'Z') ch = static_cast<char>(ch + 32);
    w.array(10);
    w.bulk(lower);
    w.integer(c.arity);
    w.set(flags.size());
    for (const auto f : flags) w.simple(f);
    w.integer(c.names_space ? 1 : 0);
    w.integer(c.names_space ? 1 : 0);
    w.integer(c.names_space ? 1 : 0);
    w.set(1);
    w.simple(c.group == "connection" ? "@connection" : c.names_space ? "@write" : "@read");
    w.array(0);
    w.array(0);
    w.array(0);
}

void write_docs(writer w, const command& c) {
    w.bulk(c.name);
    w.map(4);
    w.bulk("summary");
    w.bulk(c.summary);
    w.bulk("since");
    w.bulk(library_version);
    w.bulk("group");
    w.bulk(c.group);
    w.bulk("syntax");
    w.bulk(c.syntax);
}

void command_(session& s, arguments args) {
    writer w = s.reply();
    if (args.size() == 1) {
        w.array(commands().size());
        for (const command& c : commands()) write_command(w, c);
        return;
    }
    const std::string what = upper(args[1]);
    const arguments names = args.subspan(2);
    if (what == "COUNT") {
        w.integer(static_cast<std::int64_t>(commands().size()));
    } else if (what == "LIST") {
        w.array(commands().size());
        for (const command& c : commands()) w.bulk(c.name);
    } else if (what == "INFO") {
        if (names.empty()) return command_(s, args.first(1));
        w.array(names.size());
        for (const auto name : names) {
            if (const command* c = find_command(name))
                write_command(w, *c);
            else
                w.null();
        }
    } else if (what == "DOCS") {
        std::vector<const command*> chosen;
        for (const auto name : names)
            if (const command* c = find_command(name)) chosen.push_back(c);
        if (names.empty())
            for (const command& c : commands()) chosen.push_back(&c);
        w.map(chosen.size());
        for (const command* c : chosen) write_docs(w, *c);
    } else {
        s.fail("ERR", "unknown subcommand '" + what + "'; COMMAND takes COUNT, LIST, INFO and DOCS");
    }
}

void config(session& s, arguments args) {
    if (upper(args[1]) != "GET" || args.size() < 3)
        return s.fail("ERR", "CONFIG takes GET only; this server is configured by flags and its file");
    // What tools for Redis ask for on their own, answered in this server's terms.
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> known{
        {{"save", ""}, {"appendonly", "yes"}, {"databases", "1"}, {"maxmemory", "0"}}};
    std::vector<std::pair<std::string_view, std::string_view>> found;
    for (const auto& k : known)
        for (const auto pattern : args.subspan(2))
            if (pattern == k.first || pattern == "*") found.push_back(k);
    writer w = s.reply();
    w.map(found.size());
    for (const auto& [name, value] : found) {
        w.bulk(name);
        w.bulk(value);
    }
}

void info(session& s, arguments) {
    context& c = s.shared();
    std::string text = "# Server\r\n";
    const auto add = [&](std::string_view key, const std::string& value) {
        text += std::string{key} + ":" + value + "\r\n";
    };
    const auto up = std::chrono::steady_clock::now() - c.started;
    add("firn_version", std::string{library_version});
    // The version of Redis whose replies these are, for clients that look.
    add("redis_version", "7.0.0");
    add("redis_mode", "standalone");
    add("uptime_in_seconds", std::to_string(std::chrono::duration_cast<std::chrono::seconds>(up).count()));
    text += "\r\n# Clients\r\n";
    add("connected_clients", std::to_string(c.connections.open.load()));
    add("maxclients", std::to_string(s.bounds().connections));
    text += "\r\n# Persistence\r\n";
    add("loading", "0");
    text += "\r\n# Stats\r\n";
    add("total_connections_received", std::to_string(c.connections.accepted.load()));
    add("total_commands_processed", std::to_string(c.resp.requests.load()));
    text += "\r\n# Replication\r\n";
    add("role", "master");
    add("connected_slaves", "0");
    text += "\r\n# Spaces\r\n";
    for (space* one : c.spaces.all()) {
        const space::figures f = one->look();
        add(one->name(), "machine=" + std::to_string(one->machine()) + ",issued=" + std::to_string(f.issued) +
                             ",ahead_ms=" + std::to_string(f.ahead_us / 1000) +
                             ",ready=" + (one->ready(std::chrono::hours{1}) ? "1" : "0"));
    }
    s.reply().verbatim(text);
}

void select(session& s, arguments args) {
    if (args[1] == "0")
        s.reply().simple("OK");
    else
        s.fail("ERR", "DB index is out of range: there is database 0 only; id spaces are told apart by name");
}

void quit(session& s, arguments) {
    s.reply().simple("OK");
    s.close();
}

void reset(session& s, arguments) {
    s.protocol(2);
    s.rename({});
    s.reply().simple("RESET");
}

constexpr std::array table{
    command{
        .name = "FIRN.NEXT",
        .arity = -2,
        .syntax = "FIRN.NEXT space [count]",
        .summary = "The next id of a space, or the next `count` of them, claimed with one atomic step.",
        .reply =
            "A bulk string; with a count, an array of bulk strings in increasing order. Errors: AHEAD_LIMIT, "
            "TICK_FULL, CLOCK_REWOUND, CEILING_REACHED, EXHAUSTED, BEFORE_EPOCH, JOURNAL_IO, NOSPACE.",
        .group = "ids",
        .flags = "write fast",
        .names_space = true,
        .run = firn_next},
    command{.name = "FIRN.RANGE",
            .arity = 3,
            .syntax = "FIRN.RANGE space count",
            .summary =
                "From 1 to `count` ids as one range. It ends with its tick, so it may be shorter: ask again.",
            .reply =
                "An array: the first id (bulk string), how many there are, and the step from one to the next "
                "(integers). Errors: as FIRN.NEXT.",
            .group = "ids",
            .flags = "write fast",
            .names_space = true,
            .run = firn_range},
    command{
        .name = "INCR",
        .arity = 2,
        .syntax = "INCR space",
        .summary = "The next id as an integer, for programs that use Redis' INCR and cannot change.",
        .reply =
            "An integer. Clients in JavaScript and Lua lose digits past 2^53: there use FIRN.NEXT, or the "
            "layout js53. Errors: as FIRN.NEXT.",
        .group = "ids",
        .flags = "write fast",
        .names_space = true,
        .run = incr},
    command{
        .name = "FIRN.DECODE",
        .arity = -2,
        .syntax = "FIRN.DECODE id [layout|space]",
        .summary = "What an id says: time, machine, sequence, and which layout and epoch it was read with.",
        .reply =
            "A map. `future` is true when the time has not come yet: then it is likely another layout's id.",
        .group = "ids",
        .flags = "readonly fast",
        .run = firn_decode},
    command{.name = "FIRN.INFO",
            .arity = -1,
            .syntax = "FIRN.INFO [space]",
            .summary = "The state of a space, or of all: layout, machine, issued, ahead, ceiling, readiness.",
            .reply = "A map, or an array of maps.",
            .group = "ids",
            .flags = "readonly",
            .run = firn_info},
    command{.name = "FIRN.HELP",
            .arity = -1,
            .syntax = "FIRN.HELP [command]",
            .summary = "This table.",
            .reply = "An array of lines.",
            .group = "ids",
            .flags = "readonly",
            .run = firn_help},
    command{.name = "HELLO",
            .arity = -1,
            .syntax = "HELLO [2|3 [AUTH default token] [SETNAME name]]",
            .summary = "Chooses the protocol's version.",
            .reply = "A map that describes the server.",
            .group = "connection",
            .flags = "fast no_auth",
            .before_auth = true,
            .run = hello},
    command{.name = "AUTH",
            .arity = -2,
            .syntax = "AUTH [default] token",
            .summary = "Shows the token, when the server asks for one.",
            .reply = "OK, or WRONGPASS.",
            .group = "connection",
            .flags = "fast no_auth",
            .before_auth = true,
            .run = auth},
    command{.name = "PING",
            .arity = -1,
            .syntax = "PING [message]",
            .summary = "PONG, or the message.",
            .reply = "A simple string, or the message as a bulk string.",
            .group = "connection",
            .flags = "fast",
            .run = ping},
    command{.name = "ECHO",
            .arity = 2,
            .syntax = "ECHO message",
            .summary = "The message.",
            .reply = "A bulk string.",
            .group = "connection",
            .flags = "fast",
            .run = echo},
    command{.name = "CLIENT",
            .arity = -2,
            .syntax = "CLIENT ID|GETNAME|SETNAME name|SETINFO attribute value|INFO|LIST",
            .summary = "What clients tell and ask about their own connection.",
            .reply = "As in Redis; LIST lists this connection only.",
            .group = "connection",
            .flags = "fast",
            .run = client},
    command{.name = "SELECT",
            .arity = 2,
            .syntax = "SELECT 0",
            .summary = "Accepted for database 0. There are no others.",
            .reply = "OK.",
            .group = "connection",
            .flags = "fast",
            .run = select},
    command{.name = "QUIT",
            .arity = -1,
            .syntax = "QUIT",
            .summary = "Closes the connection after the replies before it.",
            .reply = "OK.",
            .group = "connection",
            .flags = "fast no_auth",
            .before_auth = true,
            .run = quit},
    command{.name = "RESET",
            .arity = 1,
            .syntax = "RESET",
            .summary = "Goes back to RESP2 and no name.",
            .reply = "RESET.",
            .group = "connection",
            .flags = "fast",
            .run = reset},
    command{.name = "COMMAND",
            .arity = -1,
            .syntax = "COMMAND [COUNT|LIST|INFO [name...]|DOCS [name...]]",
            .summary = "This table, in the form that Redis clients ask for.",
            .reply = "As in Redis.",
            .group = "server",
            .flags = "readonly",
            .run = command_},
    command{.name = "CONFIG",
            .arity = -2,
            .syntax = "CONFIG GET name...",
            .summary = "Answers what tools such as redis-benchmark ask for on their own.",
            .reply = "A map of those names that mean something here.",
            .group = "server",
            .flags = "readonly",
            .run = config},
    command{
        .name = "INFO",
        .arity = -1,
        .syntax = "INFO [section...]",
        .summary = "Figures for people and for clients that wait until the server has loaded. All sections.",
        .reply = "Text.",
        .group = "server",
        .flags = "readonly",
        .run = info},
};

}  // namespace

std::span<const command> commands() noexcept {
    return table;
}

const command* find_command(std::string_view name) noexcept {
    std::array<char, 16> upper_name{};
    if (name.size() > upper_name.size()) return nullptr;
    for (std::size_t i = 0; i < name.size(); ++i)
        upper_name[i] = name[i] >= 'a' && name[i] <= 'z' ? static_cast<char>(name[i] - 32) : name[i];
    const std::string_view wanted{upper_name.data(), name.size()};
    for (const command& c : table)
        if (c.name == wanted) return &c;
    return nullptr;
}

std::string commands_as_markdown() {
    std::string out =
        "# The commands of the Redis protocol\n\n"
        "Written by `firn serve --print-commands` from the table that dispatches them; a test keeps this "
        "page "
        "equal to it.\n\n"
        "| command | what it does | what comes back |\n|---|---|---|\n";
    for (const command& c : table) {
        const auto cell = [](std::string_view text) {
            std::string escaped;
            for (const char ch : text) escaped += ch == '|' ? std::string{"\\|"} : std::string{ch};
            return escaped;
        };
        out += "| `" + cell(c.syntax) + "` | " + cell(c.summary) + " | " + cell(c.reply) + " |\n";
    }
    return out;
}

}  // namespace firn::service::resp
