#include "service/net/worker.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <thread>
#include <type_traits>
#include <vector>

#include "service/net/tls.hpp"

namespace firn::service {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
// The executor by its own type: through any_io_executor every operation would pay for its copies.
using plain = asio::basic_stream_socket<asio::generic::stream_protocol, asio::io_context::executor_type>;
using secured = asio::ssl::stream<plain>;

constexpr std::size_t first_read = 4096;
constexpr std::size_t largest_read = std::size_t{64} * 1024;
constexpr std::int64_t linger_ms = 2000;
constexpr std::int64_t busy_ms = 400;
constexpr std::int64_t surplus_ms = 1000;

std::int64_t steady_ms() noexcept {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

class connection_base {
  public:
    connection_base() = default;
    connection_base(const connection_base&) = delete;
    connection_base& operator=(const connection_base&) = delete;
    virtual ~connection_base() = default;

    virtual void begin() = 0;
    virtual void drain() = 0;
    virtual void expire() = 0;

    std::size_t place = 0;
    std::int64_t deadline_ms = 0;  ///< 0: none. Checked now and then; a timer for each would cost more.
};

}  // namespace

struct worker::loop {
    loop(context& c, tls_context* t) : shared(c), tls(t), io(1), sweeper(io) { refresh_bounds(); }

    context& shared;
    tls_context* tls;
    asio::io_context io;
    asio::steady_timer sweeper;
    std::thread thread;
    std::vector<connection_base*> open;
    byte_buffer out;  // replies of the connection at hand; what could not be sent moves to the connection
    limits bounds;
    std::uint64_t bounds_seen = 0;
    std::int64_t now_ms = steady_ms();
    std::atomic<std::uint64_t> heartbeat{0};
    bool draining = false;

    void refresh_bounds() {
        bounds_seen = shared.bounds_changed.load(std::memory_order_acquire);
        bounds = shared.bounds();
    }

    void add(connection_base* c) {
        c->place = open.size();
        open.push_back(c);
        c->begin();
    }

    void remove(connection_base* c) noexcept {
        open[c->place] = open.back();
        open[c->place]->place = c->place;
        open.pop_back();
        shared.connections.open.fetch_sub(1, std::memory_order_relaxed);
        delete c;
    }

    void sweep() {
        heartbeat.fetch_add(1, std::memory_order_relaxed);
        now_ms = steady_ms();
        if (bounds_seen != shared.bounds_changed.load(std::memory_order_acquire)) refresh_bounds();
        // One that expires may leave `open`.
        for (std::size_t i = 0; i < open.size(); ++i)  // NOLINT(modernize-loop-convert)
            if (open[i]->deadline_ms != 0 && now_ms >= open[i]->deadline_ms) open[i]->expire();
        const std::int64_t shortest = std::min({bounds.request.count(), bounds.send.count(),
                                                bounds.idle.count() > 0 ? bounds.idle.count() : 1000});
        sweeper.expires_after(std::chrono::milliseconds{std::clamp<std::int64_t>(shortest / 8, 10, 200)});
        sweeper.async_wait([this](const error_code& cancelled) {
            if (!cancelled) sweep();
        });
    }
};

namespace {

/// One client. Deletes itself when its last operation has ended.
template <class Stream>
class connection final : public connection_base {
    static constexpr bool is_secured = std::is_same_v<Stream, secured>;

  public:
    template <class... Args>
    connection(worker::loop& l, std::unique_ptr<engine> e, bool surplus, Args&&... args)
        : loop_(l), stream_(std::forward<Args>(args)...), engine_(std::move(e)), surplus_(surplus) {}

    void begin() override {
        read_at_ms_ = loop_.now_ms;  // a client that has just come is no silent one: its request is under way
        if constexpr (is_secured) {
            state_ = state::greeting;
            deadline_ms = loop_.now_ms + request_ms();
            stream_.async_handshake(asio::ssl::stream_base::server, [this](const error_code& failed) {
                if (failed || doomed_) return finish();
                read();
            });
        } else {
            read();
        }
    }

