// Clients as people have them, unmodified, against `firn serve`. One that is not installed shows as skipped.
#include <hiredis/hiredis.h>

#include "tests/system/service_support.hpp"

namespace firn::service::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Clients, RedisCli) {
    if (!installed("redis-cli")) GTEST_SKIP() << "redis-cli is not installed";
    running_server s;
    const std::string cli = "redis-cli -p " + std::to_string(s.resp) + " ";
    EXPECT_EQ(shell(cli + "PING").output, "PONG\n");
    EXPECT_EQ(shell(cli + "FIRN.NEXT orders 3 | sort -u | wc -l").output, "3\n");
    EXPECT_EQ(shell(cli + "-3 HELLO | head -1").output, "server firn\n");
    EXPECT_THAT(shell(cli + "FIRN.DECODE 1593572310593806338 twitter").output,
                HasSubstr("2022-11-18T11:50:20.644Z"));
    EXPECT_EQ(shell("yes INCR orders | head -1000 | " + cli + "| sort -u | wc -l").output, "1000\n");
    EXPECT_EQ(shell("printf 'PING\\r\\n%.0s' 1 2 3 | " + cli + "--pipe").status, 0);
    EXPECT_EQ(s.terminate(), 0);
}

TEST(Clients, RedisBenchmark) {
    if (!installed("redis-benchmark")) GTEST_SKIP() << "redis-benchmark is not installed";
    running_server s;
    const finished f =
        shell("redis-benchmark -p " + std::to_string(s.resp) + " -t incr,ping -n 20000 -P 16 -q");
    EXPECT_EQ(f.status, 0);
    EXPECT_THAT(f.output, HasSubstr("INCR: "));
    EXPECT_THAT(f.output, testing::Not(HasSubstr("WARNING")));
    EXPECT_THAT(f.output, testing::Not(HasSubstr("rror")));
}

TEST(Clients, Hiredis) {
    running_server s;
    redisContext* c = redisConnect("127.0.0.1", s.resp);
    ASSERT_EQ(c->err, 0);
    const auto ask = [&](const char* command) {
        return std::unique_ptr<redisReply, void (*)(void*)>(
            static_cast<redisReply*>(redisCommand(c, command)), &freeReplyObject);
    };
    EXPECT_EQ(ask("FIRN.NEXT orders")->type, REDIS_REPLY_STRING);
    EXPECT_EQ(ask("INCR orders")->type, REDIS_REPLY_INTEGER);
    EXPECT_EQ(ask("FIRN.NEXT orders 100")->elements, 100U);
    EXPECT_EQ(ask("FIRN.RANGE orders 100")->elements, 3U);
    EXPECT_EQ(ask("NONSENSE")->type, REDIS_REPLY_ERROR);
    for (int i = 0; i < 1000; ++i) redisAppendCommand(c, "INCR orders");
    long long before = 0;
    for (int i = 0; i < 1000; ++i) {
        void* reply = nullptr;
        ASSERT_EQ(redisGetReply(c, &reply), REDIS_OK);
        EXPECT_GT(static_cast<redisReply*>(reply)->integer, before);
        before = static_cast<redisReply*>(reply)->integer;
        freeReplyObject(reply);
    }
    redisFree(c);
}

TEST(Clients, Curl) {
    if (!installed("curl")) GTEST_SKIP() << "curl is not installed";
    running_server s;
    const std::string base = "http://127.0.0.1:" + std::to_string(s.http_port);
    EXPECT_THAT(shell("curl -sS -X POST '" + base + "/v1/spaces/orders/ids?count=2'").output,
                StartsWith("{\"space\":\"orders\",\"ids\":[\""));
    EXPECT_EQ(shell("curl -sS -X POST -H 'Accept: text/plain' '" + base +
                    "/v1/spaces/orders/ids?count=5' | sort -u | wc -l")
                  .output,
              "5\n");
    EXPECT_EQ(shell("curl -sS -d '' -o /dev/null -w '%{http_code}' " + base + "/v1/spaces/orders/ids").output,
              "200");
    EXPECT_EQ(shell("curl -sS -o /dev/null -w '%{http_code}' " + base + "/v1/spaces/orders/ids").output,
              "405");
    EXPECT_EQ(shell("curl -sSI -o /dev/null -w '%{http_code}' " + base + "/livez").output, "200");
}

