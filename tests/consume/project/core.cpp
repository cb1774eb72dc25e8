// A program that has only the headers.
#include <firn/firn.hpp>

int main() {
    firn::generator ids{{.machine = 7}};
    const firn::id first = ids.next();
    const firn::id second = ids.next();
    return first < second && ids.layout_of().decode(first).machine == 7 ? 0 : 1;
}
