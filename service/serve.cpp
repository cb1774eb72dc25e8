#include "service/serve.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

#include "firn/version.hpp"
#include "service/context.hpp"
#include "service/core/layout_text.hpp"
#include "service/log.hpp"
#include "service/net/listener.hpp"
#include "service/net/notify.hpp"
#include "service/net/tls.hpp"
#include "service/net/worker.hpp"

namespace firn::service {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::milliseconds;

/// Longer than a round trip to any client, and than the kernel of a busy host puts off the end of a
/// handshake.
constexpr milliseconds handshake_time{200};

/// HTTP connections past the bound, so that a supervisor's probe is answered while clients fill the house.
constexpr std::size_t surplus_max = 16;

/// As many descriptors as the system allows; returns how many.
std::size_t raise_descriptor_bound() {
    rlimit bound{};
    ::getrlimit(RLIMIT_NOFILE, &bound);
    bound.rlim_cur = bound.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &bound);
    ::getrlimit(RLIMIT_NOFILE, &bound);
    return static_cast<std::size_t>(bound.rlim_cur);
}

/// How long a client that has the last descriptor may take to begin its request. Nobody is accepted
/// meanwhile.
constexpr int probe_time_ms = 100;

class server {
  public:
    server(const settings& s, std::function<settings()> reload)
        : settings_(s),
          reload_(std::move(reload)),
          log_(make_log(s, nullptr)),
          spaces_(s),
          context_(s, spaces_),
          io_(1),
          signals_(io_, SIGTERM, SIGINT, SIGHUP),
          timer_(io_),
          watchdog_(io_),
          spare_(::open("/dev/null", O_RDONLY | O_CLOEXEC)) {
        if (!s.tls_certificate.empty()) tls_ = std::make_unique<tls_context>(s.tls_certificate, s.tls_key);
    }
    ~server() {
        if (spare_ >= 0) ::close(spare_);
    }

    int run() {
        open_spaces();
        fit_connections();
        start_workers();
        listen();
        await_signal();
        notify("READY=1\nSTATUS=serving " + std::to_string(spaces_.all().size()) + " spaces");
        log_->info("ready: {} spaces, state in {}", spaces_.all().size(), settings_.state.string());
        watch();
        io_.run();
        for (auto& w : workers_) w->stop();
        log_->info("stopped");
        return 0;
    }

  private:
    struct door {
        door(asio::io_context& io, listener l, protocol p, bool t)
            : socket(std::move(l)), readable(io, ::dup(socket.fd())), retry(io), kind(p), tls(t) {}
        listener socket;
        asio::posix::stream_descriptor readable;
        asio::steady_timer retry;
        protocol kind;
        bool tls;
    };

    void open_spaces() {
        for (const space_settings& one : settings_.spaces) spaces_.open(one);
        std::vector<std::string> faults;
        for (const std::string& name : spaces_.open_found(faults))
            log_->debug("space {} was here before", name);
        if (!faults.empty()) throw std::runtime_error(faults.front());
        for (const space* one : spaces_.all())
            log_->info("space {}: {}, machine {}", one->name(), text_of(one->layout_of()), one->machine());
    }

    void fit_connections() {
        const std::size_t descriptors = raise_descriptor_bound();
        const std::size_t others = 64 + surplus_max + 8 * settings_.spaces_max;
        const std::size_t most = descriptors > others + 16 ? descriptors - others : 16;
        if (settings_.bounds.connections > most) {
            log_->warn(
                "{} connections are allowed, not {}: the system gives this process {} descriptors (ulimit "
                "-n)",
                most, settings_.bounds.connections, descriptors);
            settings_.bounds.connections = most;
            context_.set_bounds(settings_.bounds);
        }
    }

    void start_workers() {
        const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
        const unsigned count = settings_.threads > 0 ? settings_.threads : cores;
        for (unsigned i = 0; i < count; ++i) {
            workers_.push_back(std::make_unique<worker>(context_, tls_.get()));
            workers_.back()->start();
        }
    }

