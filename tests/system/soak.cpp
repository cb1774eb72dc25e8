// firn serve for minutes under real clients, while its clock is stepped, its connections are used up, it is
// sent rubbish, killed and handed over. Every id is kept. Exit 0: no duplicate, no leak, nobody stuck.
//
//     firn_soak --seconds 600
//     firn_soak --seconds 3 --forget          # the journal is deleted at each kill: it has to be found out
#include <CLI/CLI.hpp>
#include <cstdio>
#include <random>

#include "tests/system/service_traffic.hpp"

namespace firn::service::test {
namespace {

constexpr std::size_t connections_max = 64;
constexpr long growth_kb_max = 16 * 1024;

/// What a process holds.
struct holding {
    long rss_kb = 0;
    std::size_t descriptors = 0;
};

holding holding_of(int pid) {
    holding h;
    const std::string of = "/proc/" + std::to_string(pid);
    std::ifstream status(of + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.rfind("VmRSS:", 0) == 0) h.rss_kb = std::atol(line.c_str() + 6);
    for ([[maybe_unused]] const auto& one : std::filesystem::directory_iterator(of + "/fd")) ++h.descriptors;
    return h;
}

class soak {
  public:
    soak(std::chrono::seconds length, std::uint64_t seed, bool forget)
        : length_(length), seed_(seed), random_(seed), forget_(forget), clients_(habits(), 3ms) {}

    bool run() {
        clients_.unix_path = room_ / "sock";
        step_to(0);
        start(false);
        await_answers("the start");
        const auto begin = clock_type::now();
        live_until(begin + length_ / 2);
        first_half_ = clock_type::now() - begin;
        die_until(begin + length_);
        finish();
        print(std::chrono::duration<double>(clock_type::now() - begin).count());
        return trouble_.empty() && duplicates_ == 0 && clients_.stuck == 0 && ids_ > 0;
    }

  private:
    static std::vector<habit> habits() {
        using way = habit::way;
        return {habit::pipelined("INCR orders", 1),
                habit::pipelined("FIRN.NEXT orders", 16),
                habit::pipelined("INCR orders", 64),
                habit::pipelined("FIRN.NEXT orders 20", 2),
                habit::pipelined("FIRN.NEXT orders", 16, way::unix_resp),
                habit::posts(1),
                habit::posts(20)};
    }

    void start(bool handover) {
        std::vector<std::string> options{"--unix",
                                         clients_.unix_path,
                                         "--ahead-max",
                                         "3s",
                                         "--connections-max",
                                         std::to_string(connections_max),
                                         "--request-timeout",
                                         "2s",
                                         "--test-clock-offset-ms-file",
                                         room_ / "offset"};
        if (handover) options.emplace_back("--handover");
        const auto address = [](int port) { return "127.0.0.1:" + std::to_string(port); };
        auto fresh = std::make_unique<running_server>(
            options, running_server::how{.state = room_ / "state",
                                         .resp = address(clients_.port),
                                         .http = address(clients_.http_port)});
        if (fresh->resp == 0) throw std::runtime_error("the server did not start: " + fresh->log);
        clients_.http_port = fresh->http_port;
        clients_.port = fresh->resp;
        if (handover && server_->terminate() != 0) complain("a server that was replaced did not end with 0");
        server_ = std::move(fresh);
        ++lives_;
    }

