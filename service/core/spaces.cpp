#include "service/core/spaces.hpp"

#include <algorithm>
#include <optional>
#include <system_error>

#include "firn/layouts.hpp"
#include "service/core/layout_text.hpp"
#include "service/core/offset_time.hpp"

namespace firn::service {

namespace {

namespace fs = std::filesystem;
using steady = std::chrono::steady_clock;

constexpr std::size_t queue_max = 16;
constexpr auto failure_kept = std::chrono::seconds{1};
constexpr auto mending_interval = std::chrono::milliseconds{500};

std::optional<journal_report::record> newest_record(const fs::path& directory) {
    const journal_report report = inspect_journal(directory);
    if (report.newest < 0) return std::nullopt;
    return report.records[static_cast<std::size_t>(report.newest)];
}

std::vector<std::string> found_in(const fs::path& state) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(state, ignored)) {
        const std::string name = entry.path().filename().string();
        if (is_space_name(name) && fs::exists(entry.path() / "ceiling", ignored)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

layout without_names(layout l) {
    l.name = {};
    l.machine_parts = {};
    return l;
}

bool alike(const space_settings& a, const space_settings& b) {
    return a.ids.layout == b.ids.layout && a.ids.machine == b.ids.machine && a.ids.rewind == b.ids.rewind &&
           a.ids.overflow == b.ids.overflow && a.ids.start == b.ids.start && a.ids.order == b.ids.order &&
           a.ids.ahead_max == b.ids.ahead_max && a.ids.window == b.ids.window;
}

}  // namespace

spaces::spaces(const settings& s, std::shared_ptr<time_source> time)
    : state_(s.state),
      defaults_(s.defaults),
      create_(s.create),
      max_(s.spaces_max),
      life_margin_(s.life_margin),
      time_(std::move(time)) {
    if (!s.test_clock_file.empty()) time_ = std::make_shared<offset_time>(s.test_clock_file);
    std::error_code failed;
    fs::create_directories(state_, failed);
    if (failed)
        throw error(errc::journal_io,
                    "cannot make the state directory " + state_.string() + ": " + failed.message() +
                        "; make it, or name another with --state DIR",
                    failed.value());
    worker_ = std::thread([this] { work(); });
}

spaces::~spaces() {
    {
        const std::lock_guard alone(queue_mutex_);
        stop_ = true;
    }
    queue_changed_.notify_one();
    worker_.join();
    // Each closes with a sync or two, and may wait a while for another process's lock: all at once.
    std::vector<std::thread> closing;
    for (auto& [name, one] : open_) closing.emplace_back([&one = one] { one.reset(); });
    for (std::thread& t : closing) t.join();
}

std::shared_ptr<counter_clock> spaces::clock_for(const layout& l) {
    auto& c = clocks_[{l.epoch_ms, l.tick_us}];
    if (!c) c = std::make_shared<counter_clock>(l, counter_clock::options{.source = time_});
    return c;
}

space& spaces::open(const space_settings& s) {
    const std::lock_guard one_at_a_time(opening_);
    if (space* already = find(s.name)) {
        if (!alike(already->how(), s))
            throw error(errc::bad_policy,
                        "space " + s.name + " is open with other settings; they change at a restart");
        return *already;
    }
    if (all().size() >= max_)
        throw error(errc::out_of_resources,
                    "there are " + std::to_string(max_) +
                        " spaces already, which is the bound; raise it with --spaces-max");
    auto fresh = std::make_unique<space>(s, state_ / s.name, clock_for(s.ids.layout));
    space& made = *fresh;
    const std::unique_lock alone(mutex_);
    open_.emplace(s.name, std::move(fresh));
    return made;
}

space_settings spaces::as_recorded(const std::string& name) const {
    space_settings s = defaults_.named(name);
    std::error_code ignored;
    if (!fs::exists(state_ / name / "ceiling", ignored)) return s;
    // What an earlier run made has a layout of its own. The machine number is not taken from it: that one
    // may have moved to another host, and the journal's error names both.
    if (const auto record = newest_record(state_ / name)) {
        s.ids.layout = record->layout;
        for (const layout* known : layouts::all)
            if (without_names(*known) == without_names(record->layout)) s.ids.layout = *known;
        if (without_names(defaults_.ids.layout) == without_names(record->layout))
            s.ids.layout = defaults_.ids.layout;
    }
    return s;
}

std::vector<std::string> spaces::open_found(std::vector<std::string>& faults) {
    std::vector<std::string> opened;
    for (const std::string& name : found_in(state_)) {
        if (find(name) != nullptr) continue;
        try {
            open(as_recorded(name));
            opened.push_back(name);
        } catch (const std::exception& e) {
            faults.push_back("space " + name + ": " + e.what());
        }
    }
    return opened;
}

std::uint64_t spaces::recorded_machine(const fs::path& state) {
    std::uint64_t machine = machine_not_given;
    for (const std::string& name : found_in(state)) {
        try {
            const auto record = newest_record(state / name);
            if (!record) continue;
            if (machine != machine_not_given && machine != record->machine) return machine_not_given;
            machine = record->machine;
        } catch (const error&) {
            // It is told when it is opened.
        }
    }
    return machine;
}

space* spaces::find(std::string_view name) const {
    const std::shared_lock reading(mutex_);
    const auto at = open_.find(name);
    return at == open_.end() ? nullptr : at->second.get();
}

std::vector<space*> spaces::all() const {
    const std::shared_lock reading(mutex_);
    std::vector<space*> list;
    for (const auto& [name, one] : open_) list.push_back(one.get());
    return list;
}

spaces::wanted spaces::want(std::string_view name) {
    if (space* s = find(name)) return {.found = s};
    if (!is_space_name(name)) return {.refusal = space_name_rule};
    if (!create_)
        return {.refusal = "there is no space '" + std::string{name} +
                           "', and none is made on first use; configure it with --space " +
                           std::string{name} + ", or allow that with --create",
                .unknown = true};
    const std::lock_guard alone(queue_mutex_);
    const auto now = steady::now();
    std::erase_if(failures_, [&](const auto& f) { return f.second.until < now; });
    if (const auto failed = failures_.find(name); failed != failures_.end())
        return {.refusal = failed->second.why};
    if (std::find(queue_.begin(), queue_.end(), name) == queue_.end()) {
        if (queue_.size() >= queue_max) return {.refusal = "too many spaces are being made at once; retry"};
        queue_.emplace_back(name);
        queue_changed_.notify_one();
    }
    return {.pending = true};
}

void spaces::make(const std::string& name) {
    std::string why;
    try {
        open(as_recorded(name));
    } catch (const std::exception& e) {
        why = "space " + name + " cannot be made: " + e.what();
    }
    const std::lock_guard alone(queue_mutex_);
    if (!why.empty() && failures_.size() < 4 * queue_max)
        failures_[name] = {why, steady::now() + failure_kept};
    queue_.pop_front();
}

void spaces::work() {
    std::unique_lock lock(queue_mutex_);
    auto mended = steady::now();
    while (!stop_) {
        if (!queue_.empty()) {
            const std::string name = queue_.front();
            lock.unlock();
            make(name);
            lock.lock();
            continue;
        }
        queue_changed_.wait_for(lock, mending_interval);
        if (stop_ || steady::now() - mended < mending_interval) continue;
        lock.unlock();
        for (space* s : all()) s->mend();
        mended = steady::now();
        lock.lock();
    }
}

std::vector<reason> spaces::reasons() const {
    std::vector<reason> list;
    for (space* s : all())
        for (reason& r : s->reasons(life_margin_)) list.push_back(std::move(r));
    return list;
}

}  // namespace firn::service
