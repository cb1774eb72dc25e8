#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "firn/layouts.hpp"
#include "firn/text.hpp"
#include "service/http/openapi.hpp"
#include "service/http/url.hpp"
#include "tests/unit/service/harness.hpp"

namespace firn::service::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::StartsWith;

struct response {
    int status = 0;
    std::string type;
    std::string head;
    std::string body;
    json as_json() const { return json::parse(body); }
};

/// Cuts the first response off the front of `bytes`.
response take_response(std::string& bytes, bool with_body = true) {
    const std::size_t end = bytes.find("\r\n\r\n");
    if (end == std::string::npos) return {};
    response r;
    r.head = bytes.substr(0, end + 2);
    std::smatch m;
    std::regex_search(r.head, m, std::regex("^HTTP/1.1 ([0-9]{3}) "));
    r.status = std::stoi(m[1]);
    std::regex_search(r.head, m, std::regex("Content-Type: ([^;\r]*)"));
    r.type = m[1];
    std::regex_search(r.head, m, std::regex("Content-Length: ([0-9]+)"));
    const std::size_t size = with_body ? std::stoul(m[1]) : 0;
    r.body = bytes.substr(end + 4, size);
    bytes.erase(0, end + 4 + size);
    return r;
}

response ask(harness& h, const std::string& method, const std::string& target,
             const std::string& fields = {}) {
    std::string bytes = h.say(method + " " + target + " HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n");
    response r = take_response(bytes, method != "HEAD");
    EXPECT_EQ(bytes, "");
    return r;
}

TEST(Url, DecodesSegmentsAndParameters) {
    const auto u = http::parse_url("/v1/spaces/a%3Ab/ids?count=3&x=%20&flag");
    ASSERT_TRUE(u);
    EXPECT_EQ(u->path, (std::vector<std::string>{"v1", "spaces", "a:b", "ids"}));
    EXPECT_EQ(*u->find("count"), "3");
    EXPECT_EQ(*u->find("x"), " ");
    EXPECT_EQ(*u->find("flag"), "");
    EXPECT_EQ(u->find("y"), nullptr);
    for (const char* broken : {"", "x", "/%", "/%1", "/%zz", "/a?b=%f", "*"})
        EXPECT_FALSE(http::parse_url(broken)) << broken;
}

TEST(Http, GivesIdsAsStrings) {
    harness h(true);
    h.open("orders");
    const response one = ask(h, "POST", "/v1/spaces/orders/ids");
    EXPECT_EQ(one.status, 200);
    EXPECT_EQ(one.as_json()["space"], "orders");
    ASSERT_TRUE(one.as_json()["ids"][0].is_string());
    const response many = ask(h, "POST", "/v1/spaces/orders/ids?count=1000");
    std::set<std::string> distinct;
    const json many_ids = many.as_json()["ids"];
    for (const auto& text : many_ids) distinct.insert(text.get<std::string>());
    EXPECT_EQ(distinct.size(), 1000U);
    EXPECT_EQ(distinct.count(one.as_json()["ids"][0]), 0U);
    const response text = ask(h, "POST", "/v1/spaces/orders/ids?count=2&form=hex", "Accept: text/plain\r\n");
    EXPECT_EQ(text.type, "text/plain");
    EXPECT_TRUE(std::regex_match(text.body, std::regex("([0-9a-f]{16}\n){2}"))) << text.body;
}

TEST(Http, TheSameAnswersInPiecesOfAnySize) {
    const std::string requests =
        "GET /livez HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/ids/1 HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n"
        "GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
        "GET /nothing HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
    for (std::size_t piece = 1; piece <= requests.size(); ++piece) {
        harness h(true);
        std::string replies;
        for (std::size_t at = 0; at < requests.size(); at += piece)
            replies += h.say(std::string_view{requests}.substr(at, piece));
        std::vector<int> statuses;
        while (!replies.empty()) statuses.push_back(take_response(replies).status);
        ASSERT_EQ(statuses, (std::vector<int>{200, 200, 200, 404})) << piece;
        piece += piece > 20 ? 50 : 0;
    }
}

