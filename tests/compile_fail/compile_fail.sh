#!/bin/sh
# compile_fail.sh COMPILER EXPECT FILE [FLAG...]: FILE compiles without a word; with FIRN_MUST_FAIL defined it
# does not, and the compiler's message matches EXPECT.
set -eu
compiler=$1 expect=$2 file=$3
shift 3
command -v "$compiler" >/dev/null || {
    echo "no such compiler here: $compiler"
    exit 77
}
compile() { LC_ALL=C "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Werror "$@" "$file" 2>&1; }

if ! said=$(compile "$@") || [ -n "$said" ]; then
    echo "the twin, which must compile, does not:"
    echo "$said"
    exit 1
fi
if said=$(compile -DFIRN_MUST_FAIL "$@"); then
    echo "it compiles, and must not"
    exit 1
fi
if ! echo "$said" | grep -Eq -- "$expect"; then
    echo "it fails for another reason than '$expect':"
    echo "$said"
    exit 1
fi
