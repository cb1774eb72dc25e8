// Any bytes, cut anywhere, through the parser of commands: no crash, no endless loop, and the same commands
// as in one piece.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "service/resp/parser.hpp"

namespace {

using firn::service::resp::outcome;
using firn::service::resp::parser;

/// A fingerprint of all commands in `bytes` when they arrive `piece` at a time.
std::uint64_t commands_in(std::string_view bytes, std::size_t piece) {
    parser p;
    std::uint64_t mixed = 14695981039346656037ULL;
    const auto mix = [&](std::uint64_t v) { mixed = (mixed ^ v) * 1099511628211ULL; };
    std::size_t at = 0;
    for (std::size_t have = piece < bytes.size() ? piece : bytes.size();;) {
        for (;;) {
            const outcome o = p.parse(bytes.substr(at, have - at), 4096);
            if (o == outcome::broken) return mixed ^ 1;
            if (o == outcome::incomplete) break;
            if (p.size() == 0 || p.size() > have - at) std::abort();
            for (const std::string_view arg : p.args()) {
                mix(arg.size());
                for (const char c : arg) mix(static_cast<unsigned char>(c));
            }
            mix(p.args().size());
            at += p.size();
        }
        if (have == bytes.size()) return mixed;
        have = have + piece < bytes.size() ? have + piece : bytes.size();
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
    const std::uint64_t whole = commands_in(bytes, bytes.size() + 1);
    const std::uint64_t pieces = commands_in(bytes, std::size_t{data[0]} % 17 + 1);
    // A command that is too large is found out sooner or later, depending on the pieces; all else is alike.
    if (whole != pieces && bytes.size() < 4096) std::abort();
    return 0;
}
