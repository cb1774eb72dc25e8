#include "audit/locate.hpp"

#include <algorithm>
#include <bit>

namespace firn::audit {
namespace {

/// Which of a few ids a number is. A miss, the usual case, reads one bit.
class id_index {
  public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    explicit id_index(std::span<const repeat> ids)
        : ids_(ids),
          bits_(static_cast<unsigned>(std::bit_width(std::max<std::size_t>(ids.size() * 4, 1 << 10)))),
          slots_(std::size_t{1} << bits_, none),
          filter_((std::size_t{1} << (bits_ + filter_extra)) / 64) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            slots_[slot_of(ids[i].id)] = static_cast<std::uint32_t>(i);
            const auto bit = filter_bit(ids[i].id);
            filter_[bit / 64] |= std::uint64_t{1} << bit % 64;
        }
    }

    std::uint32_t find(std::uint64_t id) const noexcept {
        const auto bit = filter_bit(id);
        if ((filter_[bit / 64] >> bit % 64 & 1) == 0) return none;
        return slots_[slot_of(id)];
    }

  private:
    static constexpr unsigned filter_extra = 5;
    static std::uint64_t mixed(std::uint64_t id) noexcept { return id * 0x9E3779B97F4A7C15ULL; }
    std::size_t filter_bit(std::uint64_t id) const noexcept {
        return mixed(id) >> (64 - bits_ - filter_extra);
    }
    std::size_t slot_of(std::uint64_t id) const noexcept {
        std::size_t at = mixed(id) >> (64 - bits_);
        while (slots_[at] != none && ids_[slots_[at]].id != id) at = (at + 1) & (slots_.size() - 1);
        return at;
    }

    std::span<const repeat> ids_;
    unsigned bits_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint64_t> filter_;
};

class locator : public scan_sink {
  public:
    locator(std::span<const repeat> ids, std::size_t most, unsigned threads)
        : index_(ids), most_(most), found_(threads, std::vector<places>(ids.size())) {}

    void in_order(const batch&) override {}

    void any_order(const batch& b, unsigned worker) override {
        const auto ids = b.ids();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const auto which = index_.find(ids[i]);
            if (which == id_index::none) continue;
            // A worker's batches come in order: its first ones are the first of all that it will see.
            places& own = found_[worker][which];
            ++own.found;
            if (own.first.size() < most_) own.first.push_back({b.file, b.line_of(i)});
        }
    }

    std::vector<places> merged() {
        std::vector<places> all = std::move(found_[0]);
        for (std::size_t worker = 1; worker < found_.size(); ++worker) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                const places& other = found_[worker][i];
                all[i].found += other.found;
                all[i].first.insert(all[i].first.end(), other.first.begin(), other.first.end());
            }
        }
        for (auto& one : all) {
            std::sort(one.first.begin(), one.first.end());
            if (one.first.size() > most_) one.first.resize(most_);
        }
        return all;
    }

  private:
    id_index index_;
    std::size_t most_;
    std::vector<std::vector<places>> found_;  // By worker.
};

}  // namespace

std::vector<places> locate(chunk_source& source, const scan_options& options, std::span<const repeat> ids,
                           std::size_t most, interruption& stop) {
    locator sink{ids, most, options.threads};
    scan(source, options, sink, stop);
    return sink.merged();
}

}  // namespace firn::audit
