// A program that links the compiled part too.
#include <firn/version.hpp>

int main() {
    return firn::library_version.empty() ? 1 : 0;
}
