#!/bin/sh
# setup_test.sh SETUP SCRATCH: what tools/setup says and does, with dpkg, apt-get, id and sudo played by
# small scripts, so that nothing is installed.
set -eu
scratch=$2
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/tree/tools"
cp "$1" "$scratch/tree/tools/setup"
setup=$scratch/tree/tools/setup
unset FIRN_SKIP_SETUP
for tool in sh awk sed tr env ls mkdir dirname tail cat grep paste rm chmod; do
    ln -s "$(command -v "$tool")" "$scratch/bin/$tool"
done
PATH=$scratch/bin

fail() {
    echo "$*"
    exit 1
}
play() {
    cat >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}

# 1. No apt: it names what is needed and fails; told to skip, it is content.
said=$("$setup" build 2>&1) && fail "it succeeds without apt-get"
echo "$said" | grep -q 'g++ .*compiler' || fail "without apt-get it does not name what is needed: $said"
FIRN_SKIP_SETUP=1 "$setup" build || fail "FIRN_SKIP_SETUP=1 is not heeded"

# 2. A group that does not exist.
said=$("$setup" nonsense 2>&1) && fail "it takes a group that does not exist"
echo "$said" | grep -q "no group 'nonsense'" || fail "$said"

# From here on: one package (cmake) is missing until apt-get was asked for it.
play dpkg-query <<'TEXT'
#!/bin/sh
for word; do
    case $word in
    -* | *'$'* | cmake) ;;
    *) echo "installed $word" ;;
    esac
done
[ ! -f "$PLAY/installed" ] || echo "installed cmake"
TEXT
play apt-get <<'TEXT'
#!/bin/sh
echo "$*" >>"$PLAY/asked"
case "$*" in
*"install --no-install-recommends cmake") echo yes >"$PLAY/installed" ;;
esac
TEXT
play id <<'TEXT'
#!/bin/sh
echo "${PLAY_UID:-0}"
TEXT
PLAY=$scratch
export PLAY

# 3. Not root and no sudo: it says the command to type.
said=$(PLAY_UID=1000 "$setup" build 2>&1) && fail "it succeeds without root or sudo"
echo "$said" | grep -q 'apt-get install cmake' || fail "without sudo it does not say what to type: $said"

# 4. Not root, with sudo: what is missing, and only that.
play sudo <<'TEXT'
#!/bin/sh
echo "sudo" >>"$PLAY/asked"
exec "$@"
TEXT
said=$(PLAY_UID=1000 "$setup" build 2>&1) || fail "it fails with sudo: $said"
echo "$said" | grep -q 'sudo apt-get install cmake$' || fail "it does not say what it installs: $said"
grep -q '^sudo$' "$scratch/asked" || fail "sudo was not used"

# 5. A second time it does nothing and says nothing.
rm "$scratch/asked"
said=$("$setup" build 2>&1) || fail "the second run fails: $said"
if [ -n "$said" ] || [ -f "$scratch/asked" ]; then fail "the second run does something: $said"; fi

# 6. A package removed since is noticed.
rm "$scratch/installed"
said=$("$setup" build 2>&1) || fail "it fails after a removal: $said"
[ -f "$scratch/asked" ] || fail "a removed package is not noticed"

# 7. An install that does not help is a failure that names the package.
play apt-get <<'TEXT'
#!/bin/sh
exit 100
TEXT
rm "$scratch/installed"
said=$("$setup" build 2>&1) && fail "it succeeds though cmake is missing"
echo "$said" | grep -Eq 'still missing: cmake|apt-get update failed' || fail "it does not name what is missing: $said"
