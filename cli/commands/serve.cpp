#include "service/serve.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/state_directory.hpp"
#include "service/core/layout_text.hpp"
#include "service/core/spaces.hpp"
#include "service/resp/command_page.hpp"

namespace firn::cli {

namespace {

using service::duration_from;
using service::settings;

/// What was written, before it means anything.
struct written {
    std::string config, state, machine, layout, epoch, tick, rewind, overflow, start, order, ahead_max,
        window, min_life;
    std::vector<std::string> spaces, resp, http;
    bool create = false, no_create = false, handover = false, check = false, json = false,
         print_commands = false;
    std::string unix_resp, unix_http, unix_mode = "0660", token_file, tls_certificate, tls_key, log_file,
                                      log_level = "info", test_clock_file;
    std::string idle = "10m", request = "10s", send = "10s", wait = "100ms", drain = "10s",
                drain_delay = "0ms", life_margin = "1h";
    unsigned threads = 0;
    std::size_t spaces_max = 64;
    service::limits bounds;
};

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string{} : std::string{value};
}

std::string host_name() {
    std::array<char, 256> name{};
    ::gethostname(name.data(), name.size() - 1);
    return name.data();
}

std::filesystem::path state_of(const written& w) {
    if (!w.state.empty()) return w.state;
    if (auto state = default_state()) return *state;
    throw CLI::ValidationError("--state",
                               "is needed, since neither XDG_STATE_HOME nor HOME is set, as --state ./state");
}

void define(CLI::App& c, written& w) {
    const auto one = [&](const std::string& flags, auto& value, const std::string& help, const char* group) {
        CLI::Option* o = c.add_option(flags, value, help)->group(group)->capture_default_str();
        std::string name = "FIRN";
        for (const char ch : o->get_lnames().front())
            name += ch == '-' ? std::string{"_"} : std::string(1, static_cast<char>(std::toupper(ch)));
        if (name.find("_TEST_") == std::string::npos) o->envname(name.insert(4, "_"));
        return o;
    };
    const auto many = [&](const std::string& flags, auto& value, const std::string& help, const char* group) {
        return one(flags, value, help, group)->allow_extra_args(false)->take_all();
    };
    const char* ids = "Ids";
    one("--state", w.state,
        "Directory of the journals, one subdirectory a space [$STATE_DIRECTORY, /var/lib/firn, or "
        "under XDG_STATE_HOME]",
        ids)
        ->type_name("DIR");
    many("--space", w.spaces,
         "A space to open at the start: orders,layout=twitter,machine=7. Repeat for more", ids)
        ->type_name("NAME[,KEY=VALUE...]");
    c.add_flag("--create", w.create, "Make other spaces on first use [the default without --space]")
        ->group(ids);
    c.add_flag("--no-create", w.no_create, "Make none on first use [the default with --space]")->group(ids);
    one("--machine", w.machine,
        "Machine number: different on every host. 'ordinal': the number that ends the host's name", ids)
        ->type_name("N");
    one("--layout", w.layout, "Layout: a name, or the bits of time/machine/sequence as 41/10/12", ids);
    one("--epoch", w.epoch, "When tick 0 was, as 2025-01-01T00:00:00Z", ids)->type_name("TIME");
    one("--tick", w.tick, "Length of a tick, as 1ms or 1s", ids);
    one("--rewind", w.rewind, "When the clock steps back: clamp (go on from the last id) or refuse", ids);
    one("--overflow", w.overflow, "When a tick is full: borrow (from the next) or spin (wait for it)", ids);
    one("--start", w.start, "First sequence of a tick: zero, rolling or random", ids);
    one("--order", w.order, "strict or thread-blocks", ids);
    one("--ahead-max", w.ahead_max, "How far past the clock an id may lie [1h]", ids)->type_name("TIME");
    one("--window", w.window, "How far ahead slots are reserved on disk [3s]", ids)->type_name("TIME");
    one("--min-life", w.min_life, "Refuse a layout that ends sooner [365d]", ids)->type_name("TIME");
    one("--life-margin", w.life_margin, "Not ready when a layout has less left than this", ids)
        ->type_name("TIME");
    one("--spaces-max", w.spaces_max, "Spaces at most", ids);

    const char* listeners = "Listeners";
    many("--resp", w.resp, "Redis protocol on HOST:PORT, or 'none' [127.0.0.1:3476]", listeners)
        ->type_name("HOST:PORT");
    many("--http", w.http, "HTTP on HOST:PORT, or 'none' [127.0.0.1:8476]", listeners)
        ->type_name("HOST:PORT");
    one("--unix", w.unix_resp, "Redis protocol on a Unix socket", listeners)->type_name("PATH");
    one("--unix-http", w.unix_http, "HTTP on a Unix socket", listeners)->type_name("PATH");
    one("--unix-mode", w.unix_mode, "Permissions of the Unix sockets", listeners)->type_name("MODE");
    c.add_flag("--handover", w.handover,
               "Share the addresses with a firn of the same state that is about to stop")
        ->group(listeners);
    one("--token-file", w.token_file, "File whose first line clients must show (AUTH, bearer)", listeners)
        ->type_name("FILE");
    one("--tls-certificate", w.tls_certificate, "Certificate chain (PEM) for the TCP listeners", listeners)
        ->type_name("FILE");
    one("--tls-key", w.tls_key, "Its key (PEM)", listeners)->type_name("FILE");
    one("--threads", w.threads, "Threads that serve; 0: one a core", listeners);

    const char* bounds = "Bounds";
    one("--connections-max", w.bounds.connections, "Connections at most", bounds);
    one("--ids-per-call-max", w.bounds.ids_per_call, "Ids per command at most", bounds);
    one("--request-bytes-max", w.bounds.request_bytes, "Bytes of one request at most", bounds);
    one("--reply-bytes-max", w.bounds.reply_bytes,
        "Replies buffered per connection before it is not read from", bounds);
    one("--idle-timeout", w.idle, "Close a connection without requests; 0s: never", bounds)
        ->type_name("TIME");
    one("--request-timeout", w.request, "From a request's first byte to its last", bounds)->type_name("TIME");
    one("--send-timeout", w.send, "A client that takes no byte of a reply", bounds)->type_name("TIME");
    one("--wait-max", w.wait, "How long a command may wait for a tick or the disk", bounds)
        ->type_name("TIME");
    one("--drain-timeout", w.drain, "From SIGTERM to the end at most", bounds)->type_name("TIME");
    one("--drain-delay", w.drain_delay, "From SIGTERM to closing the listeners, for load balancers", bounds)
        ->type_name("TIME");

    const char* running = "Running";
    one("--log-file", w.log_file, "Log there, opened anew on SIGHUP [stderr]", running)->type_name("FILE");
    one("--log-level", w.log_level, "trace, debug, info, warning, error or off", running)
        ->check(CLI::IsMember({"trace", "debug", "info", "warning", "error", "off"}));
    c.add_option("--config", w.config,
                 "Read these options from a file: lines of name = value, without dashes")
        ->group(running)
        ->type_name("FILE")
        ->envname("FIRN_CONFIG");
    c.add_flag("--check", w.check,
               "Say what is wrong with the configuration and end: status 1 when something is")
        ->group(running);
    c.add_flag("--json", w.json, "With --check: as JSON")->group(running);
    c.add_flag("--print-commands", w.print_commands, "Print the table of commands as Markdown and end")
        ->group(running);
    c.add_option("--test-clock-offset-ms-file", w.test_clock_file)->group("");
}

/// Lines of a file as options, where neither a flag nor the environment has set them.
void apply_file(CLI::App& c, const std::string& path, const std::set<std::string>& given) {
    std::ifstream file(path);
    if (!file)
        throw CLI::ValidationError("--config",
                                   "cannot read " + path + "; it takes a file, as /etc/firn.conf");
    std::vector<CLI::ConfigItem> items;
    try {
        items = CLI::ConfigTOML().from_config(file);
    } catch (const CLI::Error& e) {
        throw CLI::ValidationError("--config", path + ": " + e.what());
    }
    for (const CLI::ConfigItem& item : items) {
        if (item.name == "++" || item.name == "--") continue;  // CLI11's marks of a section's begin and end
        CLI::Option* o = c.get_option_no_throw("--" + item.name);
        if (o == nullptr || !item.parents.empty() || item.name == "config")
            throw CLI::ValidationError("--config", path + ": there is no option '" + item.fullname() +
                                                       "'; `firn serve --help` lists them");
        if (given.count(item.name) > 0) continue;
        if (o->get_items_expected() == 0) {
            if (item.inputs.size() != 1 || (item.inputs[0] != "true" && item.inputs[0] != "false"))
                throw CLI::ValidationError("--config", path + ": " + item.name + " takes true or false");
            if (item.inputs[0] == "true") o->add_result("true");
        } else {
            for (const std::string& input : item.inputs) o->add_result(input);
        }
        if (o->count() > 0) o->run_callback();
    }
}

std::vector<std::string> without_none(const std::vector<std::string>& given, const std::string& standard) {
    if (given.empty()) return {standard};
    if (given.size() == 1 && given[0] == "none") return {};
    return given;
}

std::chrono::milliseconds ms_of(const char* what, const std::string& text) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(duration_from(what, text));
}