// Beyond 2^53 JavaScript loses digits: 1593572310593806338 would become ...806336.
TEST(Clients, NodeKeepsEveryDigit) {
    if (!installed("node")) GTEST_SKIP() << "node is not installed";
    running_server s;
    const std::string script =
        "const r = await fetch('http://127.0.0.1:" + std::to_string(s.http_port) +
        "/v1/ids/1593572310593806338?layout=twitter'); console.log((await r.json()).id);"
        "const p = await fetch('http://127.0.0.1:" +
        std::to_string(s.http_port) +
        "/v1/spaces/orders/ids', {method: 'POST'}); console.log(typeof (await p.json()).ids[0]);";
    EXPECT_EQ(shell("node --input-type=module -e \"" + script + "\"").output,
              "1593572310593806338\nstring\n");
    wire c(s.resp);
    EXPECT_THAT(c.ask("FIRN.DECODE 1593572310593806338 twitter\r\n", 5),
                HasSubstr("\r\n$19\r\n1593572310593806338\r\n"));
    EXPECT_THAT(c.ask("FIRN.NEXT orders\r\n", 2), StartsWith("$"));
}

TEST(Clients, NodeRedis) {
    const std::string path = "NODE_PATH=/usr/share/nodejs:/usr/lib/nodejs ";
    if (shell(path + "node -e \"require('redis')\"").status != 0)
        GTEST_SKIP() << "node-redis is not installed";
    running_server s;
    const std::string script =
        "const {createClient} = require('redis'); (async () => {"
        "const c = createClient({url: 'redis://127.0.0.1:" +
        std::to_string(s.resp) +
        "'});"
        "c.on('error', e => { console.log('error', e.message); process.exit(1); });"
        "await c.connect();"
        "const one = await c.sendCommand(['FIRN.NEXT', 'orders']);"
        "const many = await Promise.all(Array.from({length: 500}, () => c.sendCommand(['FIRN.NEXT', "
        "'orders'])));"
        "console.log(typeof one, new Set([one, ...many]).size, await c.ping());"
        "await c.quit(); })();";
    EXPECT_EQ(shell(path + "node -e \"" + script + "\"").output, "string 501 PONG\n");
}

TEST(Clients, TlsAndTheToken) {
    if (!installed("openssl") || !installed("curl")) GTEST_SKIP() << "openssl or curl is not installed";
    scratch_directory d;
    ASSERT_EQ(shell("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "
                    "/CN=localhost "
                    "-addext subjectAltName=IP:127.0.0.1 -keyout " +
                    d / "key" + " -out " + d / "cert")
                  .status,
              0);
    write_file(d / "token", "open sesame\n");
    running_server s({"--tls-certificate", d / "cert", "--tls-key", d / "key", "--token-file", d / "token"});
    const std::string curl =
        "curl -sS --cacert " + d / "cert" + " https://127.0.0.1:" + std::to_string(s.http_port);
    EXPECT_THAT(shell(curl + "/v1/spaces -w '%{http_code}'").output, HasSubstr("401"));
    EXPECT_THAT(
        shell(curl + "/v1/spaces/orders/ids?count=2 -X POST -H 'Authorization: Bearer open sesame'").output,
        HasSubstr("\"ids\":"));
    if (installed("redis-cli")) {
        const std::string cli =
            "redis-cli --tls --cacert " + d / "cert" + " -p " + std::to_string(s.resp) + " ";
        EXPECT_THAT(shell(cli + "FIRN.NEXT orders").output, HasSubstr("NOAUTH"));
        EXPECT_EQ(shell(cli + "--no-auth-warning -a 'open sesame' FIRN.NEXT orders 3 | wc -l").output, "3\n");
    }
    EXPECT_EQ(wire(s.http_port).ask("GET /livez HTTP/1.1\r\n\r\n").find("HTTP"), std::string::npos);
    EXPECT_EQ(s.terminate(), 0);
}

