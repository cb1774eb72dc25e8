// A program that links the compiled part: a journal, opened twice in the directory given.
#include <firn/firn.hpp>

int main(int, char** argv) {
    firn::id first;
    {
        auto ids = firn::journal::open(argv[1], {.machine = 7});
        first = ids.next();
    }
    auto ids = firn::journal::open(argv[1], {.machine = 7});
    return first < ids.next() ? 0 : 1;
}