    void drain() override {
        engine_->drain();
        // A busy client is closed by its engine, right after its next replies: its request is not in flight
        // then, as it would be if we closed now. One that has been silent is closed at once.
        if (state_ != state::reading || !in_.empty()) return;
        if (loop_.now_ms - read_at_ms_ < busy_ms)
            deadline_ms = loop_.now_ms + 2 * busy_ms;
        else
            say_goodbye();
    }

    void expire() override {
        deadline_ms = 0;
        if (loop_.draining && state_ == state::reading && in_.empty()) return say_goodbye();
        connection_counters& count = loop_.shared.connections;
        if (state_ == state::reading && in_.empty()) {
            count.idle.fetch_add(1, std::memory_order_relaxed);
        } else if (state_ != state::lingering) {
            count.slow.fetch_add(1, std::memory_order_relaxed);
            if (state_ == state::reading) {
                byte_buffer farewell;
                engine_->late(farewell);
                if constexpr (!is_secured) {
                    std::size_t sent = 0;
                    send_some(farewell.view(), sent);
                }
            }
        }
        doomed_ = true;
        error_code ignored;
        pause_.reset();
        socket().close(ignored);
    }

  private:
    enum class state : std::uint8_t { greeting, reading, writing, waiting, lingering };

    plain& socket() noexcept {
        if constexpr (is_secured)
            return stream_.next_layer();
        else
            return stream_;
    }

    void finish() { loop_.remove(this); }

    /// A surplus client holds what the next probe needs.
    std::int64_t request_ms() const noexcept {
        const std::int64_t most = loop_.bounds.request.count();
        return surplus_ ? std::min(most, surplus_ms) : most;
    }

    /// With a read under way, which goes on until the client closes too.
    void say_goodbye() {
        state_ = state::lingering;
        deadline_ms = loop_.now_ms + linger_ms;
        error_code ignored;
        socket().shutdown(asio::socket_base::shutdown_send, ignored);
    }

    void read() {
        state_ = state::reading;
        if (in_.empty()) {
            midway_ = false;
            in_.shrink(2 * first_read);
            deadline_ms = surplus_                        ? loop_.now_ms + request_ms()
                          : loop_.draining                ? loop_.now_ms + 2 * busy_ms
                          : loop_.bounds.idle.count() > 0 ? loop_.now_ms + loop_.bounds.idle.count()
                                                          : 0;
        } else if (!midway_) {
            midway_ = true;
            deadline_ms = loop_.now_ms + request_ms();
        }
        char* const to = in_.room(read_size_);
        stream_.async_read_some(asio::buffer(to, in_.room_size()),
                                [this](const error_code& failed, std::size_t n) {
                                    if (failed || doomed_) return finish();
                                    on_read(n);
                                });
    }

    void on_read(std::size_t n) {
        if (state_ == state::lingering) return discard();
        read_size_ = n == in_.room_size() && read_size_ < largest_read ? read_size_ * 2
                     : n < first_read / 2                              ? first_read
                                                                       : read_size_;
        in_.commit(n);
        read_at_ms_ = loop_.now_ms;
        process();
    }

    void process() {
        byte_buffer& out = loop_.out;
        out.clear();
        const progress p = engine_->run(in_.view(), out);
        if (p.consumed > 0) midway_ = false;
        in_.drop(p.consumed);
        next_ = p.what;
        delay_ = p.delay;
        if (out.empty()) return go_on();
        std::size_t sent = 0;
        if constexpr (!is_secured) {
            if (!send_some(out.view(), sent)) return finish();
            if (sent == out.size()) return go_on();
        }
        out_.append(out.view().substr(sent));
        out.shrink(4 * largest_read);
        write();
    }