TEST(Clients, UnixSockets) {
    scratch_directory d;
    {
        running_server s({"--unix", d / "resp.sock", "--unix-http", d / "http.sock", "--unix-mode", "0600"});
        EXPECT_EQ(wire(d / "resp.sock").ask("PING\r\n"), "+PONG\r\n");
        EXPECT_THAT(wire(d / "http.sock").ask("GET /livez HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.1 200"));
        EXPECT_EQ(std::filesystem::status(d / "resp.sock").permissions(),
                  std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
        EXPECT_EQ(s.kill(SIGKILL), 128 + SIGKILL);
    }
    EXPECT_TRUE(std::filesystem::exists(d / "resp.sock"));  // left behind, and no obstacle
    running_server again({"--unix", d / "resp.sock"});
    EXPECT_EQ(wire(d / "resp.sock").ask("PING\r\n"), "+PONG\r\n");
    EXPECT_EQ(again.terminate(), 0);
    EXPECT_FALSE(std::filesystem::exists(d / "resp.sock"));
}

TEST(Clients, WrongArgumentsAreOneLineAndStatus2) {
    for (const char* arguments : {"--machine 0x1", "--machine +5", "--layout 41/10", "--rewind blind",
                                  "--space a/b", "--idle-timeout 3", "--unix-mode 9", "--ids-per-call-max 0",
                                  "--tls-key x", "--log-level loud", "--no-such-option", "--config none"}) {
        const finished f = shell(firn_command() + " serve --check --state here " + arguments);
        EXPECT_EQ(f.status, 2) << arguments << ": " << f.output;
        EXPECT_EQ(std::count(f.output.begin(), f.output.end(), '\n'), 1) << f.output;
    }
}

TEST(Clients, AMachineThatDoesNotFitIsRefusedAtTheStart) {
    for (const char* arguments : {"--machine 5000", "--space orders,machine=5000"}) {
        const finished f =
            shell("timeout 20 " + firn_command() +
                  " serve --state /nowhere/at/all --resp 127.0.0.1:0 --http none " + arguments);
        EXPECT_EQ(f.status, 2) << f.output;
        EXPECT_THAT(f.output, HasSubstr("machine 5000 does not fit"));
    }
}

TEST(Clients, CheckReadsAFileAndTouchesNothing) {
    scratch_directory d;
    write_file(
        d / "conf",
        "machine = 7\nspace = [\"orders\", \"users,layout=js53\"]\nahead-max = \"10s\"\nno-create = true\n");
    const finished good =
        shell(firn_command() + " serve --check --json --config " + d / "conf" + " --state " + d / "state");
    EXPECT_EQ(good.status, 0) << good.output;
    EXPECT_THAT(good.output, HasSubstr("\"valid\": true"));
    EXPECT_FALSE(std::filesystem::exists(d / "state"));
    // js53 has 5 bits of machine: a number from the environment comes before the file's.
    const finished bad = shell("FIRN_MACHINE=33 " + firn_command() + " serve --check --config " + d / "conf" +
                               " --state " + d / "state");
    EXPECT_EQ(bad.status, 1);
    EXPECT_THAT(bad.output, HasSubstr("machine 33 does not fit"));
    write_file(d / "conf", "colour = 3\n");
    EXPECT_THAT(shell(firn_command() + " serve --check --config " + d / "conf").output,
                HasSubstr("there is no option 'colour'"));
}

TEST(Clients, TheDocumentedCommandsAreTheServers) {
    EXPECT_EQ(shell(firn_command() + " serve --print-commands").output,
              read_file(FIRN_SOURCE "/docs/service/commands.md"));
}

}  // namespace
}  // namespace firn::service::test
