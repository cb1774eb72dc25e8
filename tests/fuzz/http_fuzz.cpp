// Any bytes, cut anywhere, through the reader of HTTP requests and addresses: no crash, and the same requests
// as in one piece.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "service/http/request.hpp"
#include "service/http/url.hpp"

namespace {

using firn::service::http::reading;
using firn::service::http::request_reader;

std::string requests_in(std::string_view bytes, std::size_t piece) {
    request_reader r;
    std::string all;
    std::size_t at = 0;
    for (std::size_t have = piece < bytes.size() ? piece : bytes.size();;) {
        for (;;) {
            const reading what = r.read(bytes.substr(at, have - at), 4096);
            if (what == reading::broken) return all + "broken";
            if (what == reading::incomplete) break;
            if (r.size() == 0 || r.size() > have - at) std::abort();
            const auto& q = r.get();
            all += q.method + ' ' + q.target + ' ' + q.accept + ' ' + std::to_string(q.body_bytes) + '\n';
            if (const auto u = firn::service::http::parse_url(q.target))
                for (const auto& segment : u->path) all += segment;
            at += r.size();
        }
        if (have == bytes.size()) return all;
        have = have + piece < bytes.size() ? have + piece : bytes.size();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
    static_cast<void>(firn::service::http::parse_url(bytes));
    const std::string whole = requests_in(bytes, bytes.size() + 1);
    const std::string pieces = requests_in(bytes, std::size_t{data[0]} % 17 + 1);
    // What is broken may be found out after fewer or more bytes; the requests before it are the same.
    const bool one_is_broken = whole.ends_with("broken") || pieces.ends_with("broken");
    if (whole != pieces && !one_is_broken) std::abort();
    return 0;
}
