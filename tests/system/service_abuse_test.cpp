// Clients that are slow, rude, too many or gone.
#include "tests/system/service_support.hpp"

namespace firn::service::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

std::string metric(const running_server& s, const std::string& name) {
    const std::string text = http(s.http_port, "GET", "/metrics").text;
    const std::size_t at = text.find("\n" + name + " ");
    return at == std::string::npos
               ? ""
               : text.substr(at + name.size() + 2, text.find('\n', at + 1) - at - name.size() - 2);
}

TEST(Abuse, AHalfClosedClientGetsAllItsReplies) {
    running_server s;
    wire c(s.resp);
    c.send("PING\r\nFIRN.NEXT orders 1000\r\nPING\r\n");
    c.half_close();
    const std::string all = c.all();
    EXPECT_THAT(all, StartsWith("+PONG\r\n*1000\r\n"));
    EXPECT_THAT(all, EndsWith("+PONG\r\n"));
    wire h(s.http_port);
    h.send("POST /v1/spaces/orders/ids HTTP/1.1\r\nHost: x\r\n\r\n");
    h.half_close();
    EXPECT_THAT(h.all(), StartsWith("HTTP/1.1 200"));
}

TEST(Abuse, OneClientTooManyIsToldSo) {
    running_server s({"--connections-max", "3"});
    wire a(s.resp);
    wire b(s.resp);
    ASSERT_EQ(a.ask("PING\r\n"), "+PONG\r\n");
    ASSERT_EQ(b.ask("PING\r\n"), "+PONG\r\n");
    {
        wire c(s.http_port);
        ASSERT_THAT(c.ask("GET /livez HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
        EXPECT_EQ(wire(s.resp).all(), "-ERR max number of clients reached\r\n");
        const reply refused = http(s.http_port, "POST", "/v1/spaces/orders/ids");
        EXPECT_EQ(refused.status, 503);
        EXPECT_THAT(refused.text, HasSubstr("--connections-max"));
        // Full is no reason to be killed: the probes are answered.
        EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
        EXPECT_EQ(http(s.http_port, "GET", "/readyz").status, 200);
        // But for probes past their own bound, which nobody asks for.
        std::vector<std::unique_ptr<wire>> silent;
        for (int i = 0; i < 40; ++i) silent.push_back(std::make_unique<wire>(s.http_port));
        EXPECT_THAT(silent.back()->all(), StartsWith("HTTP/1.1 503"));
    }
    EXPECT_TRUE(eventually([&] { return wire(s.resp).ask("PING\r\n") == "+PONG\r\n"; }));
    // The last client counts until the server has seen its end; until then, this one may be the surplus.
    EXPECT_TRUE(eventually([&] {
        return std::atoi(metric(s, "firn_connections_refused_total{reason=\"bound\"}").c_str()) >= 26;
    }));
}

TEST(Abuse, SlowAndIdleClientsAreClosed) {
    running_server s({"--request-timeout", "200ms", "--idle-timeout", "600ms"});
    wire slow(s.resp);
    slow.send("*2\r\n$4\r\nIN");
    wire slow_http(s.http_port);
    slow_http.send("GET /livez HTTP/1.1\r\nHos");
    wire idle(s.resp);
    EXPECT_EQ(idle.ask("PING\r\n"), "+PONG\r\n");
    const auto begin = clock_type::now();
    EXPECT_THAT(slow.all(), StartsWith("-ERR the command did not arrive"));
    EXPECT_THAT(slow_http.all(), StartsWith("HTTP/1.1 408"));
    EXPECT_EQ(idle.all(), "");
    EXPECT_GE(clock_type::now() - begin, 300ms);
    EXPECT_LT(clock_type::now() - begin, 4s);
    EXPECT_EQ(metric(s, "firn_connections_timed_out_total{kind=\"slow\"}"), "2");
    EXPECT_EQ(metric(s, "firn_connections_timed_out_total{kind=\"idle\"}"), "1");
}

TEST(Abuse, AClientThatDripsBytesGetsNoMoreTimeForIt) {
    running_server s({"--request-timeout", "300ms"});
    wire c(s.resp);
    const auto begin = clock_type::now();
    std::string reply;
    for (const char b : std::string("*2\r\n$4\r\nINCR\r\n$60000\r\n") + std::string(1000, 'a')) {
        if (!c.send(std::string(1, b)) || !(reply = c.some(20ms)).empty()) break;
    }
    EXPECT_THAT(reply, StartsWith("-ERR the command did not arrive"));
    EXPECT_LT(clock_type::now() - begin, 4s);
}

TEST(Abuse, AClientThatNeverReadsIsClosedAndCostsLittle) {
    running_server s({"--send-timeout", "300ms"});
    wire c(s.resp);
    std::string many;
    for (int i = 0; i < 2000; ++i) many += "FIRN.NEXT orders 1000\r\n";  // some 54 MB of replies
    c.send(many);
    EXPECT_TRUE(
        eventually([&] { return metric(s, "firn_connections_timed_out_total{kind=\"slow\"}") == "1"; }));
    std::ifstream status("/proc/" + std::to_string(s.pid) + "/status");
    std::string line;
    long peak_kb = 0;
    while (std::getline(status, line))
        if (line.rfind("VmHWM:", 0) == 0) peak_kb = std::atol(line.c_str() + 6);
    if (FIRN_SLOWNESS == 1) {
        EXPECT_LT(peak_kb, 64 * 1024);
    }
}

TEST(Abuse, HostileInputEndsTheConnectionAndNothingElse) {
    running_server s;
    wire good(s.resp);
    for (const std::string& bytes :
         {std::string("*1000000000\r\n"), std::string("*1\r\n$1000000000\r\n"), std::string("*1\r\n:1\r\n"),
          std::string(100'000, 'x'), std::string("*3\r\n$-5\r\n"), std::string("\x16\x03\x01\x02\n"),
          std::string("*-2147483649\r\n")}) {
        wire c(s.resp);
        c.send(bytes);
        c.half_close();
        EXPECT_THAT(c.all(), HasSubstr("-ERR")) << bytes.substr(0, 30);
        wire h(s.http_port);
        h.send(bytes);
        h.half_close();
        const std::string reply = h.all();
        EXPECT_TRUE(reply.empty() || reply.rfind("HTTP/1.1 4", 0) == 0) << reply;
    }
    EXPECT_EQ(good.ask("PING\r\n"), "+PONG\r\n");
}

// A page in a browser can have a form sent to any port of this host, with commands in its body.
TEST(Abuse, AnHttpRequestRunsNoCommands) {
    running_server s;
    wire c(s.resp);
    c.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 13\r\n\r\nINCR orders\r\n");
    const std::string reply = c.all();
    EXPECT_THAT(reply, StartsWith("-ERR "));
    EXPECT_EQ(std::count(reply.begin(), reply.end(), '\n'), 1);
}

TEST(Abuse, WithoutDescriptorsClientsAreToldAndTheOthersGoOn) {
    running_server s({"--threads", "1", "--spaces-max", "1"}, {.descriptors = 110});
    wire first(s.resp);
    ASSERT_THAT(first.ask("INCR orders\r\n"), StartsWith(":"));
    std::vector<std::unique_ptr<wire>> many;
    for (int i = 0; i < 150; ++i) many.push_back(std::make_unique<wire>(s.resp));
    EXPECT_THAT(many.back()->all(), StartsWith("-ERR max number of clients reached"));
    EXPECT_THAT(first.ask("INCR orders\r\n"), StartsWith(":"));
    many.clear();
    EXPECT_TRUE(eventually([&] { return wire(s.resp).ask("PING\r\n") == "+PONG\r\n"; }));
    EXPECT_TRUE(eventually([&] { return metric(s, "firn_connections") == "2"; }));
}

TEST(Abuse, WithoutDescriptorsTheProbesAreAnswered) {
    running_server s({"--threads", "1"});
    wire first(s.resp);
    ASSERT_THAT(first.ask("INCR orders\r\n"), StartsWith(":"));
    const auto lowest_free = [&] {
        rlim_t n = 0;
        while (std::filesystem::exists("/proc/" + std::to_string(s.pid) + "/fd/" + std::to_string(n))) ++n;
        return n;
    };
    rlimit bound{};
    ASSERT_EQ(::prlimit(s.pid, RLIMIT_NOFILE, nullptr, &bound), 0);
    bound.rlim_cur = lowest_free();
    ASSERT_EQ(::prlimit(s.pid, RLIMIT_NOFILE, &bound, nullptr), 0);
    for (int i = 0; i < 3; ++i) {
        EXPECT_THAT(wire(s.resp).all(), StartsWith("-ERR max number of clients reached"));
        EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
        EXPECT_EQ(http(s.http_port, "POST", "/v1/spaces/orders/ids").status, 503);
    }
    // Those who say nothing, or not all of it, do not keep the probes waiting for the time of a request (10
    // s).
    wire silent(s.http_port);
    wire half(s.http_port);
    half.send("GET /livez HTT");
    EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
    EXPECT_THAT(silent.all(), StartsWith("HTTP/1.1 503"));
    EXPECT_THAT(half.all(), StartsWith("HTTP/1.1 408"));
    EXPECT_THAT(first.ask("INCR orders\r\n"), StartsWith(":"));
    bound.rlim_cur = bound.rlim_max;
    ASSERT_EQ(::prlimit(s.pid, RLIMIT_NOFILE, &bound, nullptr), 0);
    EXPECT_TRUE(eventually([&] { return wire(s.resp).ask("PING\r\n") == "+PONG\r\n"; }));
}

TEST(Abuse, ALogThatNobodyReadsHoldsUpNobody) {
    running_server s;
    const int full =
        ::open(("/proc/" + std::to_string(s.pid) + "/fd/2").c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    ASSERT_GE(full, 0);
    const std::string rest(4096, '\n');
    while (::write(full, rest.data(), rest.size()) > 0) {
    }
    while (::write(full, "\n", 1) > 0) {
    }
    ::close(full);
    s.signal(SIGHUP);  // and a line in the log
    EXPECT_EQ(wire(s.resp).ask("PING\r\n"), "+PONG\r\n");
    s.signal(SIGHUP);
    EXPECT_EQ(http(s.http_port, "GET", "/livez").status, 200);
    EXPECT_EQ(s.terminate(), 0);
}

TEST(Abuse, PipelinesOfEverySizeAreAnsweredWhole) {
    running_server s;
    for (const std::size_t n : {1U, 16U, 64U, 1000U, 20000U}) {
        wire c(s.resp);
        std::string many;
        for (std::size_t i = 0; i < n; ++i) many += "INCR orders\r\n";
        std::vector<std::uint64_t> ids;
        collect_ids(c.ask(many, n), ids);
        EXPECT_EQ(ids.size(), n);
        EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    }
}

}  // namespace
}  // namespace firn::service::test
