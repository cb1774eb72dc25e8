// What `firn doctor` says of the directory of a journal, or of the one with firn serve's spaces.
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "firn/formats/decode.hpp"
#include "firn/journal.hpp"
#include "host/finding.hpp"

namespace firn::host {

namespace {

namespace fs = std::filesystem;

/// "seen; the way out", as firn's errors are.
finding blamed(verdict v, const std::string& text) {
    const std::size_t end = text.find("; ");
    finding f{.check = "journal", .what = v, .seen = text.substr(0, end)};
    if (end != std::string::npos) f.remedy = text.substr(end + 2);
    return f;
}

bool is_journal(const fs::path& directory) {
    std::error_code ignored;
    return fs::exists(directory / "ceiling", ignored) || fs::exists(directory / "cursor", ignored);
}

/// A journal that is there.
void examine(const fs::path& directory, instant now, std::vector<finding>& out) {
    try {
        const journal_report r = inspect_journal(directory);
        // One record torn by a power loss is what the other one is for.
        const bool torn = r.newest >= 0 && r.faults.size() == 1 &&
                          std::any_of(r.records.begin(), r.records.end(),
                                      [](const auto& one) { return one.state == "damaged"; });
        for (const std::string& fault : r.faults)
            out.push_back(blamed(torn ? verdict::warn : verdict::fail, directory.string() + ": " + fault));
        if (r.faults.empty() && r.in_memory)
            out.push_back({.check = "journal",
                           .what = verdict::warn,
                           .seen = directory.string() + " is in memory: it survives kill -9, and no reboot",
                           .remedy = "put it on a local disk"});
        if (r.faults.empty() && !r.in_memory)
            out.push_back({.check = "journal",
                           .seen = directory.string() + " is intact" + (r.in_use ? ", and in use" : "")});
        if (r.newest >= 0) {
            const layout& l = r.records[static_cast<std::size_t>(r.newest)].layout;
            out.push_back(life_finding(l, formats::widths_of(l) + " of " + directory.string(), now));
        }
    } catch (const error& e) {
        finding f = blamed(verdict::warn, e.what());
        f.remedy = "run firn doctor as the user that firn runs as";
        out.push_back(std::move(f));
    }
}

/// A directory in which there could be a journal, or another directory.
finding fitness(const fs::path& directory, const fs::path& existing) {
    const std::string for_it =
        directory == existing ? "" : ", where " + directory.string() + " would be made,";
    const detail::descriptor at{::open(existing.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (!at)
        return {.check = "journal",
                .what = verdict::fail,
                .seen = existing.string() + for_it + " cannot be opened: " + std::strerror(errno),
                .remedy = "name a directory that firn may use, with --journal"};
    try {
        detail::check_filesystem(at.get(), existing);
    } catch (const error& e) {
        return blamed(verdict::fail, e.what());
    }
    struct statvfs about {};
    if (::fstatvfs(at.get(), &about) == 0) {
        if ((about.f_flag & ST_RDONLY) != 0)
            return {.check = "journal",
                    .what = verdict::fail,
                    .seen = existing.string() + for_it + " is on a read-only file system",
                    .remedy = "name a directory on one that can be written, with --journal"};
        if (about.f_bavail == 0)
            return {.check = "journal",
                    .what = verdict::warn,
                    .seen = existing.string() + for_it + " is on a full file system",
                    .remedy = "free some space: journals that exist go on, and a new one cannot be made"};
    }
    if (::faccessat(at.get(), ".", W_OK | X_OK, AT_EACCESS) != 0)
        return {.check = "journal",
                .what = verdict::fail,
                .seen = existing.string() + for_it + " may not be written by this user",
                .remedy = "make it for the user that firn runs as, or name another one with --journal"};
    if (detail::is_in_memory(at.get()))
        return {.check = "journal",
                .what = verdict::warn,
                .seen = existing.string() + for_it + " is in memory: a journal in it survives no reboot",
                .remedy = "put it on a local disk"};
    return {.check = "journal", .seen = existing.string() + for_it + " is fit for a journal"};
}

}  // namespace

std::vector<finding> journal_findings(const fs::path& directory, instant now) {
    std::vector<finding> out;
    if (is_journal(directory)) {
        examine(directory, now, out);
        return out;
    }
    std::error_code code;
    std::vector<fs::path> spaces;
    for (fs::directory_iterator at{directory, code}, end; !code && at != end; at.increment(code))
        if (is_journal(at->path())) spaces.push_back(at->path());
    std::sort(spaces.begin(), spaces.end());
    for (const fs::path& one : spaces) examine(one, now, out);
    if (spaces.empty()) {
        fs::path existing = fs::absolute(directory, code);
        while (!fs::exists(existing, code) && existing != existing.parent_path())
            existing = existing.parent_path();
        out.push_back(fitness(directory, existing == fs::absolute(directory, code) ? directory : existing));
    }
    return out;
}

}  // namespace firn::host
