// firn::service::http::url: a request's target as path segments and query parameters, decoded.
//
//     auto u = firn::service::http::parse_url("/v1/spaces/a%3Ab/ids?count=3");
//     u->path == {"v1", "spaces", "a:b", "ids"};  u->query == {{"count", "3"}};
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace firn::service::http {

struct url {
    std::vector<std::string> path;
    std::vector<std::pair<std::string, std::string>> query;

    /// The value of a parameter, or null.
    const std::string* find(std::string_view name) const noexcept {
        for (const auto& [key, value] : query)
            if (key == name) return &value;
        return nullptr;
    }
};

/// Nothing when the target is no absolute path, or has a % that is not followed by two hex digits.
std::optional<url> parse_url(std::string_view target);

}  // namespace firn::service::http
