#include "audit/run_scanner.hpp"

namespace firn::audit {

void run_scanner::start(std::uint64_t key) noexcept {
    key_ = key;
    count_ = 1;
    ++in_group_;
}

void run_scanner::end_run() {
    ++distinct_;
    if (count_ == 1) return;
    ++repeated_;
    duplicates_ += count_ - 1;
    repeats_.add(space_.id_of(key_), count_);
}

void run_scanner::end_group() {
    const auto in_group = std::exchange(in_group_, 0);
    if (in_group < 2) return;
    const fields f = layout_.decode(id{space_.id_of(key_)});
    if (f.tick >= layout_.end_tick()) return;
    const auto index = machines_.index_of(f.machine);
    if (index != machine_table::none) fullest_[index].take({in_group, f.tick.count});
}

void run_scanner::feed(std::span<const std::uint64_t> sorted) {
    if (sorted.empty()) return;
    std::size_t i = 0;
    if (count_ == 0) start(sorted[i++]);
    for (; i < sorted.size(); ++i) {
        const std::uint64_t key = sorted[i];
        if (key == key_) {
            ++count_;
            continue;
        }
        end_run();
        if (space_.group_of(key) != space_.group_of(key_)) end_group();
        start(key);
    }
}

void run_scanner::feed_repeated(std::uint64_t key, std::uint64_t count) {
    if (count == 0) return;
    feed({&key, 1});
    count_ += count - 1;
}

void run_scanner::finish() {
    if (count_ == 0) return;
    end_run();
    end_group();
    count_ = 0;
}

void run_scanner::merge(const run_scanner& other) {
    distinct_ += other.distinct_;
    duplicates_ += other.duplicates_;
    repeated_ += other.repeated_;
    repeats_.merge(other.repeats_);
    for (std::size_t i = 0; i < fullest_.size(); ++i) fullest_[i].take(other.fullest_[i]);
}

}  // namespace firn::audit
