// Runs a fuzz target over files instead of under libFuzzer, so that each input ever found is a test
// under every compiler and sanitizer. Arguments: files and directories. Fails when there is no input.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

bool replay(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    if (!file) {
        std::cerr << "cannot read " << path << '\n';
        return false;
    }
    const std::vector<char> bytes{std::istreambuf_iterator<char>{file}, {}};
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
    // Said before the run: when it crashes, this is the last line and names the culprit.
    std::cout << path.filename().string() << ' ' << input.size() << " bytes" << std::endl;
    LLVMFuzzerTestOneInput(input.data(), input.size());
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    int replayed = 0;
    for (int i = 1; i < argc; ++i) {
        const std::filesystem::path given{argv[i]};
        if (!std::filesystem::is_directory(given)) {
            if (!replay(given)) return 1;
            ++replayed;
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator{given}) {
            if (!entry.is_regular_file()) continue;
            if (!replay(entry.path())) return 1;
            ++replayed;
        }
    }
    if (replayed == 0) std::cerr << "no input to replay\n";
    return replayed == 0 ? 1 : 0;
}
