// Text forms of ids: whatever is written is read back, and whatever is read was written just so.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "firn/codecs/base32.hpp"
#include "firn/codecs/base58.hpp"
#include "firn/codecs/base62.hpp"
#include "firn/codecs/forms.hpp"
#include "firn/text.hpp"

namespace {

using namespace firn::codecs;

/// Numbers of every length, since uniform ones nearly all have the most digits.
rc::Gen<std::uint64_t> any_number() {
    return rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::uint64_t>(), rc::gen::inRange(0, 64)),
                        [](const std::pair<std::uint64_t, int>& p) { return p.first >> p.second; });
}

std::string written(const form& f, std::uint64_t value) {
    std::array<char, form_max_size> room{};
    return {room.data(), f.write(value, room.data())};
}

/// A text of that form in which nothing or one character is changed, lost or added.
std::string near_text(const form& f) {
    std::string text = written(f, *any_number());
    const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
    const char other = *rc::gen::oneOf(rc::gen::elementOf(written(f, ~std::uint64_t{0}) + "0aAzZ19"),
                                       rc::gen::element('O', 'I', 'l', '-', ' ', '+', '\n', '\0'),
                                       rc::gen::arbitrary<char>());
    switch (*rc::gen::inRange(0, 4)) {
        case 0:
            text[at] = other;
            break;
        case 1:
            text.erase(at, 1);
            break;
        case 2:
            text.insert(at, 1, other);
            break;
        default:
            break;
    }
    return text;
}

const form& any_form() {
    return forms[*rc::gen::inRange<std::size_t>(0, forms.size())];
}

RC_GTEST_PROP(codecs, what_is_written_is_read, ()) {
    const std::uint64_t value = *any_number();
    for (const form& f : forms) {
        const auto p = f.parse(written(f, value), {});
        RC_ASSERT(p);
        RC_ASSERT(p.value == value);
    }
}

RC_GTEST_PROP(codecs, what_is_read_is_canonical, ()) {
    const form& f = any_form();
    const std::string text = near_text(f);
    const auto p = f.parse(text, {});
    if (p)
        RC_ASSERT(written(f, p.value) == text);
    else
        RC_ASSERT(p.position <= text.size());
    RC_CLASSIFY(static_cast<bool>(p), "accepted");
}

RC_GTEST_PROP(codecs, a_lenient_reader_reads_what_a_strict_one_does, ()) {
    const form& f = any_form();
    const std::string text = near_text(f);
    const auto strict = f.parse(text, {});
    const auto lenient = f.parse(text, {.accept = spelling::lenient});
    if (strict) RC_ASSERT(lenient == strict);
}

RC_GTEST_PROP(codecs, a_bound_is_a_bound, ()) {
    const std::uint64_t value = *any_number();
    const std::uint64_t max = *any_number();
    for (const form& f : forms) {
        const auto p = f.parse(written(f, value), {.max = max});
        RC_ASSERT(static_cast<bool>(p) == (value <= max));
        if (!p) RC_ASSERT(p.fault == firn::text_fault::overflow);
    }
}

RC_GTEST_PROP(codecs, where_it_overflows_is_the_first_digit_past_the_bound, ()) {
    const std::uint64_t max = *any_number();
    const std::uint64_t value = *any_number();
    RC_PRE(value > max);
    const form& f = any_form();
    std::string text = written(f, value);
    const std::string bound = written(f, max);
    const auto p = f.parse(text, {.max = max});
    RC_ASSERT(p.fault == firn::text_fault::overflow);
    if (text.size() == bound.size()) {  // always so where the width is fixed
        RC_ASSERT(text.substr(0, p.position) == bound.substr(0, p.position));
        RC_ASSERT(text[p.position] != bound[p.position]);
    } else {
        RC_ASSERT(p.position == bound.size());
    }
}

RC_GTEST_PROP(codecs, fixed_width_text_order_is_id_order, ()) {
    const std::uint64_t a = *any_number();
    const std::uint64_t b = *any_number();
    for (const form& f : forms)
        if (f.fixed_width) RC_ASSERT((written(f, a) < written(f, b)) == (a < b));
}

RC_GTEST_PROP(codecs, the_plain_forms_are_those_of_text_hpp, ()) {
    const std::uint64_t value = *any_number();
    RC_ASSERT(written(*form_named("decimal"), value) == firn::to_decimal(firn::id{value}));
    RC_ASSERT(written(*form_named("hex"), value) == firn::to_hex(firn::id{value}));
    const std::string text = near_text(any_form());
    const auto decimal_here = form_named("decimal")->parse(text, {});
    const auto hex_here = form_named("hex")->parse(text, {});
    RC_ASSERT(static_cast<bool>(decimal_here) == static_cast<bool>(firn::parse_decimal(text)));
    RC_ASSERT(decimal_here.value == firn::parse_decimal(text).value || !decimal_here);
    RC_ASSERT(static_cast<bool>(hex_here) == static_cast<bool>(firn::parse_hex(text)));
    RC_ASSERT(hex_here.value == firn::parse_hex(text).value || !hex_here);
}

}  // namespace
