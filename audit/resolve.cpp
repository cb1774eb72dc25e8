#include "audit/resolve.hpp"

#include <algorithm>
#include <bit>
#include <mutex>

#include "audit/radix_sort.hpp"
#include "audit/workers.hpp"

namespace firn::audit {
namespace {

class resolver {
  public:
    resolver(std::size_t scratch_keys, const std::filesystem::path& directory, run_scanner& found,
             const interruption& stop)
        : scratch_(std::make_unique_for_overwrite<std::uint64_t[]>(scratch_keys)),
          scratch_keys_(scratch_keys),
          directory_(directory),
          found_(found),
          stop_(stop) {}

    void partition(partition_store& store, std::size_t p, unsigned bits) {
        stop_.check();
        const std::size_t count = store.size(p);
        if (count > scratch_keys_ / 2) return split(store, p);
        const std::span<std::uint64_t> keys{scratch_.get(), count};
        store.read(p, keys);
        store.release(p);
        radix_sort(keys, {scratch_.get() + count, count}, bits, [this](auto piece) { found_.feed(piece); });
    }

  private:
    void split(partition_store& store, std::size_t p) {
        const std::span<std::uint64_t> buffer{scratch_.get(), scratch_keys_};
        std::uint64_t set_in_all = ~std::uint64_t{0};
        std::uint64_t set_in_some = 0;
        store.for_each_block(p, buffer, [&](std::span<const std::uint64_t> keys) {
            stop_.check();
            for (const auto key : keys) {
                set_in_all &= key;
                set_in_some |= key;
            }
        });
        const auto bits = static_cast<unsigned>(std::bit_width(set_in_all ^ set_in_some));
        if (bits == 0) {
            found_.feed_repeated(set_in_all, store.size(p));
            return store.release(p);
        }
        // Splitting by the highest bit that differs makes progress, however alike the keys are. The parts'
        // own file goes when they are done, so that the disk holds little more than one copy.
        const unsigned fan_out_bits = std::min(bits, 8U);
        spill_file spill{directory_};
        partition_store parts{{.bits = bits,
                               .fan_out_bits = fan_out_bits,
                               .block_keys = std::max<std::size_t>(scratch_keys_ / 4 >> fan_out_bits, 16)},
                              spill};
        {
            partition_store::writer out{parts};
            store.for_each_block(p, buffer, [&](std::span<const std::uint64_t> keys) {
                stop_.check();
                for (const auto key : keys) out.add(key);
            });
            out.flush();
        }
        store.release(p);
        // In ascending order: a group of keys may span parts.
        for (std::size_t part = 0; part < parts.count(); ++part) partition(parts, part, bits - fan_out_bits);
    }

    std::unique_ptr<std::uint64_t[]> scratch_;
    std::size_t scratch_keys_;
    const std::filesystem::path& directory_;
    run_scanner& found_;
    const interruption& stop_;
};

/// As many threads as have room for a usual partition each.
unsigned threads_with_room(const partition_store& store, const resolve_options& options) {
    std::uint64_t total = 0;
    for (std::size_t p = 0; p < store.count(); ++p) total += store.size(p);
    const std::uint64_t usual = total / store.count() * 5 / 4 + 1;
    return static_cast<unsigned>(
        std::clamp<std::uint64_t>(options.scratch_keys / (2 * usual), 1, options.threads));
}

}  // namespace

void resolve(partition_store& store, const resolve_options& options, run_scanner& found, interruption& stop) {
    const unsigned threads = threads_with_room(store, options);
    const run_scanner empty = found;
    std::mutex mutex;
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> done{0};
    const auto work = [&](unsigned) {
        run_scanner own = empty;
        resolver worker{options.scratch_keys / threads, options.spill_directory, own, stop};
        for (std::size_t p = next.fetch_add(1); p < store.count(); p = next.fetch_add(1)) {
            const std::size_t keys = store.size(p);
            worker.partition(store, p, options.bits);
            own.finish();
            options.progress(done.fetch_add(keys) + keys);
        }
        const std::scoped_lock lock{mutex};
        found.merge(own);
    };
    run_workers(threads, work, [&] { stop.request(); });
}

}  // namespace firn::audit