    void add_door(listener l, protocol p, bool tls) {
        const std::string name = p == protocol::resp ? "resp" : "http";
        log_->info("{} on {}{}", name, l.address(), tls ? " with TLS" : "");
        if (!l.loopback() && settings_.token.empty())
            log_->warn("{} on {} can be reached from other hosts and asks for no token (--token-file)", name,
                       l.address());
        doors_.push_back(std::make_unique<door>(io_, std::move(l), p, tls));
    }

    void listen() {
        const bool tls = tls_ != nullptr;
        bool passed_resp = false;
        bool passed_http = false;
        for (const passed_socket& passed : passed_sockets()) {
            ::fcntl(passed.fd, F_SETFL, O_NONBLOCK);
            const protocol p =
                passed.name.find("http") != std::string::npos ? protocol::http : protocol::resp;
            add_door(listener(passed.fd, ""), p, tls);
            (p == protocol::http ? passed_http : passed_resp) = true;
        }
        // A socket that was passed stands for the addresses of its own protocol only: probes need the other.
        if (!passed_resp)
            for (const std::string& a : settings_.resp)
                add_door(listen_tcp(a, settings_.handover), protocol::resp, tls);
        if (!passed_http)
            for (const std::string& a : settings_.http)
                add_door(listen_tcp(a, settings_.handover), protocol::http, tls);
        if (!settings_.unix_resp.empty())
            add_door(listen_unix(settings_.unix_resp, settings_.unix_mode, settings_.handover),
                     protocol::resp, false);
        if (!settings_.unix_http.empty())
            add_door(listen_unix(settings_.unix_http, settings_.unix_mode, settings_.handover),
                     protocol::http, false);
        if (doors_.empty())
            throw std::runtime_error("there is nothing to listen on: give --resp, --http or --unix");
        for (auto& d : doors_) await_client(*d);
    }

    void await_client(door& d) {
        d.readable.async_wait(asio::posix::stream_descriptor::wait_read,
                              [this, &d](const error_code& cancelled) {
                                  if (cancelled) return;
                                  if (accept_all(d)) return await_client(d);
                                  // No descriptor, and not even the spare one helped: give the others time to
                                  // end.
                                  d.retry.expires_after(milliseconds{50});
                                  d.retry.async_wait([this, &d](const error_code& c) {
                                      if (!c) await_client(d);
                                  });
                              });
    }

    /// False: the system is out of something.
    bool accept_all(door& d) {
        for (int i = 0; i < 1024; ++i) {
            if (!has_spare())
                return false;  // or the next client would keep what the probes are answered with
            const int fd = ::accept4(d.socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
            if (fd >= 0) {
                take(d, fd);
                continue;
            }
            if (errno == EAGAIN || errno == EWOULDBLOCK) return true;
            if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
                return turn_away(d);
            if (errno != EINTR && errno != ECONNABORTED && errno != EPERM && errno != EPROTO) return false;
        }
        return true;
    }

    void take(door& d, int fd) {
        connection_counters& count = context_.connections;
        count.accepted.fetch_add(1, std::memory_order_relaxed);
        const std::uint64_t open = count.open.fetch_add(1, std::memory_order_relaxed);
        const std::size_t most = context_.bounds().connections;
        const bool surplus = open >= most;
        if (surplus && (d.kind != protocol::http || open >= most + surplus_max)) {
            count.open.fetch_sub(1, std::memory_order_relaxed);
            count.over_bound.fetch_add(1, std::memory_order_relaxed);
            refuse(d, fd);
            return;
        }
        admit(d, fd, surplus);
    }

    void admit(door& d, int fd, bool surplus) {
        peer who{.id = ++last_id_, .address = peer_address(fd), .surplus = surplus};
        workers_[next_worker_++ % workers_.size()]->adopt(fd, d.kind, std::move(who), d.tls);
    }

    static void refuse(const door& d, int fd) {
        const std::string_view text = d.kind == protocol::resp ? resp_too_many() : http_too_many();
        if (!d.tls) static_cast<void>(::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT));
        ::shutdown(fd, SHUT_WR);
        // With bytes unread a close resets the connection, and the client may lose the reply.
        std::array<char, 4096> rest;
        static_cast<void>(::recv(fd, rest.data(), rest.size(), MSG_DONTWAIT));
        ::close(fd);
    }

