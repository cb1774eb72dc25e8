#!/bin/sh
# What is shipped beside the command agrees with it: alerts and dashboard use metrics that exist, each alert is
# explained, the manual knows every option, the unit is one that systemd takes.
#
#   deploy.sh FIRN SOURCE
set -eu
firn=$(realpath "$1")
source=$2
work=$(mktemp -d)
failed=0
fail() {
    echo "$*"
    failed=1
}

"$firn" serve --state "$work/state" --space orders --resp none --http 127.0.0.1:0 2>"$work/log" &
pid=$!
trap 'kill $pid 2>/dev/null || true; wait; rm -rf "$work"' EXIT
tries=0
until grep -q 'ready:' "$work/log"; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || {
        cat "$work/log"
        exit 1
    }
    sleep 0.1
done
port=$(sed -n 's/.*http on 127\.0\.0\.1:\([0-9]*\).*/\1/p' "$work/log")
command -v curl >/dev/null || exit 77
curl -sS "http://127.0.0.1:$port/metrics" | sed -n 's/^# TYPE \([a-z_]*\) .*/\1/p' | sort >"$work/metrics"
[ "$(wc -l <"$work/metrics")" -gt 20 ] || fail "the server shows too few metrics"

for file in deploy/prometheus/firn-alerts.yml deploy/grafana/firn.json; do
    # shellcheck disable=SC2013 # words without blanks
    for name in $(grep -oE 'firn_[a-z_]+' "$source/$file" | sort -u); do
        grep -qx "$name" "$work/metrics" || fail "$file uses $name, which the server does not have"
    done
done
# shellcheck disable=SC2013 # words without blanks
for alert in $(sed -n 's/^ *- alert: //p' "$source/deploy/prometheus/firn-alerts.yml"); do
    grep -q "^## $alert\$" "$source/docs/operations/alerts.md" || fail "docs/operations/alerts.md does not explain $alert"
done
sed 's/\\-/-/g' "$source/deploy/man/firn-serve.1" >"$work/manual"
for option in $("$firn" serve --help | grep -oE '(^|[ ,])--[a-z-]+' | tr -d ' ,' | sort -u); do
    [ "$option" = --help ] || grep -q -- "$option" "$work/manual" || fail "the manual does not know $option"
done
"$firn" serve --check --config "$source/deploy/firn.conf" --state "$work/state" >/dev/null || fail "deploy/firn.conf is not valid"
# What the manifest and the container start is what the command takes.
args=$(sed -n '/^          args:/,/^          ports:/s/^            - \(--[^ ]*\)$/\1/p' "$source/deploy/kubernetes/firn.yaml" |
    sed "s|=/var/lib/firn|=$work/state|; s|=ordinal|=3|; s|=/etc/firn/token|=$work/token|")
echo secret >"$work/token"
[ "$(echo "$args" | wc -l)" -gt 5 ] || fail "the manifest's arguments are not found"
# shellcheck disable=SC2086 # a list of words
"$firn" serve --check $args >/dev/null || fail "the manifest's arguments are not valid"
args=$(sed -n 's/^CMD \[\(.*\)\]$/\1/p' "$source/deploy/Containerfile" | tr -d '",' | sed "s|/var/lib/firn|$work/state|")
# shellcheck disable=SC2086 # a list of words
"$firn" $args --check >/dev/null || fail "the container's arguments are not valid"
for name in $(grep -oE '`[A-Z][A-Za-z]+\.[A-Z][A-Za-z0-9]*' "$source/docs/operations/failures.md" | tr -d '\140'); do
    grep -rqE "TEST(_F|_P)?\(${name%%.*}, ${name#*.}" "$source/tests" || fail "docs/operations/failures.md names $name: no such test"
done
if command -v systemd-socket-activate >/dev/null; then
    # With a socket of the one protocol, the other is still listened to.
    systemd-socket-activate -l "$work/resp.sock" --fdname=resp "$firn" serve --state "$work/passed" --http 127.0.0.1:0 \
        2>"$work/passed.log" &
    passed=$!
    tries=0
    until grep -q 'ready:' "$work/passed.log" || [ $tries -eq 100 ]; do
        # Its first client starts it.
        curl -s --max-time 5 --unix-socket "$work/resp.sock" http://x/ >/dev/null || true
        tries=$((tries + 1))
        sleep 0.1
    done
    kill $passed
    grep -q 'http on 127' "$work/passed.log" || fail "with a passed socket for resp, http is not listened to"
fi
if command -v systemd-analyze >/dev/null; then
    sed "s|/usr/bin/firn|$firn|" "$source/deploy/systemd/firn.service" >"$work/firn.service"
    cp "$source/deploy/systemd/firn.socket" "$work/"
    systemd-analyze verify --man=no "$work/firn.service" >"$work/verify" 2>&1 || true
    if grep -F "$work/firn" "$work/verify"; then fail "systemd finds fault with the unit"; fi
fi
exit $failed
