#include "service/resp/session.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "service/resp/commands.hpp"

namespace firn::service::resp {

namespace {

using std::chrono::nanoseconds;

constexpr nanoseconds making_pause = std::chrono::milliseconds{1};
constexpr nanoseconds making_limit = std::chrono::seconds{5};

/// Whether `word` is `upper` in any case. `upper` has no character that differs only in that bit from
/// another.
bool is_word(std::string_view word, std::string_view upper) noexcept {
    if (word.size() != upper.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = word[i] >= 'a' && word[i] <= 'z' ? static_cast<char>(word[i] - 32) : word[i];
        if (c != upper[i]) return false;
    }
    return true;
}

std::string upper_case(std::string_view text) {
    std::string out{text};
    for (char& c : out)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    return out;
}

}  // namespace

session::session(context& c, peer p)
    : context_(c),
      peer_(std::move(p)),
      limits_(c.bounds()),
      limits_seen_(c.bounds_changed.load(std::memory_order_acquire)),
      authenticated_(!c.asks_for_token()) {}

void session::refresh_bounds() {
    const std::uint64_t now = context_.bounds_changed.load(std::memory_order_acquire);
    if (now == limits_seen_) [[likely]]
        return;
    limits_seen_ = now;
    limits_ = context_.bounds();
}

void session::fail(std::string_view code, std::string_view text) {
    context_.resp.errors.fetch_add(1, std::memory_order_relaxed);
    reply().error(code, text);
}

void session::late(byte_buffer& out) {
    writer(out, protocol_).error("ERR", "the command did not arrive within the time bound");
}

void session::owe(debt kind, std::string_view space, std::size_t count) {
    if (debt_space_ == nullptr || debt_name_ != space) {
        debt_space_ = context_.spaces.find(space);
        debt_name_ = space;
    }
    debt_ = kind;
    debt_count_ = count;
}

bool session::may_wait(nanoseconds limit) {
    const auto now = context_.now();
    if (!waiting_) {
        waiting_ = true;
        waiting_since_ = now;
        return limit.count() > 0;
    }
    return now - waiting_since_ < limit;
}

void session::fail_debt(std::string_view code, std::string_view text) {
    const std::size_t replies = debt_ == debt::integer || debt_ == debt::bulk ? debt_count_ : 1;
    for (std::size_t i = 0; i < replies; ++i) fail(code, text);
    debt_ids_.clear();
    debt_ = debt::none;
}

bool session::find_space(nanoseconds& delay) {
    const spaces::wanted w = context_.spaces.want(debt_name_);
    if (w.pending) {
        if (may_wait(making_limit)) {
            delay = making_pause;
            return false;
        }
        fail_debt("TRYAGAIN", "the space is still being made; retry");
    } else if (w.found == nullptr) {
        fail_debt(w.unknown ? "NOSPACE" : "ERR", w.refusal);
    } else {
        debt_space_ = w.found;
    }
    return true;
}

bool session::pay(nanoseconds& delay) {
    if (debt_space_ == nullptr && !find_space(delay)) return false;
    if (debt_ != debt::none && !pay_ids(delay)) return false;
    if (waiting_) {
        waiting_ = false;
        if (debt_space_ != nullptr) debt_space_->count_wait(context_.now() - waiting_since_);
    }
    return true;
}

bool session::pay_ids(nanoseconds& delay) {
    taken t;
    writer w = reply();
    if (debt_ == debt::range) {
        const id_range r = debt_space_->take_range(debt_count_);
        if (r.code == errc::ok) {
            w.array(3);
            w.id_bulk(r.first);
            w.integer(static_cast<std::int64_t>(r.count));
            w.integer(static_cast<std::int64_t>(r.step));
            debt_ = debt::none;
            return true;
        }
        t = {.count = 0, .code = r.code, .amount = r.amount};
    } else if (debt_ == debt::bulks) {
        const std::size_t have = debt_ids_.size();
        debt_ids_.resize(debt_count_);
        t = debt_space_->take(std::span{debt_ids_}.subspan(have));
        debt_ids_.resize(have + t.count);
        if (t.code == errc::ok) {
            w.array(debt_count_);
            for (const id i : debt_ids_) w.id_bulk(i);
            debt_ids_.clear();
            debt_ = debt::none;
            return true;
        }
    } else {
        std::array<id, run_max> ids;
        t = debt_space_->take(std::span{ids}.first(debt_count_));
        if (debt_ == debt::bulk) {
            for (std::size_t i = 0; i < t.count; ++i) w.id_bulk(ids[i]);
        } else {
            for (std::size_t i = 0; i < t.count; ++i) {
                if (ids[i].value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
                    w.id_integer(ids[i]);
                else
                    fail("ERR", "the id is past 2^63 and no integer of this protocol; use FIRN.NEXT");
            }
        }
        debt_count_ -= t.count;
        if (debt_count_ == 0) {
            debt_ = debt::none;
            return true;
        }
    }
    const nanoseconds pause = debt_space_->pause(t);
    if (pause.count() > 0 && may_wait(limits_.wait)) {
        delay = pause;
        return false;
    }
    debt_space_->count_refusal(t.code);
    fail_debt(upper_case(name_of(t.code)), debt_space_->explain(t.code, t.amount));
    return true;
}

void session::dispatch(arguments args) {
    if (args.empty()) return;
    // A browser that is made to post to this port: what follows is not the client's own.
    if (is_word(args[0], "POST") || is_word(args[0], "HOST:")) {
        fail("ERR", "this is the Redis protocol, not HTTP");
        closing_ = true;
        return;
    }
    const command* c = find_command(args[0]);
    if (c == nullptr) {
        // Redis' own wording: clients look for it.
        std::string text{"unknown command '"};
        (text += args[0].substr(0, 64)) += "', with args beginning with: ";
        for (std::size_t i = 1; i < std::min<std::size_t>(args.size(), 4); ++i)
            ((text += '\'') += args[i].substr(0, 32)) += "' ";
        fail("ERR", text);
        return;
    }
    if (!authenticated_ && !c->before_auth) {
        fail("NOAUTH", "Authentication required.");
        return;
    }
    const auto size = static_cast<int>(args.size());
    if (c->arity >= 0 ? size != c->arity : size < -c->arity) {
        fail("ERR", "wrong number of arguments for '" + std::string{c->name} +
                        "'; it takes: " + std::string{c->syntax});
        return;
    }
    c->run(*this, args);
}

progress session::run(std::string_view input, byte_buffer& out) {
    out_ = &out;
    refresh_bounds();
    std::size_t at = 0;
    std::uint64_t requests = 0;
    std::chrono::nanoseconds delay{0};
    const auto end = [&](verdict what) {
        if (requests > 0) context_.resp.requests.fetch_add(requests, std::memory_order_relaxed);
        return progress{.what = what, .consumed = at, .delay = delay};
    };

    for (;;) {
        // A command that joins the debt at hand keeps it open; any other has to see it paid first.
        if (debt_ != debt::none && waiting_ && !pay(delay)) return end(verdict::wait);
        if (out.size() >= limits_.reply_bytes) {
            if (debt_ != debt::none && !pay(delay)) return end(verdict::wait);
            return end(verdict::again);
        }
        const outcome o = parser_.parse(input.substr(at), limits_.request_bytes);
        if (o == outcome::command) {
            const arguments args = parser_.args();
            ++requests;
            if (args.size() == 2 && authenticated_ && (args[0].size() == 4 || args[0].size() == 9)) {
                const debt kind = is_word(args[0], "INCR")        ? debt::integer
                                  : is_word(args[0], "FIRN.NEXT") ? debt::bulk
                                                                  : debt::none;
                if (kind != debt::none) {
                    if (debt_ == kind && debt_count_ < run_max && debt_name_ == args[1]) {
                        ++debt_count_;
                    } else {
                        if (debt_ != debt::none && !pay(delay)) {
                            --requests;  // it is parsed again
                            return end(verdict::wait);
                        }
                        owe(kind, args[1], 1);
                    }
                    at += parser_.size();
                    continue;
                }
            }
            if (debt_ != debt::none && !pay(delay)) {
                --requests;
                return end(verdict::wait);
            }
            dispatch(args);
            at += parser_.size();
            if (closing_) return end(verdict::close);
            continue;
        }
        if (debt_ != debt::none && !pay(delay)) return end(verdict::wait);
        if (o == outcome::broken) {
            context_.connections.protocol_errors.fetch_add(1, std::memory_order_relaxed);
            fail("ERR", parser_.fault());
            return end(verdict::close);
        }
        if (draining_ && !parser_.midway()) return end(verdict::close);
        return end(verdict::hungry);
    }
}

}  // namespace firn::service::resp

namespace firn::service {

std::unique_ptr<engine> make_resp_engine(context& c, peer p) {
    return std::make_unique<resp::session>(c, std::move(p));
}

std::string_view resp_too_many() {
    return "-ERR max number of clients reached\r\n";
}

}  // namespace firn::service
