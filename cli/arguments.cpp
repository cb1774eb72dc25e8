#include "cli/arguments.hpp"

#include <algorithm>
#include <utility>

#include "firn/text.hpp"

namespace firn::cli {

namespace {

std::string complaint(const std::string& takes, const std::string& seen, const std::string& example) {
    return "takes " + takes + ", not '" + seen + "' (example: " + example + ")";
}

CLI::Validator validator(std::function<std::string(std::string&)> check) {
    CLI::Validator v{std::move(check), ""};
    return v;
}

}  // namespace

CLI::ValidationError bad_argument(const std::string& name, const std::string& complaint,
                                  const std::string& example) {
    return CLI::ValidationError(name, complaint + " (example: " + example + ")");
}

CLI::Validator whole_number(std::uint64_t least, std::uint64_t most, const std::string& example) {
    const std::string takes = "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
    return validator([=](std::string& seen) {
        const parsed p = parse_decimal(seen, most);
        return p && p.value >= least ? std::string{} : complaint(takes, seen, example);
    });
}

CLI::Validator one_of(const std::vector<std::string>& words, const std::string& example) {
    std::string takes;
    for (std::size_t i = 0; i < words.size(); ++i)
        takes += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
    return validator([=](std::string& seen) {
        const bool known = std::find(words.begin(), words.end(), seen) != words.end();
        return known ? std::string{} : complaint(takes, seen, example);
    });
}

}  // namespace firn::cli
