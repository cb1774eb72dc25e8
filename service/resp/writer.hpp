// firn::service::resp::writer: replies in RESP2 or RESP3.
//
//     writer w(out, 3);
//     w.map(1);  w.bulk("proto");  w.integer(3);
//     w.error("ERR", "unknown command");
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "firn/id.hpp"
#include "service/byte_buffer.hpp"

namespace firn::service::resp {

class writer {
  public:
    writer(byte_buffer& out, int protocol) noexcept : out_(out), protocol_(protocol) {}

    int protocol() const noexcept { return protocol_; }
    void simple(std::string_view text) { line('+', text); }
    /// CR and LF in `text` become spaces: it may quote what a client sent.
    void error(std::string_view code, std::string_view text) {
        out_.append('-');
        out_.append(code);
        out_.append(' ');
        char* p = out_.room(text.size() + 2);
        for (const char c : text) *p++ = c == '\r' || c == '\n' ? ' ' : c;
        *p++ = '\r';
        *p++ = '\n';
        out_.commit_to(p);
    }
    void integer(std::int64_t value) { number(':', value); }
    void bulk(std::string_view text) {
        number('$', static_cast<std::int64_t>(text.size()));
        out_.append(text);
        out_.append("\r\n");
    }
    void null() { out_.append(protocol_ >= 3 ? "_\r\n" : "$-1\r\n"); }
    void array(std::size_t size) { number('*', static_cast<std::int64_t>(size)); }
    void set(std::size_t size) { number(protocol_ >= 3 ? '~' : '*', static_cast<std::int64_t>(size)); }
    void map(std::size_t pairs) {
        number(protocol_ >= 3 ? '%' : '*', static_cast<std::int64_t>(protocol_ >= 3 ? pairs : 2 * pairs));
    }
    void boolean(bool b) {
        if (protocol_ >= 3)
            out_.append(b ? "#t\r\n" : "#f\r\n");
        else
            integer(b ? 1 : 0);
    }
    /// Text for people (INFO): in RESP3 it says so.
    void verbatim(std::string_view text) {
        if (protocol_ < 3) return bulk(text);
        number('=', static_cast<std::int64_t>(text.size() + 4));
        out_.append("txt:");
        out_.append(text);
        out_.append("\r\n");
    }

    /// An id as a bulk string: RESP's integers, or the client's, lose digits past 2^53.
    void id_bulk(id i) {
        char digits[20];
        const char* const end = std::to_chars(digits, digits + sizeof digits, i.value).ptr;
        const auto size = static_cast<std::size_t>(end - digits);
        char* p = out_.room(size + 7);
        *p++ = '$';
        if (size >= 10) *p++ = static_cast<char>('0' + size / 10);
        *p++ = static_cast<char>('0' + size % 10);
        *p++ = '\r';
        *p++ = '\n';
        std::memcpy(p, digits, size);
        p += size;
        *p++ = '\r';
        *p++ = '\n';
        out_.commit_to(p);
    }
    void id_integer(id i) {
        char* p = out_.room(24);
        *p++ = ':';
        p = std::to_chars(p, p + 20, i.value).ptr;
        *p++ = '\r';
        *p++ = '\n';
        out_.commit_to(p);
    }

  private:
    void line(char kind, std::string_view text) {
        out_.append(kind);
        out_.append(text);
        out_.append("\r\n");
    }
    void number(char kind, std::int64_t value) {
        char* p = out_.room(24);
        *p++ = kind;
        p = std::to_chars(p, p + 21, value).ptr;
        *p++ = '\r';
        *p++ = '\n';
        out_.commit_to(p);
    }

    byte_buffer& out_;
    int protocol_;
};

}  // namespace firn::service::resp