std::string token_from(const written& w) {
    if (w.token_file.empty()) return environment("FIRN_TOKEN");
    std::ifstream file(w.token_file);
    std::string token;
    if (!std::getline(file, token) || token.empty())
        throw std::invalid_argument(
            "--token-file takes a file whose first line is the token; cannot read one from " + w.token_file);
    return token;
}

settings meaning_of(const written& w, std::string& remark) {
    settings s;
    const std::string host = host_name();
    s.state = state_of(w);
    const std::array<std::pair<const char*, const std::string*>, 11> keys{{{"layout", &w.layout},
                                                                           {"epoch", &w.epoch},
                                                                           {"tick", &w.tick},
                                                                           {"machine", &w.machine},
                                                                           {"rewind", &w.rewind},
                                                                           {"overflow", &w.overflow},
                                                                           {"start", &w.start},
                                                                           {"order", &w.order},
                                                                           {"ahead-max", &w.ahead_max},
                                                                           {"window", &w.window},
                                                                           {"min-life", &w.min_life}}};
    for (const auto& [key, value] : keys)
        if (!value->empty()) service::set_key(s.defaults, key, *value, host);
    if (const char* fault = fault_of(s.defaults.ids.layout))
        throw std::invalid_argument(std::string{"--layout: "} + fault);
    if (w.machine.empty()) {
        s.defaults.ids.machine = service::spaces::recorded_machine(s.state);
        if (s.defaults.ids.machine == machine_not_given) {
            s.defaults.ids.machine = 0;
            remark =
                "machine 0, only because no number was given; with more than one host, give each its own: "
                "--machine N";
        } else {
            remark = "machine " + std::to_string(s.defaults.ids.machine) + ", as the journals in " +
                     s.state.string() + " say";
        }
    }
    for (const std::string& text : w.spaces) s.spaces.push_back(service::space_from(text, s.defaults, host));
    if (w.create && w.no_create) throw std::invalid_argument("--create and --no-create exclude each other");
    s.create = w.create || (!w.no_create && w.spaces.empty());
    s.spaces_max = w.spaces_max;
    s.life_margin = duration_from("--life-margin", w.life_margin);
    s.resp = without_none(w.resp, "127.0.0.1:3476");
    s.http = without_none(w.http, "127.0.0.1:8476");
    s.unix_resp = w.unix_resp;
    s.unix_http = w.unix_http;
    char* end = nullptr;
    s.unix_mode = static_cast<unsigned>(std::strtoul(w.unix_mode.c_str(), &end, 8));
    if (*end != '\0' || w.unix_mode.empty() || s.unix_mode > 0777)
        throw std::invalid_argument("--unix-mode takes octal permissions, as 0660; not '" + w.unix_mode +
                                    "'");
    s.handover = w.handover;
    s.threads = w.threads;
    s.token = token_from(w);
    if (w.tls_certificate.empty() != w.tls_key.empty())
        throw std::invalid_argument("--tls-certificate and --tls-key go together");
    s.tls_certificate = w.tls_certificate;
    s.tls_key = w.tls_key;
    s.log_file = w.log_file;
    s.log_level = w.log_level;
    s.bounds = w.bounds;
    s.bounds.idle = ms_of("--idle-timeout", w.idle);
    s.bounds.request = ms_of("--request-timeout", w.request);
    s.bounds.send = ms_of("--send-timeout", w.send);
    s.bounds.wait = ms_of("--wait-max", w.wait);
    s.bounds.drain = ms_of("--drain-timeout", w.drain);
    s.bounds.drain_delay = ms_of("--drain-delay", w.drain_delay);
    if (s.bounds.ids_per_call == 0 || s.bounds.ids_per_call > 1'000'000)
        throw std::invalid_argument("--ids-per-call-max takes 1 to 1000000, as 10000");
    if (s.bounds.request_bytes < 1024 || s.bounds.request_bytes > std::size_t{64} * 1024 * 1024)
        throw std::invalid_argument("--request-bytes-max takes 1024 to 67108864, as 65536");
    if (s.bounds.request.count() <= 0 || s.bounds.send.count() <= 0)
        throw std::invalid_argument("--request-timeout and --send-timeout take a time above 0, as 10s");
    if (w.threads > 1024) throw std::invalid_argument("--threads takes 0 to 1024, as 4");
    s.test_clock_file = w.test_clock_file;
    return s;
}

