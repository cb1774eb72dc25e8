#!/bin/sh
# Every test that GUARANTEES.md names exists: `Suite.name` in backquotes.
set -eu
root=$1
missing=0
# shellcheck disable=SC2016 # the backquotes are the document's
named=$(grep -oE '`[A-Za-z_]+\.[A-Za-z_]+`' "$root/GUARANTEES.md" | tr -d '`' | sort -u)
[ -n "$named" ] || {
    echo "guarantees: no test is named" >&2
    exit 1
}
for name in $named; do
    suite=${name%%.*}
    test=${name#*.}
    grep -rqE "^TEST(_F|_P)?\($suite, *$test\)" "$root/tests" || {
        echo "guarantees: GUARANTEES.md names $name, and there is no such test" >&2
        missing=1
    }
done
exit $missing
