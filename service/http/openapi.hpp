// firn::service::http::openapi_text: service/http/openapi.json, as the build has put it into the program.
//
//     respond(200, "application/json", openapi_text());
#pragma once

#include <string_view>

namespace firn::service::http {

std::string_view openapi_text() noexcept;

}  // namespace firn::service::http
