// Clients that ask for ids without pause, whatever becomes of the server, and keep what they get.
//
//     traffic clients(4);                        // over TCP, as soon as there is a port
//     clients.port = server.resp;
//     …
//     EXPECT_EQ(repeated(clients.stop()), 0U);
#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/system/service_support.hpp"

namespace firn::service::test {

/// What one client says again and again. `ending`: how the whole answer ends, errors or not.
struct habit {
    enum class way : std::uint8_t { resp, unix_resp, http };
    way over = way::resp;
    std::string request;
    std::string ending;

    /// `command` so many times in one write.
    static habit pipelined(const std::string& command, std::size_t times, way over = way::resp) {
        habit h{.over = over, .request = {}, .ending = "$3\r\nend\r\n"};
        for (std::size_t i = 0; i < times; ++i) h.request += command + "\r\n";
        h.request += "ECHO end\r\n";
        return h;
    }
    static habit posts(std::size_t count) {
        return {.over = way::http,
                .request = "POST /v1/spaces/orders/ids?count=" + std::to_string(count) +
                           " HTTP/1.1\r\nHost: x\r\nAccept: text/plain\r\n\r\n"
                           "GET /livez HTTP/1.1\r\nHost: x\r\n\r\n",
                .ending = "alive\n"};
    }
};

class traffic {
  public:
    explicit traffic(std::size_t clients) : traffic(usual(clients), 0ms) {}
    /// `pause`: between an answer and the next request.
    traffic(const std::vector<habit>& habits, std::chrono::microseconds pause) : pause_(pause) {
        for (const habit& h : habits) threads_.emplace_back([this, h] { run(h); });
    }
    ~traffic() { stop(); }
    traffic(const traffic&) = delete;
    traffic& operator=(const traffic&) = delete;

    std::atomic<int> port{0};
    std::atomic<int> http_port{0};
    std::string unix_path;  ///< Set before the first port.
    std::atomic<std::uint64_t> answers{0};
    std::atomic<std::uint64_t> stuck{0};  ///< Requests on an open connection without an answer for 5 s.

    std::vector<std::uint64_t> stop() {
        end_ = true;
        for (auto& t : threads_)
            if (t.joinable()) t.join();
        return std::move(ids_);
    }

  private:
    static std::vector<habit> usual(std::size_t clients) {
        std::vector<habit> all;
        for (std::size_t i = 0; i < clients; ++i)
            all.push_back(i % 2 == 0 ? habit::pipelined("INCR orders\r\nFIRN.NEXT orders", 2)
                                     : habit::pipelined("FIRN.NEXT orders 20", 1));
        return all;
    }

    void run(const habit& h) {
        std::vector<std::uint64_t> mine;
        while (!end_) {
            if (h.over == habit::way::unix_resp && port != 0) {
                wire c(unix_path);
                talk(c, h, mine);
            } else {
                wire c(h.over == habit::way::http ? http_port.load() : port.load());
                talk(c, h, mine);
            }
        }
        const std::lock_guard alone(mutex_);
        ids_.insert(ids_.end(), mine.begin(), mine.end());
    }

    void talk(wire& c, const habit& h, std::vector<std::uint64_t>& mine) {
        if (!c.connected()) ::usleep(500);
        while (c.connected() && !end_) {
            const auto begin = clock_type::now();
            if (!c.send(h.request)) return;
            const std::string reply = c.until(h.ending);
            collect_ids(reply, mine);  // of a reply that was cut off: those ids that are whole
            if (!reply.ends_with(h.ending)) {
                if (clock_type::now() - begin >= 5s) ++stuck;
                return;
            }
            ++answers;
            if (pause_.count() > 0) std::this_thread::sleep_for(pause_);
        }
    }

    std::chrono::microseconds pause_;
    std::atomic<bool> end_{false};
    std::mutex mutex_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::thread> threads_;
};

}  // namespace firn::service::test
