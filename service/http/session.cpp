#include "service/http/session.hpp"

#include <ctime>

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "firn/layouts.hpp"
#include "firn/rfc3339.hpp"
#include "firn/text.hpp"
#include "firn/version.hpp"
#include "service/core/decode.hpp"
#include "service/core/layout_text.hpp"
#include "service/http/openapi.hpp"
#include "service/metrics.hpp"

namespace firn::service::http {

namespace {

using nlohmann::json;
using std::chrono::nanoseconds;

constexpr nanoseconds making_pause = std::chrono::milliseconds{1};
constexpr nanoseconds making_limit = std::chrono::seconds{5};
constexpr std::string_view json_type = "application/json";
constexpr std::string_view text_type = "text/plain; charset=utf-8";
constexpr std::string_view retry_soon = "Retry-After: 1\r\n";
const std::string too_many = "too many connections are open; keep fewer, or raise --connections-max";

std::string_view words_of(unsigned status) noexcept {
    switch (status) {
        case 200:
            return "OK";
        case 400:
            return "Bad Request";
        case 401:
            return "Unauthorized";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 408:
            return "Request Timeout";
        case 413:
            return "Content Too Large";
        case 431:
            return "Request Header Fields Too Large";
        case 503:
            return "Service Unavailable";
        case 505:
            return "HTTP Version Not Supported";
        default:
            return "Error";
    }
}

/// The Date field, which changes once a second. Source: RFC 9110, 5.6.7.
std::string_view date_line() {
    struct cached {
        std::time_t of = -1;
        std::array<char, 64> text{};
        std::size_t size = 0;
    };
    thread_local cached c;
    const std::time_t now = std::time(nullptr);
    if (now != c.of) {
        std::tm parts{};
        ::gmtime_r(&now, &parts);
        c.size = std::strftime(c.text.data(), c.text.size(), "Date: %a, %d %b %Y %H:%M:%S GMT\r\n", &parts);
        c.of = now;
    }
    return {c.text.data(), c.size};
}

json json_of(const std::vector<reason>& reasons, bool warnings) {
    json list = json::array();
    for (const reason& r : reasons)
        if (r.warning == warnings) {
            json one{{"code", r.code}, {"detail", r.text}};
            if (!r.space.empty()) one["space"] = r.space;
            list.push_back(std::move(one));
        }
    return list;
}

json json_of(space& s) {
    const space::figures f = s.look();
    const auto reasons = s.reasons(std::chrono::hours{1});
    return {{"name", s.name()},
            {"layout", text_of(s.layout_of())},
            {"epoch", rfc3339(s.layout_of().first_instant())},
            {"life_end", rfc3339(s.layout_of().end_instant())},
            {"machine", s.machine()},
            {"issued", f.issued},
            {"ahead_ms", f.ahead_us / 1000},
            {"ceiling_ms", f.ceiling_us / 1000},
            {"ready", std::all_of(reasons.begin(), reasons.end(), [](const reason& r) { return r.warning; })},
            {"reasons", json_of(reasons, false)},
            {"warnings", json_of(reasons, true)}};
}

/// Text is asked for when it is named and JSON is not.
bool wants_text(std::string_view accept) noexcept {
    return accept.find("text/plain") != std::string_view::npos &&
           accept.find("json") == std::string_view::npos;
}

}  // namespace

session::session(context& c, peer p)
    : context_(c),
      peer_(std::move(p)),
      limits_(c.bounds()),
      limits_seen_(c.bounds_changed.load(std::memory_order_acquire)) {}

void session::head(unsigned status, std::string_view type, std::size_t size, std::string_view extra) {
    byte_buffer& out = *out_;
    if (status >= 400) context_.http.errors.fetch_add(1, std::memory_order_relaxed);
    if (status == 200) {
        out.append("HTTP/1.1 200 OK\r\nServer: firn\r\n");
    } else {
        out.append("HTTP/1.1 " + std::to_string(status) + ' ');
        out.append(words_of(status));
        out.append("\r\nServer: firn\r\n");
    }
    out.append(date_line());
    out.append("Content-Type: ");
    out.append(type);
    out.append("\r\nContent-Length: ");
    char* const digits = out.room(20);
    out.commit_to(std::to_chars(digits, digits + 20, size).ptr);
    out.append("\r\n");
    out.append(extra);
    if (close_)
        out.append("Connection: close\r\n");
    else if (http_1_0_)
        out.append("Connection: keep-alive\r\n");
    out.append("\r\n");
}

void session::respond(unsigned status, std::string_view type, std::string_view body, std::string_view extra) {
    head(status, type, body.size(), extra);
    if (!head_only_) out_->append(body);
}

void session::problem(unsigned status, std::string_view code, const std::string& detail,
                      std::string_view extra) {
    // Source: RFC 9457; about:blank says that the status tells the kind, and `code` which of ours it is.
    const json body{{"type", "about:blank"},
                    {"title", words_of(status)},
                    {"status", status},
                    {"code", code},
                    {"detail", detail}};
    respond(status, "application/problem+json",
            body.dump(-1, ' ', false, json::error_handler_t::replace) + '\n', extra);
}

void session::late(byte_buffer& out) {
    out_ = &out;
    close_ = true;
    problem(408, "late", "the request did not arrive within the time bound");
}

bool session::known_parameters(const url& u, std::initializer_list<std::string_view> names) {
    for (const auto& [key, value] : u.query)
        if (std::find(names.begin(), names.end(), key) == names.end()) {
            std::string known;
            for (const auto n : names) known += (known.empty() ? "" : ", ") + std::string{n};
            problem(
                400, "bad_parameter",
                "there is no parameter '" + key + "' here" + (known.empty() ? "" : "; there are: " + known));
            return false;
        }
    return true;
}

bool session::method_is(const request& r, std::string_view wanted) {
    if (r.method == wanted || (wanted == "GET" && r.method == "HEAD")) return true;
    problem(405, "bad_method", "this resource takes " + std::string{wanted},
            wanted == "GET" ? "Allow: GET, HEAD\r\n" : "Allow: POST\r\n");
    return false;
}

void session::live(const request& r, const url&) {
    if (method_is(r, "GET")) respond(200, text_type, "alive\n");
}

void session::ready(const request& r, const url& u) {
    if (!method_is(r, "GET") || !known_parameters(u, {"space"})) return;
    std::vector<reason> all = context_.reasons();
    if (const std::string* only = u.find("space"))
        std::erase_if(all, [&](const reason& why) { return !why.space.empty() && why.space != *only; });
    const bool is = std::all_of(all.begin(), all.end(), [](const reason& why) { return why.warning; });
    const json body{{"ready", is}, {"reasons", json_of(all, false)}, {"warnings", json_of(all, true)}};
    respond(is ? 200 : 503, json_type, body.dump() + '\n', is ? std::string_view{} : retry_soon);
}

void session::list_spaces(const request& r, const url& u) {
    if (!method_is(r, "GET") || !known_parameters(u, {})) return;
    json list = json::array();
    for (space* s : context_.spaces.all()) list.push_back(json_of(*s));
    respond(200, json_type, json{{"spaces", std::move(list)}}.dump() + '\n');
}

void session::one_space(const request& r, const url& u) {
    if (!method_is(r, "GET") || !known_parameters(u, {})) return;
    space* s = context_.spaces.find(u.path[2]);
    if (s == nullptr) return problem(404, "no_space", "there is no space '" + u.path[2] + "'");
    respond(200, json_type, json_of(*s).dump() + '\n');
}

void session::decode_id(const request& r, const url& u) {
    if (!method_is(r, "GET") || !known_parameters(u, {"layout", "space"})) return;
    const std::string& text = u.path[2];
    const parsed p = parse_decimal(text);
    if (!p)
        return problem(400, "bad_id",
                       "'" + text.substr(0, 64) + "' is no id: " + p.reason() +
                           "; an id is decimal, from 0 to 18446744073709551615, as 1593572310593806338");
    layout l = context_.spaces.defaults().ids.layout;
    if (const std::string* name = u.find("space")) {
        const space* s = context_.spaces.find(*name);
        if (s == nullptr) return problem(404, "no_space", "there is no space '" + *name + "'");
        l = s->layout_of();
    } else if (const std::string* named = u.find("layout")) {
        const layout* known = layouts::find(*named);
        if (known == nullptr) return problem(400, "bad_parameter", "there is no layout '" + *named + "'");
        l = *known;
    }
    json body = json::object();
    for (const named_value& v : decode(id{p.value}, l, system_clock::wall())) {
        if (v.number)
            body[v.name] = std::stoll(v.text);
        else if (v.boolean)
            body[v.name] = v.text == "true";
        else
            body[v.name] = v.text;
    }
    respond(200, json_type, body.dump() + '\n');
}

void session::begin_ids(const request& r, const url& u) {
    if (!method_is(r, "POST") || !known_parameters(u, {"count", "form"})) return;
    if (r.body_bytes > 0)
        return problem(400, "bad_body",
                       "this call takes no body; its parameters are in the address, as ?count=3");
    want_ = 1;
    if (const std::string* count = u.find("count")) {
        const parsed p = parse_decimal(*count, limits_.ids_per_call);
        if (!p || p.value == 0)
            return problem(400, "bad_parameter",
                           "count takes 1 to " + std::to_string(limits_.ids_per_call) +
                               ", digits only; not '" + count->substr(0, 64) + "'");
        want_ = static_cast<std::size_t>(p.value);
    }
    form_ = nullptr;
    if (const std::string* form = u.find("form")) {
        form_ = codecs::form_named(*form);
        if (form_ == nullptr) {
            std::string names;
            for (const auto& f : codecs::forms) names += (names.empty() ? "" : ", ") + std::string{f.name};
            return problem(400, "bad_parameter",
                           "form takes " + names + "; not '" + form->substr(0, 64) + "'");
        }
    }
    as_text_ = wants_text(r.accept);
    if (space_ == nullptr || space_name_ != u.path[2]) {
        space_name_ = u.path[2];
        space_ = context_.spaces.find(space_name_);
    }
    ids_.clear();
    owes_ = true;
}

bool session::may_wait(nanoseconds limit) {
    const auto now = context_.now();
    if (!waiting_) {
        waiting_ = true;
        waiting_since_ = now;
        return limit.count() > 0;
    }
    return now - waiting_since_ < limit;
}

void session::write_ids() {
    std::array<char, codecs::form_max_size> text;
    // The size comes first: it is told in the header.
    static thread_local byte_buffer body;
    body.clear();
    if (!as_text_) {
        body.append("{\"space\":\"");
        body.append(space_name_);
        body.append("\",\"ids\":[");
    }
    bool first = true;
    for (const id i : ids_) {
        char* const end = form_ != nullptr
                              ? form_->write(i.value, text.data())
                              : std::to_chars(text.data(), text.data() + text.size(), i.value).ptr;
        const std::string_view written{text.data(), static_cast<std::size_t>(end - text.data())};
        if (!as_text_) body.append(first ? "\"" : ",\"");
        body.append(written);
        body.append(as_text_ ? '\n' : '"');
        first = false;
    }
    if (!as_text_) body.append("]}\n");
    respond(200, as_text_ ? text_type : json_type, body.view());
}

bool session::pay(nanoseconds& delay) {
    const auto done = [this] {
        owes_ = false;
        if (waiting_ && space_ != nullptr) space_->count_wait(context_.now() - waiting_since_);
        waiting_ = false;
        return true;
    };
    if (space_ == nullptr) {
        const spaces::wanted w = context_.spaces.want(space_name_);
        if (w.pending) {
            if (may_wait(making_limit)) {
                delay = making_pause;
                return false;
            }
            problem(503, "try_again", "the space is still being made; retry", retry_soon);
            return done();
        }
        if (w.found == nullptr) {
            if (w.unknown)
                problem(404, "no_space", w.refusal);
            else if (!is_space_name(space_name_))
                problem(400, "bad_space", w.refusal);
            else
                problem(503, "space_not_made", w.refusal, retry_soon);
            return done();
        }
        space_ = w.found;
    }
    const std::size_t have = ids_.size();
    ids_.resize(want_);
    const taken t = space_->take(std::span{ids_}.subspan(have));
    ids_.resize(have + t.count);
    if (t.code == errc::ok) {
        write_ids();
        return done();
    }
    const nanoseconds pause = space_->pause(t);
    if (pause.count() > 0 && may_wait(limits_.wait)) {
        delay = pause;
        return false;
    }
    space_->count_refusal(t.code);
    problem(503, name_of(t.code), space_->explain(t.code, t.amount),
            t.code == errc::exhausted ? std::string_view{} : retry_soon);
    return done();
}

void session::dispatch(const request& r, const url& u) {
    const auto& path = u.path;
    const auto is = [&](std::initializer_list<std::string_view> segments) {
        // An empty segment stands for any.
        return std::equal(
            path.begin(), path.end(), segments.begin(), segments.end(),
            [](const std::string& have, std::string_view want) { return want.empty() || have == want; });
    };
    if (is({"livez"})) return live(r, u);
    if (is({"readyz"})) return ready(r, u);
    if (is({"openapi.json"})) {
        if (method_is(r, "GET")) respond(200, json_type, openapi_text());
        return;
    }
    if (peer_.surplus) {
        context_.connections.over_bound.fetch_add(1, std::memory_order_relaxed);
        return problem(503, "too_many_connections", too_many, retry_soon);
    }
    if (context_.asks_for_token()) {
        constexpr std::string_view scheme = "Bearer ";
        const std::string_view given = r.authorization;
        if (given.substr(0, scheme.size()) != scheme || !context_.is_token(given.substr(scheme.size())))
            return problem(401, "unauthorized", "this server asks for a token: Authorization: Bearer TOKEN",
                           "WWW-Authenticate: Bearer\r\n");
    }
    if (is({"v1", "spaces", "", "ids"})) return begin_ids(r, u);
    if (is({"v1", "ids", ""})) return decode_id(r, u);
    if (is({"v1", "spaces"})) return list_spaces(r, u);
    if (is({"v1", "spaces", ""})) return one_space(r, u);
    if (is({"metrics"})) {
        if (method_is(r, "GET"))
            respond(200, "text/plain; version=0.0.4; charset=utf-8", metrics_text(context_));
        return;
    }
    problem(404, "no_resource", "there is nothing here; /openapi.json says what there is");
}

const url* session::url_of(const std::string& target) {
    if (!last_url_ || last_target_ != target) {
        last_target_ = target;
        last_url_ = parse_url(target);
    }
    return last_url_ ? &*last_url_ : nullptr;
}

void session::answer(const request& r) {
    close_ = !r.keep_alive || draining_ || peer_.surplus;
    head_only_ = r.method == "HEAD";
    http_1_0_ = r.http_1_0;
    const url* u = url_of(r.target);
    if (u == nullptr)
        return problem(400, "bad_target", "the request's target is no path, or has a broken %XX");
    dispatch(r, *u);
}

progress session::run(std::string_view input, byte_buffer& out) {
    out_ = &out;
    if (const std::uint64_t now = context_.bounds_changed.load(std::memory_order_acquire);
        now != limits_seen_) {
        limits_seen_ = now;
        limits_ = context_.bounds();
    }
    std::size_t at = 0;
    nanoseconds delay{0};
    const auto end = [&](verdict what) { return progress{.what = what, .consumed = at, .delay = delay}; };
    for (;;) {
        if (owes_ && !pay(delay)) return end(verdict::wait);
        if (close_) return end(verdict::close);
        if (out.size() >= limits_.reply_bytes) return end(verdict::again);
        switch (reader_.read(input.substr(at), limits_.request_bytes)) {
            case reading::incomplete:
                return end(draining_ && !reader_.midway() ? verdict::close : verdict::hungry);
            case reading::broken:
                context_.connections.protocol_errors.fetch_add(1, std::memory_order_relaxed);
                close_ = true;
                head_only_ = false;
                problem(reader_.status(), "bad_request", "this is no HTTP/1.1 request: " + reader_.fault());
                return end(verdict::close);
            case reading::request:
                context_.http.requests.fetch_add(1, std::memory_order_relaxed);
                at += reader_.size();
                answer(reader_.get());
        }
    }
}

}  // namespace firn::service::http

namespace firn::service {

std::unique_ptr<engine> make_http_engine(context& c, peer p) {
    return std::make_unique<http::session>(c, std::move(p));
}

std::string_view http_too_many() {
    static const std::string text = [] {
        const std::string body =
            "{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
            "\"code\":\"too_many_connections\",\"detail\":\"" +
            http::too_many + "\"}\n";
        return "HTTP/1.1 503 Service Unavailable\r\nServer: firn\r\nContent-Type: "
               "application/problem+json\r\n"
               "Retry-After: 1\r\nConnection: close\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
    }();
    return text;
}

}  // namespace firn::service