    /// Sends what the socket takes at once. False: the connection is gone.
    bool send_some(std::string_view bytes, std::size_t& sent) {
        const ssize_t n =
            ::send(socket().native_handle(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n >= 0) {
            sent = static_cast<std::size_t>(n);
            return true;
        }
        return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    }

    void write() {
        state_ = state::writing;
        deadline_ms = loop_.now_ms + loop_.bounds.send.count();
        stream_.async_write_some(asio::buffer(out_.view().data(), out_.size()),
                                 [this](const error_code& failed, std::size_t n) {
                                     if (failed || doomed_) return finish();
                                     out_.drop(n);
                                     if (!out_.empty()) return write();
                                     out_.shrink(0);
                                     go_on();
                                 });
    }

    void go_on() {
        switch (next_) {
            case verdict::hungry:
                return read();
            case verdict::again:
                state_ = state::waiting;
                deadline_ms = 0;
                asio::post(loop_.io, [this] { doomed_ ? finish() : process(); });  // the others come first
                return;
            case verdict::wait:
                state_ = state::waiting;
                deadline_ms = 0;
                pause_ = std::make_unique<asio::steady_timer>(loop_.io, delay_);
                pause_->async_wait([this](const error_code&) { doomed_ ? finish() : process(); });
                return;
            case verdict::close:
                return close();
        }
    }

    /// Says goodbye, and reads on until the client does too: closing with bytes unread would reset the
    /// connection, and take replies with it that the client has not read yet.
    void close() {
        state_ = state::lingering;
        deadline_ms = loop_.now_ms + (surplus_ ? surplus_ms : linger_ms);
        if constexpr (is_secured) {
            stream_.async_shutdown([this](const error_code&) { finish(); });
        } else {
            error_code ignored;
            socket().shutdown(asio::socket_base::shutdown_send, ignored);
            discard();
        }
    }

    void discard() {
        in_.clear();
        stream_.async_read_some(asio::buffer(in_.room(first_read), first_read),
                                [this](const error_code& failed, std::size_t) {
                                    if (failed || doomed_) return finish();
                                    discard();
                                });
    }

    worker::loop& loop_;
    Stream stream_;
    std::unique_ptr<engine> engine_;
    byte_buffer in_;
    byte_buffer out_;
    std::unique_ptr<asio::steady_timer> pause_;
    std::size_t read_size_ = first_read;
    std::int64_t read_at_ms_ = 0;
    std::chrono::nanoseconds delay_{0};
    state state_ = state::reading;
    verdict next_ = verdict::hungry;
    bool surplus_;
    bool midway_ = false;
    bool doomed_ = false;
};

}  // namespace

worker::worker(context& c, tls_context* tls) : loop_(std::make_unique<loop>(c, tls)) {}

worker::~worker() {
    stop();
}

void worker::start() {
    loop_->thread = std::thread([this] {
        loop_->sweep();
        loop_->io.run();
    });
}

void worker::adopt(int fd, protocol p, peer who, bool tls) {
    asio::post(loop_->io, [l = loop_.get(), fd, p, who = std::move(who), tls]() mutable {
        sockaddr_storage local{};
        socklen_t size = sizeof local;
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&local), &size);
        const bool is_tcp = local.ss_family != AF_UNIX;
        if (is_tcp) {
            const int on = 1;
            ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            ::setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
        }
        plain socket(l->io);
        error_code failed;
        socket.assign({local.ss_family, is_tcp ? IPPROTO_TCP : 0}, fd, failed);
        if (!failed) socket.native_non_blocking(true, failed);
        if (failed) {
            if (!socket.is_open()) ::close(fd);
            l->shared.connections.open.fetch_sub(1, std::memory_order_relaxed);
            return;
        }
        const bool surplus = who.surplus;
        auto e = p == protocol::resp ? make_resp_engine(l->shared, std::move(who))
                                     : make_http_engine(l->shared, std::move(who));
        if (l->draining) e->drain();
        if (tls)
            l->add(new connection<secured>(*l, std::move(e), surplus, std::move(socket), l->tls->get()));
        else
            l->add(new connection<plain>(*l, std::move(e), surplus, std::move(socket)));
    });
}

void worker::drain() {
    asio::post(loop_->io, [l = loop_.get()] {
        l->draining = true;
        const std::vector<connection_base*> all = l->open;
        for (connection_base* c : all) c->drain();
    });
}

void worker::stop() {
    if (!loop_->thread.joinable()) return;
    loop_->io.stop();
    loop_->thread.join();
    for (connection_base* c : std::vector<connection_base*>(loop_->open)) loop_->remove(c);
}

std::uint64_t worker::heartbeat() const noexcept {
    return loop_->heartbeat.load(std::memory_order_relaxed);
}

}  // namespace firn::service
