// firn::service::resp::parser: one command at a time out of bytes that arrive in any pieces. RESP2's and
// RESP3's requests are the same: an array of bulk strings, or an inline line of words.
//
// Bounded: a command has at most `bytes_max` bytes and 1024 arguments. Nothing is copied: arguments point
// into the input. It remembers how far it has come, so that bytes which trickle in are not read again and
// again.
//
//     parser p;
//     while (p.parse(input.substr(at), bound) == outcome::command) { use(p.args()); at += p.size(); }
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace firn::service::resp {

enum class outcome : std::uint8_t { incomplete, command, broken };

class parser {
  public:
    static constexpr std::size_t args_max = 1024;

    /// `input` begins where the last command ended, or where the last incomplete one began: then with at
    /// least the bytes of the last call. After `command`, args() and size() tell it; an empty line or array
    /// is a command without arguments. After `broken`, fault() says why, and the connection is of no more
    /// use. Source: https://redis.io/docs/latest/develop/reference/protocol-spec/.
    outcome parse(std::string_view input, std::size_t bytes_max);

    /// Valid as long as the input of the last call.
    const std::vector<std::string_view>& args() const noexcept { return args_; }
    std::size_t size() const noexcept { return at_; }
    const char* fault() const noexcept { return fault_; }
    /// Whether a command has begun and not ended.
    bool midway() const noexcept { return midway_; }

  private:
    struct span {
        std::uint32_t begin;
        std::uint32_t size;
    };

    outcome parse_array(std::string_view input);
    outcome parse_inline(std::string_view input);
    outcome take_length(std::string_view input, std::int64_t most, std::int64_t& value);
    outcome break_off(const char* why) noexcept;

    std::vector<std::string_view> args_;
    std::vector<span> spans_;
    std::size_t at_ = 0;
    std::int64_t args_left_ = -1;  // -1: the array's header is still to come
    std::int64_t bulk_left_ = -1;  // -1: the bulk string's header is still to come
    bool midway_ = false;
    const char* fault_ = nullptr;
};

}  // namespace firn::service::resp
