#include "lab/exact.hpp"

namespace firn::lab {

namespace {

constexpr std::int64_t power_of_ten(unsigned n) noexcept {
    std::int64_t power = 1;
    while (n-- > 0) power *= 10;
    return power;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::optional<std::int64_t> parse_fixed(std::string_view text, unsigned places) {
    constexpr std::int64_t bound = 1'000'000'000'000'000'000;
    const bool negative = !text.empty() && text.front() == '-';
    if (negative) text.remove_prefix(1);
    const std::size_t point = text.find('.');
    const std::string_view whole = text.substr(0, point);
    const std::string_view part = point == std::string_view::npos ? "" : text.substr(point + 1);
    if (whole.empty() || part.size() > places || (point != std::string_view::npos && part.empty()))
        return std::nullopt;
    std::string digits{whole};
    digits += part;
    digits.append(places - part.size(), '0');
    std::int64_t value = 0;
    for (const char c : digits) {
        if (!is_digit(c) || value > bound / 10) return std::nullopt;
        value = value * 10 + (c - '0');
    }
    if (value > bound) return std::nullopt;
    return negative ? -value : value;
}

std::string rounded_text(std::int64_t value, unsigned places, unsigned shown) {
    const std::int64_t unit = power_of_ten(places - shown);
    const std::int64_t size = value < 0 ? -value : value;
    const std::int64_t rounded = size / unit + (unit > 1 && size % unit >= unit / 2 ? 1 : 0);
    std::string digits = std::to_string(rounded);
    if (digits.size() <= shown) digits.insert(0, shown + 1 - digits.size(), '0');
    if (shown > 0) digits.insert(digits.size() - shown, 1, '.');
    return value < 0 && rounded != 0 ? "-" + digits : digits;
}

std::string fixed_text(std::int64_t value, unsigned places) {
    std::string text = rounded_text(value, places, places);
    if (places == 0) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace firn::lab