/// Faults of arguments come out as such: one line, status 2.
settings meaning_or_usage(const written& w, std::string& remark) {
    try {
        return meaning_of(w, remark);
    } catch (const std::invalid_argument& e) {
        throw CLI::ValidationError("serve", e.what());
    }
}

int check(const settings& s, bool json) {
    const std::vector<std::string> faults = service::check(s);
    if (json) {
        std::cout << nlohmann::json{{"valid", faults.empty()},
                                    {"faults", faults},
                                    {"state", s.state.string()}}
                         .dump(2)
                  << '\n';
    } else if (faults.empty()) {
        std::cout << "the configuration is valid; state in " << s.state.string() << '\n';
    } else {
        for (const std::string& fault : faults) std::cerr << "firn: " << fault << '\n';
    }
    return faults.empty() ? 0 : 1;
}

void run(CLI::App& c, written& w) {
    if (w.print_commands) {
        std::cout << service::resp::commands_as_markdown();
        return;
    }
    std::set<std::string> given;
    for (const CLI::Option* o : c.get_options())
        if (o->count() > 0 && !o->get_lnames().empty()) given.insert(o->get_lnames().front());
    const written by_flags = w;
    if (!w.config.empty()) apply_file(c, w.config, given);

    std::string remark;
    const settings s = meaning_or_usage(w, remark);
    if (w.check) {
        if (const int status = check(s, w.json); status != 0) throw CLI::RuntimeError(status);
        return;
    }
    // Now, and not when a client first asks for a space.
    std::vector<service::space_settings> all = s.spaces;
    if (s.create) all.push_back(s.defaults);
    for (const service::space_settings& one : all) {
        try {
            firn::detail::checked_policy(one.ids);
        } catch (const firn::error& e) {
            throw CLI::ValidationError("serve", e.what());
        }
    }
    if (!remark.empty()) std::cerr << "firn: " << remark << '\n';
    const auto again = [by_flags, given] {
        written fresh = by_flags;
        CLI::App app;
        define(app, fresh);
        if (!fresh.config.empty()) apply_file(app, fresh.config, given);
        std::string ignored;
        return meaning_of(fresh, ignored);
    };
    if (const int status = service::serve(s, again); status != 0) throw CLI::RuntimeError(status);
}

}  // namespace

void add_serve(CLI::App& app) {
    auto* c = app.add_subcommand("serve", "Serve ids to Redis and HTTP clients");
    auto w = std::make_shared<written>();
    define(*c, *w);
    c->footer(
        "Without arguments it serves on loopback only: the Redis protocol on 127.0.0.1:3476, HTTP on "
        "127.0.0.1:8476.\n"
        "Each option can be set by an environment variable (--ahead-max: FIRN_AHEAD_MAX) or in a file "
        "(--config).\n\n"
        "Examples:\n"
        "  firn serve\n"
        "  firn serve --machine 7 --space orders --space users,layout=js53\n"
        "  firn serve --config /etc/firn/firn.conf --check\n"
        "  redis-cli -p 3476 FIRN.NEXT orders 3\n"
        "  curl -X POST http://127.0.0.1:8476/v1/spaces/orders/ids?count=3");
    c->callback([c, w] { run(*c, *w); });
}

}  // namespace firn::cli
