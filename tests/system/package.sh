#!/bin/sh
# The Debian package holds the command and what a system needs, and depends on the libraries it is linked with.
#
#   package.sh CPACK BUILD
set -eu
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -G DEB --config "$2/CPackConfig.cmake" -B "$work" >"$work/log" 2>&1 || {
    cat "$work/log"
    exit 1
}
package=$(ls "$work"/*.deb)
contents=$(dpkg-deb -c "$package")
for file in /usr/bin/firn /lib/systemd/system/firn.service /etc/firn/firn.conf /usr/share/man/man1/firn-serve.1; do
    echo "$contents" | grep -q " \.$file" || {
        echo "the package lacks $file:"
        echo "$contents"
        exit 1
    }
done
if echo "$contents" | grep -q '/include/'; then
    echo "the package holds headers"
    exit 1
fi
dpkg-deb -I "$package" | grep -q 'Depends:.*libssl3' || {
    dpkg-deb -I "$package"
    exit 1
}
