#!/bin/sh
# consume.sh WAY PROJECT SCRATCH STAGE SOURCE CMAKE CXX VERSION: builds PROJECT from nothing against firn,
# found in the one WAY, and runs what it made.
set -eu
way=$1 project=$2 scratch=$3 stage=$4 source=$5 cmake=$6 cxx=$7 version=$8

rm -rf "$scratch"
mkdir -p "$scratch"
case $way in
find_package)
    "$cmake" -S "$project" -B "$scratch" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" \
        -DCMAKE_PREFIX_PATH="$stage" -DWANTED_VERSION="$version"
    "$cmake" --build "$scratch"
    ;;
add_subdirectory)
    "$cmake" -S "$project" -B "$scratch" -G Ninja -DCMAKE_CXX_COMPILER="$cxx" -DFIRN_SOURCE="$source"
    "$cmake" --build "$scratch"
    # A guest builds no tests, no command, and installs nothing of its own accord.
    if [ -n "$(find "$scratch" -name '*_test' -o -name firn -type f)" ]; then
        echo "add_subdirectory built more than the libraries" >&2
        exit 1
    fi
    ;;
pkg_config)
    command -v pkg-config >/dev/null || exit 77
    # The installed tree is moved first: nothing in it may remember where it was.
    cp -R "$stage" "$scratch/moved"
    PKG_CONFIG_PATH=$(dirname "$(find "$scratch/moved" -name firn.pc)")
    export PKG_CONFIG_PATH
    [ "$(pkg-config --modversion firn)" = "$version" ]
    # shellcheck disable=SC2046 # lists of words
    "$cxx" -std=c++20 $(pkg-config --cflags firn) "$project/core.cpp" -o "$scratch/core"
    # shellcheck disable=SC2046
    "$cxx" -std=c++20 $(pkg-config --cflags firn-runtime) "$project/runtime.cpp" -o "$scratch/runtime" \
        $(pkg-config --libs firn-runtime)
    ;;
esac
"$scratch/core"
"$scratch/runtime" "$scratch/state"
