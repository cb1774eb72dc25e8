// firn::service::http::session: the engine of one HTTP/1.1 connection.
//
// Routes: POST /v1/spaces/{space}/ids, GET /v1/spaces[/{space}], GET /v1/ids/{id}, /livez, /readyz, /metrics,
// /openapi.json. /livez asks nothing but this thread: neither the clock, nor the disk, nor the token.
//
//     auto e = firn::service::make_http_engine(context, peer);     // engine.hpp
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "firn/codecs/forms.hpp"
#include "service/context.hpp"
#include "service/engine.hpp"
#include "service/http/request.hpp"
#include "service/http/url.hpp"

namespace firn::service::http {

class session final : public engine {
  public:
    session(context& c, peer p);

    progress run(std::string_view input, byte_buffer& out) override;
    void late(byte_buffer& out) override;
    void drain() noexcept override { draining_ = true; }

  private:
    void answer(const request& r);
    /// The target's parts. A client asks for the same again and again, so the last one is kept.
    const url* url_of(const std::string& target);
    void dispatch(const request& r, const url& u);
    bool known_parameters(const url& u, std::initializer_list<std::string_view> names);
    bool method_is(const request& r, std::string_view wanted);

    void live(const request& r, const url& u);
    void ready(const request& r, const url& u);
    void list_spaces(const request& r, const url& u);
    void one_space(const request& r, const url& u);
    void decode_id(const request& r, const url& u);
    void begin_ids(const request& r, const url& u);

    /// Gives the ids that are owed, or says why not. False: it must wait for `delay`.
    bool pay(std::chrono::nanoseconds& delay);
    bool may_wait(std::chrono::nanoseconds limit);
    void write_ids();

    void respond(unsigned status, std::string_view type, std::string_view body, std::string_view extra = {});
    void head(unsigned status, std::string_view type, std::size_t size, std::string_view extra);
    void problem(unsigned status, std::string_view code, const std::string& detail,
                 std::string_view extra = {});

    context& context_;
    peer peer_;
    limits limits_;
    std::uint64_t limits_seen_;
    request_reader reader_;
    byte_buffer* out_ = nullptr;
    bool close_ = false;
    bool head_only_ = false;
    bool http_1_0_ = false;
    bool draining_ = false;

    std::string last_target_;
    std::optional<url> last_url_;
    bool owes_ = false;
    bool as_text_ = false;
    std::string space_name_;
    space* space_ = nullptr;
    const codecs::form* form_ = nullptr;
    std::size_t want_ = 0;
    std::vector<id> ids_;
    bool waiting_ = false;
    std::chrono::steady_clock::time_point waiting_since_{};
};

}  // namespace firn::service::http
