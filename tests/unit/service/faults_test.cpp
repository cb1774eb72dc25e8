// A space on a disk that fails: what it says, and that it recovers by itself. Each test is a process of its
// own, since the faults are the whole program's.
#include <gmock/gmock.h>

#include "tests/support/faults.hpp"
#include "tests/unit/service/harness.hpp"

namespace firn::service::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> codes_of(space& s) {
    std::vector<std::string> all;
    for (const reason& r : s.reasons(std::chrono::hours{1}))
        if (!r.warning) all.push_back(r.code);
    return all;
}

template <class Condition>
bool eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
    while (!condition()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::yield();
    }
    return true;
}

struct ServiceFaults : testing::Test {
    ~ServiceFaults() override { faults::set({}); }
    harness h;
    space& orders = h.open("orders");
};

TEST_F(ServiceFaults, AFullDiskIsSaidAndGoneWithItsCause) {
    faults::set({.pwrite_errno = ENOSPC});
    h.time->pass(60'000);  // past what is reserved
    std::string reply;
    EXPECT_TRUE(eventually([&] { return (reply = h.say("INCR orders\r\n"))[0] == '-'; }));
    EXPECT_TRUE(eventually(
        [&] { return (reply = h.say("INCR orders\r\n")).find("No space left") != std::string::npos; }));
    EXPECT_EQ(codes_of(orders), std::vector<std::string>{"ceiling_not_extendable"});
    EXPECT_EQ(h.say("PING\r\n"), "+PONG\r\n");
    faults::set({});
    // Without a client asking: the maintenance thread tries again.
    EXPECT_TRUE(eventually([&] { return codes_of(orders).empty(); }));
    EXPECT_THAT(h.say("INCR orders\r\n"), StartsWith(":"));
}

TEST_F(ServiceFaults, AFailedSyncIsNotBelievedAndTheJournalOpenedAnew) {
    const std::string first = h.say("FIRN.NEXT orders\r\n");
    faults::set({.fdatasync_errno = EIO});
    h.time->pass(60'000);
    EXPECT_TRUE(eventually([&] {
        const std::string reply = h.say("INCR orders\r\n");
        return reply[0] == '-' && !codes_of(orders).empty();
    }));
    EXPECT_EQ(codes_of(orders), std::vector<std::string>{"ceiling_not_extendable"});
    faults::set({});
    EXPECT_TRUE(eventually([&] { return codes_of(orders).empty(); }));
    EXPECT_EQ(orders.look().reopened, 1U);
    EXPECT_GT(h.say("FIRN.NEXT orders\r\n"), first);  // of equal length: text order is id order
}

TEST_F(ServiceFaults, ADiskThatIsGoneEndsTheIdsAndNotTheProcess) {
    const std::string first = h.say("FIRN.NEXT orders\r\n");
    faults::set({.fdatasync_errno = EIO, .pwrite_errno = EIO});
    h.time->pass(60'000);
    EXPECT_TRUE(eventually([&] {
        return h.say("INCR orders\r\n")[0] == '-' &&
               codes_of(orders) == std::vector<std::string>{"ceiling_not_extendable"};
    }));
    for (int i = 0; i < 3; ++i) EXPECT_THAT(h.say("INCR orders\r\n"), StartsWith("-"));  // and it stays so
    EXPECT_EQ(h.say("PING\r\n"), "+PONG\r\n");
    faults::set({});
    EXPECT_TRUE(eventually([&] { return codes_of(orders).empty(); }));
    EXPECT_GT(h.say("FIRN.NEXT orders\r\n"), first);
}

TEST_F(ServiceFaults, ADiskThatHangsMakesItNotReadyAndHoldsUpNoThread) {
    faults::hold_fdatasync = true;
    h.time->pass(60'000);
    std::string reply;
    h.hurry();
    EXPECT_TRUE(eventually([&] { return (reply = h.say("INCR orders\r\n"))[0] == '-'; }));
    EXPECT_THAT(reply, StartsWith("-CEILING_REACHED"));
    EXPECT_THAT(reply, HasSubstr("not extended in time"));
    EXPECT_EQ(codes_of(orders), std::vector<std::string>{"ceiling_not_extendable"});
    faults::hold_fdatasync = false;
    EXPECT_TRUE(eventually([&] { return codes_of(orders).empty(); }));
}

}  // namespace
}  // namespace firn::service::test
