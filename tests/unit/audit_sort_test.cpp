// The search for duplicates, piece by piece: keys, sorting, partitions, and splitting them when they are too
// large.
#include <gmock/gmock.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <random>
#include <vector>

#include "audit/error.hpp"
#include "audit/key_space.hpp"
#include "audit/machine_table.hpp"
#include "audit/memory_plan.hpp"
#include "audit/partition_store.hpp"
#include "audit/radix_sort.hpp"
#include "audit/resolve.hpp"
#include "firn/layouts.hpp"
#include "lab/live/scratch.hpp"
#include "tests/support/faults.hpp"

namespace firn::audit {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::uint64_t> numbers(std::size_t count, std::uint64_t mask = ~std::uint64_t{0}) {
    std::mt19937_64 random{7};
    std::vector<std::uint64_t> all(count);
    for (auto& n : all) n = random() & mask;
    return all;
}

std::vector<std::uint64_t> sorted_by_radix(std::vector<std::uint64_t> keys, unsigned bits) {
    std::vector<std::uint64_t> scratch(keys.size());
    std::vector<std::uint64_t> sorted;
    radix_sort(keys, scratch, bits, [&](std::span<const std::uint64_t> piece) {
        sorted.insert(sorted.end(), piece.begin(), piece.end());
    });
    return sorted;
}

TEST(audit_radix_sort, sorts) {
    for (const std::size_t count : {0U, 1U, 2U, 1000U, 5000U, 200'000U}) {
        for (const std::uint64_t mask :
             {~std::uint64_t{0}, std::uint64_t{0xFFF}, std::uint64_t{0xFFFF'0000'0000'000F}}) {
            auto keys = numbers(count, mask);
            const auto sorted = sorted_by_radix(keys, 64);
            std::sort(keys.begin(), keys.end());
            EXPECT_EQ(sorted, keys) << count;
        }
    }
}

TEST(audit_radix_sort, looks_only_at_the_bits_that_differ) {
    for (const unsigned bits : {0U, 1U, 7U, 8U, 9U, 54U}) {
        const std::uint64_t low = bits == 0 ? 0 : ~std::uint64_t{0} >> (64 - bits);
        auto keys = numbers(100'000, low);
        for (auto& key : keys) key |= (std::uint64_t{0xABCDEF} << 40) & ~low;
        const auto sorted = sorted_by_radix(keys, bits);
        std::sort(keys.begin(), keys.end());
        EXPECT_EQ(sorted, keys) << bits;
    }
}

TEST(audit_key_space, is_one_to_one_and_keeps_a_tick_together) {
    for (const layout* l : layouts::all) {
        const key_space space{*l};
        for (auto value : numbers(1000)) {
            ASSERT_EQ(space.id_of(space.key_of(value)), value) << l->name.view();
            const std::uint64_t other = value ^ std::uint64_t{1} << l->sequence_shift();
            ASSERT_EQ(space.key_of(value) ^ space.key_of(other), 1U) << l->name.view();
            ASSERT_EQ(space.group_of(space.key_of(value)), space.group_of(space.key_of(other)));
        }
    }
}

TEST(audit_key_space, spreads_consecutive_ids_evenly) {
    const key_space space{layouts::standard};
    std::vector<int> partitions(256);
    for (std::uint64_t tick = 0; tick < 1000; ++tick)
        for (std::uint64_t machine = 0; machine < 64; ++machine)
            ++partitions[space.key_of((std::uint64_t{40'000'000'000} + tick) << 22 | machine << 12) >> 56];
    // 64,000 into 256 is 250 each.
    EXPECT_GT(*std::min_element(partitions.begin(), partitions.end()), 150);
    EXPECT_LT(*std::max_element(partitions.begin(), partitions.end()), 350);
}

class audit_store : public testing::Test {
  protected:
    /// Distinct and duplicate keys of what was put in.
    run_scanner resolved(partition_store& store, std::size_t scratch_keys, unsigned threads = 1) {
        run_scanner found{layouts::standard, machines, 100};
        resolve(
            store,
            {.bits = 62, .scratch_keys = scratch_keys, .threads = threads, .spill_directory = disk.path()},
            found, stop);
        return found;
    }

    firn::scratch disk;
    spill_file spill{disk.path()};
    machine_table machines{layouts::standard};
    interruption stop;
};

TEST_F(audit_store, keeps_every_key_in_memory_and_in_the_file) {
    for (const std::size_t blocks : {0U, 3U, 1000U}) {
        partition_store store{{.bits = 64, .fan_out_bits = 2, .block_keys = 16, .blocks_in_memory = blocks},
                              spill};
        const auto keys = numbers(1000);
        partition_store::writer out{store};
        for (auto key : keys) out.add(key);
        out.flush();
        EXPECT_EQ(store.spilled_bytes() > 0, blocks < 1000);
        std::vector<std::uint64_t> all;
        for (std::size_t p = 0; p < store.count(); ++p) {
            std::vector<std::uint64_t> part(store.size(p));
            store.read(p, part);
            for (auto key : part) EXPECT_EQ(key >> 62, p);
            std::vector<std::uint64_t> blockwise;
            std::vector<std::uint64_t> buffer(16);
            store.for_each_block(p, buffer, [&](auto piece) {
                blockwise.insert(blockwise.end(), piece.begin(), piece.end());
            });
            EXPECT_EQ(blockwise, part);
            all.insert(all.end(), part.begin(), part.end());
            store.release(p);
            EXPECT_EQ(store.size(p), 0U);
        }
        EXPECT_TRUE(std::is_permutation(all.begin(), all.end(), keys.begin(), keys.end()));
    }
}

TEST_F(audit_store, makes_no_file_before_it_must) {
    const spill_file nowhere{"/nowhere"};
    EXPECT_LT(nowhere.fd(), 0);
}

TEST_F(audit_store, says_where_it_could_not_make_a_file) {
    spill_file nowhere{"/nowhere"};
    const std::vector<std::uint64_t> bytes(1);
    EXPECT_THAT([&] { nowhere.append(std::as_bytes(std::span{bytes})); },
                ThrowsMessage<failure>(AllOf(HasSubstr("/nowhere: No such file"), HasSubstr("--tmpdir"))));
}

TEST_F(audit_store, says_that_the_disk_is_full_and_how_much_it_holds) {
    const std::vector<std::uint64_t> keys(std::size_t{1} << 18);  // 2 MiB.
    spill.append(std::as_bytes(std::span{keys}));
    faults::set({.pwrite_errno = ENOSPC});
    EXPECT_THAT([&] { spill.append(std::as_bytes(std::span{keys})); },
                ThrowsMessage<failure>(AllOf(HasSubstr("No space left on device"), HasSubstr("holds 2 MiB"),
                                             HasSubstr(disk.path().string()))));
    faults::set({});
}

TEST_F(audit_store, writes_on_where_the_system_wrote_a_part) {
    const auto keys = numbers(1000);
    faults::set({.pwrite_most = 7});
    const auto at = spill.append(std::as_bytes(std::span{keys}));
    faults::set({});
    std::vector<std::uint64_t> again(keys.size());
    spill.read(at, std::as_writable_bytes(std::span{again}));
    EXPECT_EQ(again, keys);
}

TEST_F(audit_store, splits_what_does_not_fit) {
    auto keys = numbers(20'000, 0x3FFF);  // Partition 0 only; most keys stand there more than once.
    partition_store store{{.bits = 64, .fan_out_bits = 2, .block_keys = 16}, spill};
    partition_store::writer out{store};
    for (auto key : keys) out.add(key);
    out.flush();
    const auto found = resolved(store, 1024, 2);
    std::sort(keys.begin(), keys.end());
    const auto distinct = static_cast<std::size_t>(std::unique(keys.begin(), keys.end()) - keys.begin());
    EXPECT_EQ(found.distinct(), distinct);
    EXPECT_EQ(found.duplicates(), 20'000 - distinct);
    EXPECT_TRUE(std::filesystem::is_empty(disk.path()));
}

TEST_F(audit_store, counts_one_key_however_often_it_comes) {
    partition_store store{{.bits = 64, .fan_out_bits = 2, .block_keys = 16}, spill};
    const key_space space{layouts::standard};
    partition_store::writer out{store};
    for (int i = 0; i < 50'000; ++i) out.add(space.key_of(12345));
    out.add(space.key_of(12346));
    out.flush();
    auto found = resolved(store, 64);
    EXPECT_EQ(found.distinct(), 2U);
    EXPECT_EQ(found.duplicates(), 49'999U);
    const auto repeats = found.repeats().take();
    ASSERT_EQ(repeats.size(), 1U);
    EXPECT_EQ(repeats[0].id, 12345U);
    EXPECT_EQ(repeats[0].count, 50'000U);
}

TEST_F(audit_store, sees_a_full_tick_across_the_parts_of_a_split) {
    machines.find_or_add(5)->see(77, 1);
    partition_store store{{.bits = 64, .fan_out_bits = 2, .block_keys = 16}, spill};
    const key_space space{layouts::standard};
    partition_store::writer out{store};
    for (std::uint32_t s = 0; s < 4096; ++s)
        out.add(space.key_of(layouts::standard.encode(tick{77}, 5, s).value));
    out.flush();
    const auto found = resolved(store, 64);
    EXPECT_EQ(found.fullest()[machines.index_of(5)].ids, 4096U);
    EXPECT_EQ(found.fullest()[machines.index_of(5)].tick, 77);
}

TEST_F(audit_store, ends_when_asked_to) {
    partition_store store{{.bits = 64, .fan_out_bits = 2, .block_keys = 16}, spill};
    partition_store::writer out{store};
    for (auto key : numbers(100)) out.add(key);
    out.flush();
    stop.request();
    EXPECT_THROW(resolved(store, 1024), interrupted);
}

TEST(audit_repeats, keeps_the_smallest) {
    repeat_list list{3};
    for (const std::uint64_t id : {9U, 2U, 7U, 4U, 5U}) list.add(id, id + 1);
    repeat_list other{3};
    other.add(3, 8);
    list.merge(other);
    std::vector<std::uint64_t> kept;
    for (const auto& r : list.take()) kept.push_back(r.id);
    EXPECT_THAT(kept, ElementsAre(2, 3, 4));
    repeat_list none{0};
    none.add(1, 2);
    EXPECT_TRUE(none.take().empty());
}

TEST(audit_machines, of_wide_fields_are_told_apart_up_to_a_bound) {
    machine_table table{make_layout({.timestamp_bits = 31, .machine_bits = 30, .sequence_bits = 2})};
    for (std::uint64_t m = 0; m < machine_table::most; ++m) ASSERT_NE(table.find_or_add(m * 9973), nullptr);
    EXPECT_EQ(table.find_or_add(3), nullptr);
    EXPECT_EQ(table.index_of(3), machine_table::none);
    EXPECT_EQ(table.find_or_add(9973)->machine, 9973U);
    EXPECT_EQ(table.index_of(2 * 9973), 2U);
}

TEST(audit_memory_plan, stays_within_its_bound) {
    for (std::uint64_t mebibytes = 16; mebibytes < 65536; mebibytes = mebibytes * 5 / 4) {
        for (const unsigned threads : {1U, 2U, 8U, 64U, 1024U}) {
            const auto p = plan_memory(mebibytes << 20, threads);
            const std::uint64_t partitions = std::uint64_t{1} << p.fan_out_bits;
            const std::uint64_t reading = p.threads * (3 * p.chunk_bytes + partitions * 32 * 8);
            const std::uint64_t blocks = (p.blocks_in_memory + partitions) * p.block_keys * 8;
            const std::uint64_t scratch = p.scratch_keys * 8 * 5 / 4;
            EXPECT_LE(reading + blocks + scratch, (mebibytes - 8) << 20) << mebibytes << ' ' << threads;
            EXPECT_GE(p.threads, 1U);
            EXPECT_LE(p.threads, threads);
            // Every thread can at least read one block.
            EXPECT_GE(p.scratch_keys / p.threads, p.block_keys) << mebibytes << ' ' << threads;
        }
    }
}

}  // namespace
}  // namespace firn::audit
