#include "service/resp/parser.hpp"

#include <cstring>

namespace firn::service::resp {

outcome parser::break_off(const char* why) noexcept {
    fault_ = why;
    midway_ = false;
    return outcome::broken;
}

/// Reads "<digits>\r\n" at at_.
outcome parser::take_length(std::string_view input, std::int64_t most, std::int64_t& value) {
    std::size_t at = at_;
    std::int64_t number = 0;
    bool negative = false;
    if (at < input.size() && input[at] == '-') {
        negative = true;
        ++at;
    }
    const std::size_t digits = at;
    while (at < input.size() && input[at] >= '0' && input[at] <= '9') {
        number = number * 10 + (input[at] - '0');
        if (number > most) return break_off("Protocol error: a length past the bound");
        ++at;
    }
    if (at == input.size()) return outcome::incomplete;
    if (input[at] != '\r' || at == digits) return break_off("Protocol error: invalid length");
    if (at + 1 == input.size()) return outcome::incomplete;
    if (input[at + 1] != '\n') return break_off("Protocol error: expected CR LF");
    value = negative ? -number : number;
    at_ = at + 2;
    return outcome::command;
}

outcome parser::parse_array(std::string_view input) {
    if (args_left_ < 0) {
        if (at_ == 0) at_ = 1;  // past '*'
        std::int64_t count = 0;
        if (const outcome o = take_length(input, static_cast<std::int64_t>(args_max), count);
            o != outcome::command)
            return o;
        args_left_ = count > 0 ? count : 0;
    }
    while (args_left_ > 0) {
        if (bulk_left_ < 0) {
            if (at_ == input.size()) return outcome::incomplete;
            if (input[at_] != '$') return break_off("Protocol error: expected '$', got something else");
            ++at_;
            std::int64_t size = 0;
            const outcome o = take_length(input, std::int64_t{1} << 30, size);
            if (o == outcome::incomplete) --at_;
            if (o != outcome::command) return o;
            if (size < 0) return break_off("Protocol error: invalid bulk length");
            bulk_left_ = size;
        }
        const auto size = static_cast<std::size_t>(bulk_left_);
        if (input.size() - at_ < size + 2) return outcome::incomplete;
        if (input[at_ + size] != '\r' || input[at_ + size + 1] != '\n')
            return break_off("Protocol error: expected CR LF after a bulk string");
        spans_.push_back({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(size)});
        at_ += size + 2;
        bulk_left_ = -1;
        --args_left_;
    }
    return outcome::command;
}

outcome parser::parse_inline(std::string_view input) {
    const void* newline = std::memchr(input.data() + at_, '\n', input.size() - at_);
    if (newline == nullptr) {
        at_ = input.size();
        return outcome::incomplete;
    }
    const auto end = static_cast<std::size_t>(static_cast<const char*>(newline) - input.data());
    std::size_t i = 0;
    while (i < end) {
        while (i < end && (input[i] == ' ' || input[i] == '\t' || input[i] == '\r')) ++i;
        const std::size_t begin = i;
        while (i < end && input[i] != ' ' && input[i] != '\t' && input[i] != '\r') ++i;
        if (i == begin) break;
        if (spans_.size() == args_max) return break_off("Protocol error: too many words");
        spans_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i - begin)});
    }
    at_ = end + 1;
    return outcome::command;
}

outcome parser::parse(std::string_view input, std::size_t bytes_max) {
    if (!midway_) {
        at_ = 0;
        args_left_ = bulk_left_ = -1;
        spans_.clear();
        if (input.empty()) return outcome::incomplete;
        midway_ = true;
    }
    outcome o = input[0] == '*' ? parse_array(input) : parse_inline(input);
    if (o == outcome::incomplete) {
        const std::size_t announced =
            bulk_left_ > 0 ? at_ + static_cast<std::size_t>(bulk_left_) : input.size();
        if (announced > bytes_max) o = break_off("Protocol error: the command is too large");
        return o;
    }
    if (o == outcome::broken) return o;
    midway_ = false;
    if (at_ > bytes_max) return break_off("Protocol error: the command is too large");
    args_.clear();
    for (const span& s : spans_) args_.push_back(input.substr(s.begin, s.size));
    return o;
}

}  // namespace firn::service::resp
