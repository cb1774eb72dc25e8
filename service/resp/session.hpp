// firn::service::resp::session: the engine of one RESP connection.
//
// Consecutive commands that ask one space for one id each are answered from one claim: that is what makes
// pipelines fast. A command that must wait (for a tick, a reservation, a space that is being made) is a debt;
// nothing after it is read before it is paid or has failed.
//
//     auto e = firn::service::make_resp_engine(context, peer);     // engine.hpp
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/context.hpp"
#include "service/engine.hpp"
#include "service/resp/parser.hpp"
#include "service/resp/writer.hpp"

namespace firn::service::resp {

class session final : public engine {
  public:
    using arguments = std::span<const std::string_view>;

    session(context& c, peer p);

    progress run(std::string_view input, byte_buffer& out) override;
    void late(byte_buffer& out) override;
    void drain() noexcept override { draining_ = true; }

    // What the commands (commands.cpp) work with.

    enum class debt : std::uint8_t { none, integer, bulk, bulks, range };

    /// Answers later, when the ids are there; consecutive ones of the kinds integer and bulk are claimed
    /// together.
    void owe(debt kind, std::string_view space, std::size_t count);
    context& shared() noexcept { return context_; }
    const peer& who() const noexcept { return peer_; }
    writer reply() noexcept { return {*out_, protocol_}; }
    void fail(std::string_view code, std::string_view text);
    void protocol(int version) noexcept { protocol_ = version; }
    int protocol() const noexcept { return protocol_; }
    void authenticated() noexcept { authenticated_ = true; }
    bool is_authenticated() const noexcept { return authenticated_; }
    void close() noexcept { closing_ = true; }
    void rename(std::string name) { name_ = std::move(name); }
    const std::string& name() const noexcept { return name_; }
    const limits& bounds() const noexcept { return limits_; }

  private:
    static constexpr std::size_t run_max = 512;

    /// Pays the debt as far as possible. False: it must wait for `delay`.
    bool pay(std::chrono::nanoseconds& delay);
    bool find_space(std::chrono::nanoseconds& delay);
    bool pay_ids(std::chrono::nanoseconds& delay);
    void fail_debt(std::string_view code, std::string_view text);
    bool may_wait(std::chrono::nanoseconds limit);
    void dispatch(arguments args);
    void refresh_bounds();

    context& context_;
    peer peer_;
    limits limits_;
    std::uint64_t limits_seen_;
    parser parser_;
    byte_buffer* out_ = nullptr;
    int protocol_ = 2;
    bool authenticated_;
    bool closing_ = false;
    bool draining_ = false;
    std::string name_;

    debt debt_ = debt::none;
    std::string debt_name_;
    space* debt_space_ = nullptr;
    std::size_t debt_count_ = 0;
    std::vector<id> debt_ids_;  // what a command for many ids has got so far
    bool waiting_ = false;
    std::chrono::steady_clock::time_point waiting_since_{};
};

}  // namespace firn::service::resp
