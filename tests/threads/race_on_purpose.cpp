// Two threads write one integer. ThreadSanitizer must say so; if it does not, its silence about the other
// tests in this directory means nothing.
#include <thread>

int main() {
    int shared = 0;
    std::thread other([&shared] { ++shared; });
    ++shared;
    other.join();
    return 0;
}