TEST(Http, RefusesWithProblems) {
    harness h(true);
    h.open("orders");
    const auto problem = [&](const std::string& method, const std::string& target, int status,
                             const std::string& code) {
        const response r = ask(h, method, target);
        EXPECT_EQ(r.status, status) << target;
        EXPECT_EQ(r.type, "application/problem+json") << target;
        EXPECT_EQ(r.as_json()["code"], code) << target;
        EXPECT_EQ(r.as_json()["status"], status);
    };
    for (const char* count : {"0", "-1", "10001", "x", "01", ""})
        problem("POST", std::string{"/v1/spaces/orders/ids?count="} + count, 400, "bad_parameter");
    problem("POST", "/v1/spaces/orders/ids?cuont=3", 400, "bad_parameter");
    problem("POST", "/v1/spaces/orders/ids?form=base64", 400, "bad_parameter");
    problem("POST", "/v1/spaces/..%2fx/ids", 400, "bad_space");
    problem("GET", "/v1/spaces/orders/ids", 405, "bad_method");
    problem("DELETE", "/v1/spaces", 405, "bad_method");
    problem("GET", "/v1/spaces/none", 404, "no_space");
    problem("GET", "/", 404, "no_resource");
    for (const char* text : {"14755887168818983731200", "-1", "18446744073709551616", "12%20", "1e3", "0x1"})
        problem("GET", std::string{"/v1/ids/"} + text, 400, "bad_id");
    problem("GET", "/v1/ids/1?layout=none", 400, "bad_parameter");
    problem("GET", "/v1/ids/%", 400, "bad_target");
    EXPECT_EQ(ask(h, "POST", "/v1/spaces/orders/ids", "Content-Length: 2\r\n").status,
              0);  // its body is to come
    std::string rest = h.say("{}");
    EXPECT_EQ(take_response(rest).as_json()["code"], "bad_body");
}

