// The readers of UUID, UUIDv7, ULID, KSUID, xid and ObjectId take any bytes: what is accepted is what would
// be written.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "firn/formats/ksuid.hpp"
#include "firn/formats/object_id.hpp"
#include "firn/formats/ulid.hpp"
#include "firn/formats/uuidv7.hpp"
#include "firn/formats/xid.hpp"

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

template <class Format>
void check(std::string_view text) {
    using firn::codecs::spelling;
    const auto strict = Format::parse(text);
    require(strict.position <= text.size());
    if (strict) require(strict.value.format() == text);
    const auto lenient = Format::parse(text, spelling::lenient);
    require(lenient.position <= text.size());
    if (strict) require(lenient == strict);
    if (lenient) require(Format::parse(lenient.value.format()).value == lenient.value);
    if (!lenient) require(lenient.value == Format{});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    using namespace firn::formats;
    check<uuid>(text);
    check<uuidv7>(text);
    check<ulid>(text);
    check<ksuid>(text);
    check<xid>(text);
    check<object_id>(text);
    return 0;
}
