#!/bin/sh
# rules_test.sh RULES SCRATCH: RULES says nothing about a small tree that is in order, and finds each fault
# put into it.
set -eu
rules=$1 tree=$2

fresh() {
    rm -rf "$tree"
    mkdir -p "$tree/include/firn" "$tree/src" "$tree/lab" "$tree/cli" "$tree/tests/unit" "$tree/cmake"
    git init -q "$tree" 2>/dev/null || true # so that an outer repository is not asked
    cd "$tree"
    printf '// The version.\n#pragma once\nconst char* library_version = "4.5.6";\n' >include/firn/version.hpp
    printf '// A header.\n#pragma once\n#include <sys/mman.h>\n#include "firn/version.hpp"\n' >include/firn/a.hpp
    printf '#include "src/a.hpp"\n#include "firn/a.hpp"\n' >src/a.cpp
    printf '#include <CLI/CLI.hpp>\n#include "lab/a.hpp"\n' >cli/main.cpp
    printf '#include "cli/a.hpp"\n#include "tests/unit/a.hpp"\n' >tests/unit/a_test.cpp
    echo 'add_library(a a.cpp)' >src/CMakeLists.txt
    echo 'add_executable(firn main.cpp)' >cli/CMakeLists.txt
    echo 'firn_test(NAME a_test SOURCES a_test.cpp)' >tests/unit/CMakeLists.txt
    echo 'library_version: see the header' >README.md
}

failed=0
# finds RULE WHERE: the tree as it is now breaks RULE in file WHERE; then a fresh tree.
finds() {
    if said=$("$rules" "$tree") || ! echo "$said" | grep -q "^$2:[0-9].*\[$1\]"; then
        echo "rule '$1' did not find the fault in $2; it said: $said"
        failed=1
    fi
    fresh
}

fresh
said=$("$rules" "$tree") || {
    echo "a tree in order is blamed: $said"
    exit 1
}

for wrong in '"src/a.hpp"' '"lab/a.hpp"' '"tests/unit/a.hpp"'; do
    echo "#include $wrong" >>include/firn/a.hpp && finds arrows include/firn/a.hpp
done
echo '#include "cli/a.hpp"' >>src/a.cpp && finds arrows src/a.cpp
echo '#include "a.hpp"' >>src/a.cpp && finds arrows src/a.cpp
echo '#include "gtest/gtest.h"' >>tests/unit/a_test.cpp && finds arrows tests/unit/a_test.cpp
echo '#include "tests/unit/a.hpp"' >>cli/main.cpp && finds arrows cli/main.cpp
echo '#include <boost/asio.hpp>' >>src/a.cpp && finds dependencies src/a.cpp
echo '#include <nlohmann/json.hpp>' >>include/firn/a.hpp && finds dependencies include/firn/a.hpp
echo 'using namespace std;' >>include/firn/a.hpp && finds names include/firn/a.hpp
echo '#define LIMIT 3' >>include/firn/a.hpp && finds names include/firn/a.hpp
printf '// A header.\n#pragma once\n' >include/firn/CamelCase.hpp && finds names include/firn/CamelCase.hpp
echo 'std::this_thread::sleep_for(1ms);' >>tests/unit/a_test.cpp && finds sleep tests/unit/a_test.cpp
echo "see /ro""ot/notes" >>README.md && finds paths README.md
echo "see /t""mp/build-0123abc" >>README.md && finds paths README.md
echo "// TO""DO: more" >>src/a.cpp && finds unfinished src/a.cpp
echo 'int a; ' >>src/a.cpp && finds blanks src/a.cpp
printf '\tint a;\n' >>src/a.cpp && finds blanks src/a.cpp
printf 'int a;' >>src/a.cpp && finds blanks src/a.cpp
echo 'firn 4.5.6' >>README.md && finds version README.md
echo '// A header.' >include/firn/version.hpp && finds version include/firn/version.hpp
yes 'int a;' | head -n 600 >>src/a.cpp && finds length src/a.cpp
echo '// A header.' >include/firn/a.hpp && finds headers include/firn/a.hpp
echo '#pragma once' >include/firn/a.hpp && finds headers include/firn/a.hpp
echo 'int b;' >src/b.cpp && finds listed src/b.cpp
echo 'int b;' >tests/unit/b_test.cpp && finds listed tests/unit/b_test.cpp
exit "$failed"