TEST(Http, EndsWhatIsNoHttp) {
    for (const char* bytes :
         {"BLAH\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nbad header\r\n\r\n",
          "*1\r\n$4\r\nPING\r\n", "GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
          "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"}) {
        harness h(true);
        std::string reply = h.say(bytes);
        EXPECT_GE(take_response(reply).status, 400) << bytes;
        EXPECT_EQ(h.last.what, verdict::close) << bytes;
    }
    harness h(true);
    std::string reply = h.say("GET / HTTP/1.1\r\nX: " + std::string(20'000, 'a'));
    EXPECT_EQ(take_response(reply).status, 431);
    h.reconnect(true);
    reply = h.say("POST / HTTP/1.1\r\nContent-Length: 100000000\r\n\r\n");
    EXPECT_EQ(take_response(reply).status, 413);
}

TEST(Http, KeepsAliveAsTheVersionSays) {
    harness h(true);
    EXPECT_THAT(ask(h, "GET", "/livez").head, testing::Not(HasSubstr("Connection:")));
    EXPECT_THAT(ask(h, "GET", "/livez", "Connection: close\r\n").head, HasSubstr("Connection: close\r\n"));
    EXPECT_EQ(h.last.what, verdict::close);
    h.reconnect(true);
    std::string reply = h.say("GET /livez HTTP/1.0\r\n\r\n");
    EXPECT_THAT(reply, HasSubstr("Connection: close\r\n"));
    h.reconnect(true);
    reply = h.say("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_THAT(reply, HasSubstr("Connection: keep-alive\r\n"));
    const response head = ask(h, "HEAD", "/livez");
    EXPECT_EQ(head.status, 200);
    h.reconnect(true);
    h.connection->drain();
    EXPECT_THAT(ask(h, "GET", "/livez").head, HasSubstr("Connection: close\r\n"));
}

TEST(Http, AliveIsNotReady) {
    harness h(true, [](settings& s) { s.defaults.ids.ahead_max = std::chrono::seconds{10}; });
    h.open("orders");
    ask(h, "POST", "/v1/spaces/orders/ids");
    EXPECT_EQ(ask(h, "GET", "/readyz").status, 200);
    h.time->step(-60'000);
    EXPECT_EQ(ask(h, "GET", "/livez").status, 200);
    const response not_ready = ask(h, "GET", "/readyz");
    EXPECT_EQ(not_ready.status, 503);
    EXPECT_EQ(not_ready.as_json()["reasons"][0]["code"], "ahead_limit");
    EXPECT_EQ(not_ready.as_json()["reasons"][0]["space"], "orders");
    EXPECT_EQ(ask(h, "GET", "/readyz?space=users").status, 200);
    const response refused = ask(h, "POST", "/v1/spaces/orders/ids");
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.as_json()["code"], "ahead_limit");
    EXPECT_THAT(refused.head, HasSubstr("Retry-After: 1"));
    EXPECT_THAT(ask(h, "GET", "/metrics").body,
                HasSubstr("firn_commands_refused_total{space=\"orders\",reason=\"ahead_limit\"} 1"));
    // Mended: but a step forward by more than 5 s is believed only when it has held for a minute.
    h.time->step(60'000);
    EXPECT_EQ(ask(h, "GET", "/readyz").as_json()["warnings"][0]["code"], "clock_doubted");
    h.time->pass(60'000);
    EXPECT_EQ(ask(h, "GET", "/readyz").status, 200);
    EXPECT_EQ(ask(h, "POST", "/v1/spaces/orders/ids").status, 200);
}

TEST(Http, EachReasonIsTold) {
    harness h(true, [](settings& s) { s.defaults.ids.rewind = rewind_policy::refuse; });
    h.open("orders");
    ask(h, "POST", "/v1/spaces/orders/ids");
    const auto codes = [&](const char* kind) {
        std::set<std::string> all;
        const json body = ask(h, "GET", "/readyz").as_json();
        for (const auto& r : body[kind]) all.insert(r["code"].get<std::string>());
        return all;
    };
    h.time->step(-2'000);
    EXPECT_EQ(codes("reasons"), std::set<std::string>{"clock_rewound"});
    h.time->pass(3'000);
    EXPECT_EQ(codes("reasons"), std::set<std::string>{});
    h.time->step(400'000);
    EXPECT_EQ(codes("reasons"), std::set<std::string>{});
    EXPECT_EQ(codes("warnings"), std::set<std::string>{"clock_doubted"});
    h.time->step(-400'000);
    EXPECT_EQ(codes("warnings"), std::set<std::string>{});
    const std::int64_t end_ms = std::int64_t{1} << 41;
    const std::int64_t now_ms = h.time->wall_ns() / 1'000'000 - layouts::standard.epoch_ms;
    h.time->pass(end_ms - now_ms - 30 * 60'000);
    EXPECT_EQ(codes("reasons"), std::set<std::string>{"life_ending"});
    h.time->pass(60 * 60'000);
    EXPECT_EQ(codes("reasons"), std::set<std::string>{"exhausted"});
    h.shared->draining = true;
    EXPECT_EQ(codes("reasons"), (std::set<std::string>{"draining", "exhausted"}));
    EXPECT_EQ(ask(h, "GET", "/livez").status, 200);
}

TEST(Http, AsksForTheTokenButNotOfProbes) {
    harness h(true, [](settings& s) { s.token = "open sesame"; });
    h.open("orders");
    for (const char* target : {"/v1/spaces", "/v1/ids/1", "/metrics"}) {
        EXPECT_EQ(ask(h, "GET", target).status, 401);
        EXPECT_EQ(ask(h, "GET", target, "Authorization: Bearer open sesam\r\n").status, 401);
        EXPECT_EQ(ask(h, "GET", target, "Authorization: Basic open sesame\r\n").status, 401);
        EXPECT_EQ(ask(h, "GET", target, "Authorization: Bearer open sesame\r\n").status, 200);
    }
    for (const char* target : {"/livez", "/readyz", "/openapi.json"})
        EXPECT_EQ(ask(h, "GET", target).status, 200);
}

// The description is checked against the server: as much of JSON Schema as it uses.
class checker {
  public:
    explicit checker(const json& document) : document_(document) {}

    const json& resolved(const json& schema) const {
        if (!schema.contains("$ref")) return schema;
        return document_.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
    }

    void check(const json& value, const json& given, const std::string& where) const {
        const json& schema = resolved(given);
        const std::string type = schema.value("type", "");
        EXPECT_TRUE((type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
                    (type == "string" && value.is_string()) ||
                    (type == "integer" && value.is_number_integer()) ||
                    (type == "boolean" && value.is_boolean()))
            << where << " is no " << type << ": " << value;
        if (schema.contains("pattern")) {
            EXPECT_TRUE(
                std::regex_search(value.get<std::string>(), std::regex(schema["pattern"].get<std::string>())))
                << where << ": " << value;
        }
        for (const auto& name : schema.value("required", json::array()))
            EXPECT_TRUE(value.contains(name.get<std::string>())) << where << " lacks " << name;
        const json properties = schema.value("properties", json::object());
        if (value.is_object())
            for (const auto& [name, member] : value.items()) {
                if (properties.contains(name))
                    check(member, properties[name], where + "." + name);
                else
                    EXPECT_NE(schema.value("additionalProperties", json(true)), json(false))
                        << where << ": " << name;
            }
        if (value.is_array()) {
            EXPECT_GE(value.size(), schema.value("minItems", 0U)) << where;
            for (const auto& item : value) check(item, schema["items"], where + "[]");
        }
    }

  private:
    const json& document_;
};

TEST(OpenApi, DescribesWhatTheServerDoes) {
    const json document = json::parse(http::openapi_text());
    const checker against(document);
    harness h(true, [](settings& s) { s.defaults.ids.ahead_max = std::chrono::seconds{10}; });
    h.open("orders");

    const auto check = [&](const json& operation, const response& r, const std::string& where) {
        const json& responses = operation["responses"];
        const std::string status = std::to_string(r.status);
        ASSERT_TRUE(responses.contains(status)) << where << " answered " << status << ": " << r.body;
        const json& content = responses[status]["content"];
        ASSERT_TRUE(content.contains(r.type)) << where << " answered " << status << " as " << r.type;
        if (r.type != "text/plain")
            against.check(r.as_json(), content[r.type]["schema"], where + " " + status);
    };
    std::size_t operations = 0;
    for (const auto& [path, item] : document["paths"].items()) {
        for (const auto& [method, operation] : item.items()) {
            ++operations;
            std::string target = path;
            std::string query;
            for (const json& parameter : operation.value("parameters", json::array())) {
                const std::string name = parameter["name"];
                const json example = parameter.contains("example")
                                         ? parameter["example"]
                                         : parameter["schema"].value("example", json());
                const std::string value = example.is_string() ? example.get<std::string>() : example.dump();
                if (parameter["in"] == "path")
                    target = std::regex_replace(target, std::regex("\\{" + name + "\\}"), value);
                else if (!example.is_null())
                    query += (query.empty() ? "?" : "&") + name + "=" + value;
            }
            ASSERT_EQ(target.find('{'), std::string::npos) << "a path parameter without an example: " << path;
            const std::string upper = method == "get" ? "GET" : "POST";
            const std::string where = upper + " " + path;
            const response good = ask(h, upper, target + query);
            EXPECT_EQ(good.status, 200) << where;
            check(operation, good, where);
            check(operation, ask(h, upper == "GET" ? "POST" : "GET", target), where);
            if (operation["responses"].contains("400"))
                check(operation, ask(h, upper, target + "?no_such_parameter=1"), where);
        }
    }
    EXPECT_EQ(operations, 8U);

    h.time->step(-60'000);
    check(document["paths"]["/readyz"]["get"], ask(h, "GET", "/readyz"), "GET /readyz");
    check(document["paths"]["/v1/spaces/{space}/ids"]["post"], ask(h, "POST", "/v1/spaces/orders/ids"),
          "POST ids");
    check(document["paths"]["/v1/spaces"]["get"], ask(h, "GET", "/v1/spaces"), "GET /v1/spaces");
}

TEST(Metrics, FollowPrometheusNamesAndUnits) {
    harness h(true);
    h.open("orders");
    ask(h, "POST", "/v1/spaces/orders/ids?count=5");
    const std::string text = ask(h, "GET", "/metrics").body;
    EXPECT_THAT(text, HasSubstr("firn_ids_issued_total{space=\"orders\"} 5\n"));
    const std::regex type_line("# TYPE (\\S+) (\\S+)");
    std::size_t families = 0;
    for (auto m = std::sregex_iterator(text.begin(), text.end(), type_line); m != std::sregex_iterator();
         ++m) {
        const std::string name = (*m)[1];
        ++families;
        EXPECT_TRUE(std::regex_match(name, std::regex("firn_[a-z_]+"))) << name;
        EXPECT_EQ((*m)[2] == "counter", name.size() > 6 && name.substr(name.size() - 6) == "_total") << name;
        EXPECT_EQ(name.find("_ms"), std::string::npos) << "base units: " << name;
        EXPECT_THAT(text, HasSubstr("# HELP " + name + " "));
    }
    EXPECT_GT(families, 20U);
}

}  // namespace
}  // namespace firn::service::test