    /// Out of descriptors: with the spare one, clients are told so instead of hanging in the queue. An HTTP
    /// client that asks something keeps it for one request, which may be a supervisor's probe; one that is
    /// silent would keep the others waiting.
    bool turn_away(door& d) {
        ::close(std::exchange(spare_, -1));
        const int fd = ::accept4(d.socket.fd(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd >= 0 && d.kind == protocol::http && asks_something(fd)) {
            context_.connections.accepted.fetch_add(1, std::memory_order_relaxed);
            context_.connections.open.fetch_add(1, std::memory_order_relaxed);
            admit(d, fd, true);
        } else if (fd >= 0) {
            context_.connections.no_descriptor.fetch_add(1, std::memory_order_relaxed);
            refuse(d, fd);
        }
        const bool spared = has_spare();
        if (const auto now = std::chrono::steady_clock::now();
            now - said_no_descriptor_ > std::chrono::seconds{10}) {
            said_no_descriptor_ = now;
            log_->error("no descriptor left for a client (ulimit -n); it was told so and closed");
        }
        return spared && fd >= 0;
    }
    static bool asks_something(int fd) noexcept {
        pollfd request{.fd = fd, .events = POLLIN, .revents = 0};
        return ::poll(&request, 1, probe_time_ms) > 0;
    }
    bool has_spare() noexcept {
        if (spare_ < 0) spare_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        return spare_ >= 0;
    }

    void await_signal() {
        signals_.async_wait([this](const error_code& cancelled, int number) {
            if (cancelled) return;
            if (number == SIGHUP)
                reload();
            else
                stop(number);
            await_signal();
        });
    }

    void reload() {
        log_->info("SIGHUP: log and configuration are read again");
        notify("RELOADING=1");
        try {
            settings fresh = reload_ ? reload_() : settings_;
            log_ = make_log(fresh, log_);
            for (const space_settings& one : fresh.spaces) {
                const bool is_new = spaces_.find(one.name) == nullptr;
                spaces_.open(one);
                if (is_new)
                    log_->info("space {}: {}, machine {}", one.name, text_of(one.ids.layout),
                               one.ids.machine);
            }
            context_.set_token(fresh.token);
            settings_.token = fresh.token;
            settings_.bounds = fresh.bounds;
            fit_connections();
            context_.set_bounds(settings_.bounds);
            if (fresh.resp != settings_.resp || fresh.http != settings_.http ||
                fresh.state != settings_.state || fresh.threads != settings_.threads ||
                fresh.unix_resp != settings_.unix_resp || fresh.unix_http != settings_.unix_http ||
                fresh.tls_certificate != settings_.tls_certificate)
                log_->warn(
                    "addresses, state, threads and TLS have changed in the configuration; that needs a "
                    "restart");
        } catch (const std::exception& e) {
            log_->error("the configuration was not taken over, what was in force stays: {}", e.what());
        }
        notify("READY=1");
    }

    void stop(int number) {
        if (context_.draining.exchange(true)) {
            log_->warn("a second signal: not waiting for clients any longer");
            io_.stop();
            return;
        }
        log_->info("{}: draining, for at most {} ms", number == SIGTERM ? "SIGTERM" : "SIGINT",
                   settings_.bounds.drain.count());
        notify("STOPPING=1\nSTATUS=draining");
        drain_until_ =
            std::chrono::steady_clock::now() + settings_.bounds.drain_delay + settings_.bounds.drain;
        timer_.expires_after(settings_.bounds.drain_delay);
        timer_.async_wait([this](const error_code& cancelled) {
            if (!cancelled) leave_doors();
        });
    }

    /// From here on a successor gets the new clients. Those whose handshake with us has begun still arrive,
    /// so the doors stay open for a moment: closing one resets them.
    void leave_doors() {
        for (auto& d : doors_) d->socket.leave();
        for (auto& w : workers_) w->drain();
        timer_.expires_after(handshake_time);
        timer_.async_wait([this](const error_code& cancelled) {
            if (!cancelled) close_doors();
        });
    }

    void close_doors() {
        for (auto& d : doors_) {
            accept_all(*d);  // they are in our queue
            error_code ignored;
            d->readable.close(ignored);
            d->retry.cancel();
            d->socket.close();
        }
        await_clients_end();
    }

    void await_clients_end() {
        const std::uint64_t open = context_.connections.open.load();
        if (open == 0 || std::chrono::steady_clock::now() >= drain_until_) {
            if (open > 0) log_->warn("{} connections did not end in time and are closed", open);
            io_.stop();
            return;
        }
        timer_.expires_after(milliseconds{10});
        timer_.async_wait([this](const error_code& cancelled) {
            if (!cancelled) await_clients_end();
        });
    }

    /// Tells systemd that the process can work: some loop has turned since the last time. It asks neither the
    /// clock nor the disk.
    void watch() {
        const auto interval = watchdog_interval();
        if (interval.count() == 0) return;
        watchdog_.expires_after(interval / 3);
        watchdog_.async_wait([this](const error_code& cancelled) {
            if (cancelled) return;
            std::uint64_t beats = 0;
            for (const auto& w : workers_) beats += w->heartbeat();
            if (beats != last_beats_) notify("WATCHDOG=1");
            last_beats_ = beats;
            watch();
        });
    }

    settings settings_;
    std::function<settings()> reload_;
    std::shared_ptr<spdlog::logger> log_;
    spaces spaces_;
    context context_;
    std::unique_ptr<tls_context> tls_;
    asio::io_context io_;
    asio::signal_set signals_;
    asio::steady_timer timer_;
    asio::steady_timer watchdog_;
    int spare_;
    std::vector<std::unique_ptr<worker>> workers_;
    std::vector<std::unique_ptr<door>> doors_;
    std::uint64_t last_id_ = 0;
    std::size_t next_worker_ = 0;
    std::uint64_t last_beats_ = 0;
    std::chrono::steady_clock::time_point drain_until_{};
    std::chrono::steady_clock::time_point said_no_descriptor_{};
};

}  // namespace

