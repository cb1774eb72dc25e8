// What a stream is: a person's terminal, or a pipe. Colour and progress bars are for the former.
//
//     const style s = style_of(stdout);
//     std::cout << s.bold << "title" << s.plain << '\n';
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace firn::cli {

/// Escape sequences, all empty where there is to be no colour.
struct style {
    const char* bold = "";
    const char* faint = "";
    const char* good = "";
    const char* bad = "";
    const char* plain = "";
};

/// Colour on a terminal only, and not when NO_COLOR is set to anything (no-color.org) or TERM is dumb.
inline style style_of(std::FILE* stream) {
    const char* none = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    if ((none != nullptr && *none != '\0') || term == nullptr || std::string_view{term} == "dumb" ||
        ::isatty(::fileno(stream)) == 0)
        return {};
    return {"\033[1m", "\033[2m", "\033[32m", "\033[31m", "\033[0m"};
}

/// How many columns UTF-8 text takes, for text without wide or combining characters.
inline std::size_t columns_of(std::string_view text) {
    std::size_t n = 0;
    for (const char c : text) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return n;
}

}  // namespace firn::cli