    void complain(const std::string& what) {
        if (trouble_.size() < 2000) trouble_ += "  TROUBLE  " + what + '\n';
    }
    void step_to(long offset_ms) {
        write_file(room_ / "offset", std::to_string(offset_ms));
        ++steps_;
    }
    int probe(const char* path) const { return http(server_->http_port, "GET", path).status; }
    void await_answers(const std::string& after) {
        const std::uint64_t before = clients_.answers;
        if (!eventually([&] { return clients_.answers > before + 20; }, 20s))
            complain("no answers within 20 s after " + after);
    }
    static void pause() { ::usleep(100'000); }

    /// One process, and all that must not end it. What it holds at the end is what it held at the beginning.
    void live_until(clock_type::time_point end) {
        hostile();  // so that what is made once is there: buffers, spaces
        never_read();
        overload();
        first_ = settled(0);
        while (clock_type::now() < end) {
            switch (random_() % 6) {
                case 0:
                    step_within_bounds();
                    break;
                case 1:
                    step_past_the_bound();
                    break;
                case 2:
                    overload();
                    break;
                case 3:
                    hostile();
                    break;
                case 4:
                    never_read();
                    break;
                default:
                    server_->signal(SIGHUP);
                    ++reloads_;
            }
            await_answers("an event of the first half");
            server_->hear();
            if (!server_->runs()) return complain("the server has ended by itself");
        }
        last_ = settled(first_.descriptors);
        if (last_.descriptors > first_.descriptors) complain("descriptors leak");
        if (FIRN_SLOWNESS == 1 && last_.rss_kb > first_.rss_kb + growth_kb_max) complain("memory leaks");
    }

    /// With the clients connected and no one else; at most `wanted` descriptors if that comes to be.
    holding settled(std::size_t wanted) {
        holding h;
        std::size_t least = SIZE_MAX;
        static_cast<void>(eventually(
            [&] {
                h = holding_of(server_->pid);
                least = std::min(least, h.descriptors);
                return h.descriptors <= wanted;
            },
            wanted == 0 ? 1000ms : 5000ms));
        h.descriptors = least;
        return h;
    }

    void step_within_bounds() {
        constexpr std::array<long, 4> offsets{-1000, -2500, 2000, 86'400'000};
        step_to(offsets[random_() % offsets.size()]);
        await_answers("a step of the clock");
        step_to(0);
    }
    void step_past_the_bound() {
        step_to(-4500);
        if (!eventually([&] { return probe("/readyz") == 503; })) complain("ready past the rewind bound");
        if (probe("/livez") != 200) complain("not alive past the rewind bound");
        step_to(0);
        if (!eventually([&] { return probe("/readyz") == 200; })) complain("not ready again after a rewind");
        ++refusals_;
    }
    void overload() {
        std::vector<std::unique_ptr<wire>> many;
        for (std::size_t i = 0; i < 2 * connections_max; ++i)
            many.push_back(std::make_unique<wire>(server_->resp));
        if (many.back()->all().rfind("-ERR max number of clients", 0) != 0)
            complain("a client too many was not told so");
        if (probe("/livez") != 200) complain("not alive under too many clients");
        ++overloads_;
    }
    void hostile() {
        for (int i = 0; i < 20; ++i) {
            wire c(i % 2 == 0 ? server_->resp : server_->http_port);
            std::string bytes(1 + random_() % 4000, '\0');
            for (char& b : bytes) b = static_cast<char>(random_());
            c.send(i % 3 == 0 ? "*3\r\n$4\r\nINCR\r\n$" + bytes : bytes);
            if (i % 4 != 0) c.half_close();
            if (i % 4 != 0) c.all();
        }
        ++hostile_;
    }
    void never_read() {
        wire c(server_->resp);
        std::string many;
        for (int i = 0; i < 100; ++i) many += "FIRN.NEXT spare 1000\r\n";
        c.send(many);
        pause();
        ++never_read_;
    }

    /// One process after the other.
    void die_until(clock_type::time_point end) {
        while (clock_type::now() < end) {
            const auto pick = forget_ ? 0 : random_() % 4;
            if (pick == 0) {
                server_->kill(SIGKILL);
                ++kills_;
                step_to(forget_ ? -2000 * static_cast<long>(kills_ % 2)
                                : -static_cast<long>(random_() % 2000));
                if (forget_) std::filesystem::remove_all(room_ / "state");
                start(false);
            } else if (pick == 1) {
                if (server_->terminate() != 0) complain("a server did not end with 0");
                ++stops_;
                start(false);
            } else {
                start(true);
                ++handovers_;
            }
            await_answers("a new process");
            server_->hear();
            for (int i = 0; i < 5; ++i) pause();
        }
    }

    void finish() {
        step_to(0);
        std::vector<std::uint64_t> ids = clients_.stop();
        if (!eventually([&] {
                return wire(server_->resp).ask("INFO\r\n", 9).find("connected_clients:1\r") !=
                       std::string::npos;
            }))
            complain("connections are left over");
        if (server_->terminate() != 0) complain("the last server did not end with 0");
        ids_ = ids.size();
        duplicates_ = repeated(std::move(ids));
    }

    void print(double seconds) const {
        std::fputs(trouble_.c_str(), stdout);
        std::printf(
            "soak: %.1f s (seed %llu): %zu ids in %llu answers, %zu duplicates, %llu stuck; %zu kills, %zu "
            "stops, "
            "%zu handovers, %zu reloads; %zu clock steps, %zu past the bound; %zu overloads, %zu bursts of "
            "rubbish, %zu clients that never read; RSS %ld to %ld KB, descriptors %zu to %zu over %.0f s\n",
            seconds, static_cast<unsigned long long>(seed_), ids_,
            static_cast<unsigned long long>(clients_.answers.load()), duplicates_,
            static_cast<unsigned long long>(clients_.stuck.load()), kills_, stops_, handovers_, reloads_,
            steps_, refusals_, overloads_, hostile_, never_read_, first_.rss_kb, last_.rss_kb,
            first_.descriptors, last_.descriptors, first_half_.count());
    }

    std::chrono::seconds length_;
    std::uint64_t seed_;
    std::mt19937_64 random_;
    bool forget_;
    scratch_directory room_;
    traffic clients_;
    std::unique_ptr<running_server> server_;
    std::chrono::duration<double> first_half_{0};
    holding first_, last_;
    std::string trouble_;
    std::size_t ids_ = 0, duplicates_ = 0;
    std::size_t lives_ = 0, kills_ = 0, stops_ = 0, handovers_ = 0, reloads_ = 0, steps_ = 0, refusals_ = 0,
                overloads_ = 0, hostile_ = 0, never_read_ = 0;
};

}  // namespace
}  // namespace firn::service::test

int main(int argc, char** argv) {
    int seconds = 600;
    std::uint64_t seed = 1;
    bool forget = false;
    CLI::App app{"firn serve under clients, kills, clock steps, overload and handovers. Exit 0: all is well.",
                 "firn_soak"};
    app.add_option("--seconds", seconds, "How long")->check(CLI::Range(1, 86'400))->capture_default_str();
    app.add_option("--seed", seed, "Of what happens when; the timing is the host's")->capture_default_str();
    app.add_flag("--forget", forget, "Delete the journal at each kill: a server that has to be found out");
    try {
        app.parse(argc, argv);
        return firn::service::test::soak(std::chrono::seconds{seconds}, seed, forget).run() ? 0 : 1;
    } catch (const CLI::Success& help) {
        return app.exit(help);
    } catch (const CLI::ParseError& wrong) {
        std::fprintf(stderr, "firn_soak: %s\n", wrong.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "firn_soak: %s\n", e.what());
        return 1;
    }
}