int serve(const settings& s, const std::function<settings()>& reload) {
    std::signal(SIGPIPE, SIG_IGN);
    server one(s, reload);
    return one.run();
}

std::vector<std::string> check(const settings& s) {
    std::vector<std::string> faults;
    const auto attempt = [&](const auto& what) {
        try {
            what();
        } catch (const std::exception& e) {
            faults.emplace_back(e.what());
        }
    };
    std::vector<space_settings> all = s.spaces;
    if (s.create) all.push_back(s.defaults.named("defaults"));
    for (const space_settings& one : all)
        attempt([&] {
            firn::detail::checked_policy(one.ids);
            check_life(one.ids.layout, system_clock::wall(), one.ids.min_life);
            std::error_code ignored;
            if (std::filesystem::exists(s.state / one.name / "ceiling", ignored))
                for (const std::string& fault : inspect_journal(s.state / one.name).faults)
                    faults.push_back("space " + one.name + ": " + fault);
        });
    attempt([&] {
        // The nearest directory that exists has to let us write.
        std::filesystem::path at = std::filesystem::absolute(s.state);
        while (!std::filesystem::exists(at) && at.has_parent_path() && at != at.parent_path())
            at = at.parent_path();
        if (::access(at.c_str(), W_OK | X_OK) != 0)
            throw std::runtime_error("the state directory " + s.state.string() +
                                     " cannot be written: " + at.string() + ": " + std::strerror(errno));
    });
    if (!s.tls_certificate.empty()) attempt([&] { tls_context(s.tls_certificate, s.tls_key); });
    return faults;
}

}  // namespace firn::service
