// Every text form of a 64-bit id reads any bytes: what is accepted is what would be written, what is rejected
// is rejected at a place inside the text, and a batch agrees with reading line by line.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "firn/codecs/batch.hpp"
#include "firn/codecs/forms.hpp"

namespace {

using namespace firn::codecs;

void require(bool holds) {
    if (!holds) std::abort();
}

std::string_view written(const form& f, std::uint64_t value, std::array<char, form_max_size>& room) {
    return {room.data(), static_cast<std::size_t>(f.write(value, room.data()) - room.data())};
}

void check(const form& f, std::string_view text) {
    std::array<char, form_max_size> room{};
    const auto strict = f.parse(text, {});
    require(strict.position <= text.size());
    if (strict) require(written(f, strict.value, room) == text);
    const auto lenient = f.parse(text, {.accept = spelling::lenient});
    if (strict) require(lenient == strict);
    if (lenient) require(f.parse(written(f, lenient.value, room), {}).value == lenient.value);
    const auto in_signed = f.parse(text, {.max = max_signed});
    require(static_cast<bool>(in_signed) == (strict && strict.value <= max_signed));
}

template <class Codec>
void check_batch(std::string_view text) {
    std::array<std::uint64_t, 16> values{};
    const batch_read r = parse_many<Codec>(text, values);
    require(r.count <= values.size() && r.size <= text.size() && r.position <= text.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < r.count; ++i) {
        const std::size_t end = text.find('\n', at);
        require(Codec::parse(text.substr(at, end - at)).value == values[i]);
        at = end + 1;
    }
    require(at == r.size);
    std::array<char, 16 * (form_max_size + 1)> out{};
    const auto w = format_many<Codec>(std::span<const std::uint64_t>{values.data(), r.count}, out);
    require(w.count == r.count && std::string_view(out.data(), w.size) == text.substr(0, r.size));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    for (const form& f : forms) check(f, text);
    check_batch<decimal>(text);
    check_batch<base32>(text);
    check_batch<base58_bitcoin>(text);
    check_batch<base62>(text);
    return 0;
}
