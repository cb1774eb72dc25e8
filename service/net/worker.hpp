// firn::service::worker: one thread, one event loop, and the connections that it was given.
//
// A connection has one operation under way at any time: it reads, or writes, or waits. So a client that does
// not take its replies is not read from, and nothing piles up. Needs Boost.Asio only in worker.cpp.
//
//     firn::service::worker w(context, tls);
//     w.start();
//     w.adopt(fd, protocol::resp, {.id = 1, .address = "127.0.0.1:40000"}, false);
//     w.drain();  ...  w.stop();
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "service/context.hpp"
#include "service/engine.hpp"

namespace firn::service {

enum class protocol : std::uint8_t { resp, http };

class tls_context;  // net/tls.hpp

class worker {
  public:
    /// `tls` may be null; it outlives the worker.
    worker(context& c, tls_context* tls);
    /// Stops, and closes what is still open.
    ~worker();
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;

    void start();
    /// Takes over an accepted socket (non-blocking). Threads: any.
    void adopt(int fd, protocol p, peer who, bool tls);
    /// Lets each connection answer what it has received, and close. Threads: any.
    void drain();
    /// Closes everything. Returns when the thread has ended. Threads: not the worker's own.
    void stop();
    /// Counts up for as long as the loop turns: the proof of life.
    std::uint64_t heartbeat() const noexcept;

    struct loop;

  private:
    std::unique_ptr<loop> loop_;
};

}  // namespace firn::service
