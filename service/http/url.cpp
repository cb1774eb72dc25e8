#include "service/http/url.hpp"

#include <algorithm>

namespace firn::service::http {

namespace {

int digit_of(char c) noexcept {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

std::optional<std::string> decoded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            out += text[i];
            continue;
        }
        const int high = i + 2 <= text.size() - 1 ? digit_of(text[i + 1]) : -1;
        const int low = i + 2 <= text.size() - 1 ? digit_of(text[i + 2]) : -1;
        if (high < 0 || low < 0) return std::nullopt;
        out += static_cast<char>(high * 16 + low);
        i += 2;
    }
    return out;
}

/// The text up to `separator`, which is removed with it.
std::string_view take_until(std::string_view& text, char separator) noexcept {
    const std::size_t at = std::min(text.find(separator), text.size());
    const std::string_view part = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return part;
}

}  // namespace

std::optional<url> parse_url(std::string_view target) {
    if (target.empty() || target[0] != '/') return std::nullopt;
    url u;
    std::string_view path = take_until(target, '?');
    path.remove_prefix(1);
    while (!path.empty()) {
        auto segment = decoded(take_until(path, '/'));
        if (!segment) return std::nullopt;
        u.path.push_back(std::move(*segment));
    }
    while (!target.empty()) {
        std::string_view pair = take_until(target, '&');
        auto key = decoded(take_until(pair, '='));
        auto value = decoded(pair);
        if (!key || !value) return std::nullopt;
        u.query.emplace_back(std::move(*key), std::move(*value));
    }
    return u;
}

}  // namespace firn::service::http
