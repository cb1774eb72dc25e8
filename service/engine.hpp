// firn::service::engine: one connection's protocol, from bytes to bytes, without a socket.
//
// A listener reads bytes, calls run(), writes what came out, and does what the verdict says. The same engine
// runs under the unit tests and the fuzzers, a byte at a time.
//
//     auto e = firn::service::make_resp_engine(context, peer);
//     auto p = e->run("*1\r\n$4\r\nPING\r\n", out);           // out: "+PONG\r\n"; p.consumed == 14
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "service/byte_buffer.hpp"

namespace firn::service {

class context;

enum class verdict : std::uint8_t {
    hungry,  ///< All that could be done is done: more bytes, please.
    again,   ///< There is more to do, once `out` is sent.
    wait,    ///< Call again in `delay`, with the same bytes; do not read before that.
    close    ///< Send `out`, then close.
};

struct progress {
    verdict what = verdict::hungry;
    std::size_t consumed = 0;  ///< Bytes at the front of the input that are done with.
    std::chrono::nanoseconds delay{0};
};

class engine {
  public:
    engine() = default;
    engine(const engine&) = delete;
    engine& operator=(const engine&) = delete;
    virtual ~engine() = default;

    /// Answers the requests in `input` in their order. Never blocks. What it has not consumed must come first
    /// in the next call's input. Threads: one at a time.
    virtual progress run(std::string_view input, byte_buffer& out) = 0;
    /// What to say to a client whose request did not arrive in time.
    virtual void late(byte_buffer& out) = 0;
    /// The server stops: after the requests at hand, close.
    virtual void drain() noexcept = 0;
};

/// Who is at the other end, for CLIENT INFO and logs.
struct peer {
    std::uint64_t id = 0;
    std::string address;
    bool surplus = false;  ///< Over the bound on connections: HTTP answers it if it is a probe, then closes.
};

std::unique_ptr<engine> make_resp_engine(context& c, peer p);
std::unique_ptr<engine> make_http_engine(context& c, peer p);

/// What a client over the bound on connections is sent.
std::string_view resp_too_many();
std::string_view http_too_many();

}  // namespace firn::service
