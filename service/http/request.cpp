#include "service/http/request.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <optional>

namespace firn::service::http {

namespace {

namespace beast = boost::beast;
using boost::system::error_code;

constexpr std::uint32_t header_max = 16 * 1024;

/// Takes from Beast's parser what request has room for. Nothing is allocated once the strings have grown.
class parser final : public beast::http::basic_parser<true> {
  public:
    explicit parser(request& into) : into_(into) {
        into_.method.clear();
        into_.target.clear();
        into_.accept.clear();
        into_.authorization.clear();
        into_.body_bytes = 0;
        eager(true);
    }

  private:
    static std::string_view view(beast::string_view s) noexcept { return {s.data(), s.size()}; }

    void on_request_impl(beast::http::verb, beast::string_view method, beast::string_view target, int version,
                         error_code& failed) override {
        into_.method = view(method);
        into_.target = view(target);
        into_.http_1_0 = version == 10;
        if (version != 10 && version != 11) failed = beast::http::error::bad_version;
    }
    void on_response_impl(int, beast::string_view, int, error_code&) override {}
    void on_field_impl(beast::http::field name, beast::string_view, beast::string_view value,
                       error_code&) override {
        if (name == beast::http::field::accept)
            into_.accept = view(value);
        else if (name == beast::http::field::authorization)
            into_.authorization = view(value);
    }
    void on_header_impl(error_code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
    std::size_t on_body_impl(beast::string_view body, error_code&) override {
        into_.body_bytes += body.size();
        return body.size();
    }
    void on_chunk_header_impl(std::uint64_t, beast::string_view, error_code&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view body, error_code&) override {
        into_.body_bytes += body.size();
        return body.size();
    }
    void on_finish_impl(error_code&) override {}

    request& into_;
};

}  // namespace

struct request_reader::state {
    request current;
    std::optional<parser> p;
    std::size_t used = 0;
};

request_reader::request_reader() : state_(std::make_unique<state>()) {}
request_reader::~request_reader() = default;

const request& request_reader::get() const noexcept {
    return state_->current;
}
std::size_t request_reader::size() const noexcept {
    return state_->used;
}

reading request_reader::read(std::string_view input, std::size_t bytes_max) {
    state& s = *state_;
    if (!midway_) {
        if (input.empty()) return reading::incomplete;
        s.p.emplace(s.current);
        s.p->header_limit(header_max);
        s.p->body_limit(bytes_max);
        s.used = 0;
        midway_ = true;
    }
    error_code failed;
    while (!s.p->is_done() && s.used < input.size()) {
        const std::string_view rest = input.substr(s.used);
        const std::size_t n = s.p->put(boost::asio::const_buffer(rest.data(), rest.size()), failed);
        s.used += n;
        if (failed == beast::http::error::need_more) {
            failed = {};
            break;
        }
        if (failed || n == 0) break;
    }
    if (failed) {
        status_ = failed == beast::http::error::header_limit  ? 431
                  : failed == beast::http::error::body_limit  ? 413
                  : failed == beast::http::error::bad_version ? 505
                                                              : 400;
        fault_ = failed.message();
        midway_ = false;
        return reading::broken;
    }
    if (s.p->is_done()) {
        s.current.keep_alive = s.p->keep_alive();
        midway_ = false;
        return reading::request;
    }
    if (input.size() > bytes_max + header_max) {
        status_ = 413;
        fault_ = "the request is too large";
        midway_ = false;
        return reading::broken;
    }
    return reading::incomplete;
}

}  // namespace firn::service::http
