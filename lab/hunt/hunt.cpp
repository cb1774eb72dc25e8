#include "lab/hunt/hunt.hpp"

#include <atomic>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "lab/hunt/draw.hpp"
#include "lab/hunt/shrink.hpp"
#include "lab/journal/mix.hpp"

namespace firn::lab {

namespace {

using steady = std::chrono::steady_clock;
constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

class hunter {
  public:
    explicit hunter(const hunt_options& o) : o_(o) {}

    hunt_result run() {
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < o_.threads; ++i) threads.emplace_back([this] { work(); });
        for (std::thread& t : threads) t.join();
        if (sum_.found) {
            sum_.smallest = shrink(std::move(sum_.smallest), sum_.first.flaw);
            sum_.broken = play_script(sum_.smallest);
        }
        sum_.took = steady::now() - begin_;
        return std::move(sum_);
    }

  private:
    bool over() const noexcept { return o_.time.count() > 0 && steady::now() - begin_ >= o_.time; }

    void work() {
        hunt_result mine;
        for (;;) {
            const std::uint64_t number = next_.fetch_add(1, std::memory_order_relaxed);
            // A world of a lower number than one that is broken is still looked at.
            if ((o_.worlds != 0 && number >= o_.worlds) || number > lowest_.load(std::memory_order_relaxed) ||
                over())
                break;
            look_at(number, mine);
        }
        const std::lock_guard lock(mutex_);
        sum_.worlds += mine.worlds;
        sum_.actions += mine.actions;
        sum_.ids += mine.ids;
        sum_.mishaps += mine.mishaps;
        for (std::size_t i = 0; i < mine.by_act.size(); ++i) sum_.by_act[i] += mine.by_act[i];
    }

    void look_at(std::uint64_t number, hunt_result& mine) {
        finding f;
        script s = draw(world_seed(o_.seed, number), o_.bug, f);
        ++mine.worlds;
        mine.actions += s.actions.size();
        mine.ids += f.ids;
        for (const action& a : s.actions) {
            ++mine.by_act[static_cast<std::size_t>(a.what)];
            if (a.fault != mishap::none) ++mine.mishaps;
        }
        if (o_.progress != nullptr) o_.progress->fetch_add(1, std::memory_order_relaxed);
        if (!f.broken()) return;
        const std::lock_guard lock(mutex_);
        if (number >= lowest_.load(std::memory_order_relaxed)) return;
        lowest_.store(number, std::memory_order_relaxed);
        sum_.found = true;
        sum_.world = number;
        sum_.first = f;
        sum_.smallest = std::move(s);
    }

    const hunt_options& o_;
    const steady::time_point begin_ = steady::now();
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> lowest_{none};
    std::mutex mutex_;
    hunt_result sum_;
};

}  // namespace

std::uint64_t world_seed(std::uint64_t seed, std::uint64_t number) noexcept {
    return mixer{}.add(seed).add(number).value();
}

hunt_result hunt(const hunt_options& o) {
    return hunter{o}.run();
}

}  // namespace firn::lab
