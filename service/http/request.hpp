// firn::service::http::request_reader: one HTTP/1.x request at a time out of bytes that arrive in any pieces.
//
// The parsing is Boost.Beast's; its headers stay in request.cpp. What is kept of a request is what this
// server looks at. Bodies are read past and only counted: no call of ours takes one.
//
//     request_reader r;
//     while (r.read(input.substr(at), bound) == reading::request) { answer(r.get()); at += r.size(); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace firn::service::http {

enum class reading : std::uint8_t { incomplete, request, broken };

struct request {
    std::string method;
    std::string target;
    std::string accept;
    std::string authorization;
    std::size_t body_bytes = 0;
    bool keep_alive = true;
    bool http_1_0 = false;
};

class request_reader {
  public:
    request_reader();
    ~request_reader();
    request_reader(const request_reader&) = delete;
    request_reader& operator=(const request_reader&) = delete;

    /// As resp::parser::parse(). Headers have at most 16 KiB of `bytes_max`.
    reading read(std::string_view input, std::size_t bytes_max);
    const request& get() const noexcept;
    std::size_t size() const noexcept;
    /// After `broken`: the status to answer with, and why.
    unsigned status() const noexcept { return status_; }
    const std::string& fault() const noexcept { return fault_; }
    bool midway() const noexcept { return midway_; }

  private:
    struct state;
    std::unique_ptr<state> state_;
    unsigned status_ = 400;
    std::string fault_;
    bool midway_ = false;
};

}  // namespace firn::service::http
