#!/bin/sh
# dev_test.sh DEV: alone, from any directory, it lists every command that it has; what it does not have it
# refuses with status 2 and an example.
set -eu
dev=$1
cd "$(dirname "$0")"

listed=$("$dev")
# The commands are the labels of its outer case.
# shellcheck disable=SC2013 # words without blanks
for command in $(sed -n 's/^\([a-z][a-z0-9]*\))$/\1/p' "$dev"); do
    echo "$listed" | grep -q "^  $command " || {
        echo "'$command' is not in the list"
        exit 1
    }
done
for command in build demo test bench check fuzz install; do
    grep -q "^$command)$" "$dev" || {
        echo "there is no command '$command'"
        exit 1
    }
done
status=0
said=$("$dev" nonsense 2>&1) || status=$?
if [ "$status" -ne 2 ] || ! echo "$said" | grep -q "no command 'nonsense' (example: ./dev test)"; then
    echo "status $status: $said"
    exit 1
fi
