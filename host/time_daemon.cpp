#include "host/time_daemon.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

namespace firn::host {

namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

words words_of(const std::string& line) {
    std::istringstream in{line};
    words out;
    for (std::string w; in >> w;) out.push_back(std::move(w));
    return out;
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool is_there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

/// The entries of a directory by name; none when it cannot be read.
std::vector<fs::path> entries_of(const fs::path& directory) {
    std::error_code code;
    std::vector<fs::path> out;
    for (fs::directory_iterator at{directory, code}, end; !code && at != end; at.increment(code))
        out.push_back(at->path());
    std::sort(out.begin(), out.end());
    return out;
}

/// `path`, which a file below `root` names as it is seen from there.
fs::path below(const fs::path& root, const std::string& path) {
    return root / fs::path{path}.relative_path();
}

/// The arguments of the processes that run, by name.
std::map<std::string, words> processes(const fs::path& root) {
    std::map<std::string, words> out;
    for (const fs::path& entry : entries_of(root / "proc")) {
        const std::string pid = entry.filename();
        if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
        std::string name;
        std::ifstream comm{entry / "comm"};
        if (!std::getline(comm, name)) continue;
        words& arguments = out[name];
        std::ifstream command{entry / "cmdline"};
        for (std::string word; std::getline(command, word, '\0');) arguments.push_back(word);
    }
    return out;
}

struct makestep {
    std::string text;
    double limit = 0;
};

/// The last makestep of a file and of those that it includes: a later one replaces an earlier one.
class chrony_rules {
  public:
    explicit chrony_rules(const fs::path& root) : root_(root) {}

    void read(const fs::path& file, int depth = 0) {
        constexpr int deepest = 8;
        std::ifstream in{file};
        if (depth > deepest) return;
        for (std::string line; std::getline(in, line);) {
            const words w = words_of(line);
            if (w.empty() || std::string_view{"!;#%"}.find(w[0][0]) != std::string_view::npos) continue;
            const std::string directive = lower(w[0]);
            if (directive == "makestep" && w.size() >= 3 && number(w[1]) && number(w[2])) {
                step = makestep{"makestep " + w[1] + ' ' + w[2], *number(w[2])};
            } else if (directive == "initstepslew") {
                at_start = true;
            } else if (directive == "include" && w.size() > 1) {
                const fs::path pattern = below(root_, w[1]);
                for (const fs::path& one : entries_of(pattern.parent_path()))
                    if (::fnmatch(pattern.filename().c_str(), one.filename().c_str(), 0) == 0)
                        read(one, depth + 1);
            } else if (directive == "confdir") {
                for (std::size_t i = 1; i < w.size(); ++i)
                    for (const fs::path& one : entries_of(below(root_, w[i])))
                        if (one.extension() == ".conf") read(one, depth + 1);
            }
        }
    }

    std::optional<makestep> step;
    bool at_start = false;

  private:
    const fs::path& root_;
};

/// The first of these that is there, as it is seen from the root.
std::string first_of(const fs::path& root, const std::vector<std::string>& files) {
    for (const std::string& file : files)
        if (is_there(below(root, file))) return file;
    return {};
}

std::string count_of(double n) {
    const auto whole = static_cast<std::int64_t>(std::clamp(n, 0.0, 1e15));
    return whole == 1 ? "update" : std::to_string(whole) + " updates";
}

void chronyd(const fs::path& root, time_daemon& d) {
    d.file = first_of(root, {"/etc/chrony/chrony.conf", "/etc/chrony.conf"});
    chrony_rules rules{root};
    if (!d.file.empty()) rules.read(below(root, d.file));
    if (rules.step && rules.step->limit < 0) {
        d.steps = stepping::any_time;
        d.rule = "steps at any time (" + rules.step->text + ")";
        d.way_out = "write `makestep 1 3`, so that it steps only while it starts";
    } else if (rules.step && rules.step->limit > 0) {
        d.steps = stepping::at_start;
        d.rule = "steps in its first " + count_of(rules.step->limit) + " at most (" + rules.step->text +
                 "), and slews from then on";
    } else if (rules.at_start) {
        d.steps = stepping::at_start;
        d.rule = "steps while it starts at most (initstepslew), and slews from then on";
    } else {
        d.steps = stepping::never;
        d.rule = "never steps (no makestep)";
    }
}

/// ntpd's `tinker step X`, `tinker panic X`: seconds, 0 for never.
void ntpd(const fs::path& root, const words& arguments, time_daemon& d) {
    d.file = first_of(root, {"/etc/ntp.conf", "/etc/ntpsec/ntp.conf", "/etc/ntp/ntp.conf"});
    std::string step = "0.128";
    std::string panic = "1000";
    bool slews = std::any_of(arguments.begin(), arguments.end(), [](const std::string& a) {
        return a == "--slew" || (a.size() > 1 && a[0] == '-' && a[1] != '-' &&
                                 a.find('x') != std::string::npos && a.find('/') == std::string::npos);
    });
    for (const char* file : {"/etc/default/ntp", "/etc/default/ntpsec", "/etc/sysconfig/ntpd"}) {
        std::ifstream in{below(root, file)};
        for (std::string line; std::getline(in, line);)
            if (line.rfind('#', 0) != 0 && line.find("-x") != std::string::npos) slews = true;
    }
    if (slews) step = "600";
    std::ifstream in{d.file.empty() ? fs::path{} : below(root, d.file)};
    for (std::string line; std::getline(in, line);) {
        const words w = words_of(line.substr(0, line.find('#')));
        if (w.empty() || w[0] != "tinker") continue;
        for (std::size_t i = 1; i + 1 < w.size(); i += 2) {
            if (w[i] == "step" && number(w[i + 1])) step = w[i + 1];
            if (w[i] == "panic" && number(w[i + 1])) panic = w[i + 1];
        }
    }
    if (*number(step) == 0) {
        d.steps = stepping::never;
        d.rule = "never steps (tinker step 0)";
        return;
    }
    d.steps = stepping::any_time;
    d.rule =
        "steps at any time when the clock is off by more than " + step + " s" +
        (*number(panic) == 0 ? ", however far (tinker panic 0)" : ", and gives up beyond " + panic + " s");
    d.way_out = "write `tinker step 0`, or use chronyd with `makestep 1 3`";
}

void timesyncd(const fs::path& root, time_daemon& d) {
    // Not by its configuration, which is part of systemd where the program is not.
    d.configured =
        !first_of(root, {"/usr/lib/systemd/systemd-timesyncd", "/lib/systemd/systemd-timesyncd"}).empty();
    d.steps = stepping::any_time;
    d.rule = "steps at any time when the clock is off by more than 0.4 s, which cannot be changed";
    d.way_out = "use chronyd with `makestep 1 3`";
}

void phc2sys(const words& arguments, time_daemon& d) {
    d.steps = stepping::at_start;
    d.rule = "steps while it starts at most, and slews from then on";
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].rfind("-S", 0) != 0) continue;
        const std::string threshold = arguments[i].size() > 2    ? arguments[i].substr(2)
                                      : i + 1 < arguments.size() ? arguments[i + 1]
                                                                 : "";
        if (number(threshold).value_or(0) == 0) continue;
        d.steps = stepping::any_time;
        d.rule = "steps at any time when the clock is off by more than " + threshold + " s (-S)";
        d.way_out = "start it without -S";
    }
}

}  // namespace

std::vector<time_daemon> time_daemons(const std::filesystem::path& root) {
    const auto running = processes(root);
    std::vector<time_daemon> out;
    const auto add = [&](const char* name, const char* comm, const auto& rules) {
        const auto found = running.find(comm);
        time_daemon d{.name = name, .running = found != running.end(), .file = {}};
        rules(found == running.end() ? words{} : found->second, d);
        d.configured = d.configured || !d.file.empty();
        if (d.running || d.configured) out.push_back(std::move(d));
    };
    add("chronyd", "chronyd", [&](const words&, time_daemon& d) { chronyd(root, d); });
    add("ntpd", "ntpd", [&](const words& w, time_daemon& d) { ntpd(root, w, d); });
    // The kernel keeps 15 characters of a name.
    add("systemd-timesyncd", "systemd-timesyn", [&](const words&, time_daemon& d) { timesyncd(root, d); });
    add("phc2sys", "phc2sys", [&](const words& w, time_daemon& d) { phc2sys(w, d); });
    return out;
}

}  // namespace firn::host
