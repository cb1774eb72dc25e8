#include "audit/audit.hpp"

#include <algorithm>
#include <utility>

#include "audit/id_statistics.hpp"
#include "audit/locate.hpp"
#include "audit/partition_store.hpp"
#include "audit/resolve.hpp"
#include "audit/scan.hpp"

namespace firn::audit {
namespace {

/// The first reading: sorts the keys into partitions and sees the order.
class collector : public scan_sink {
  public:
    collector(const options& o, const chunk_source& source, partition_store& store, machine_table& machines,
              unsigned threads)
        : layout_(o.layout),
          end_(o.layout.end_tick()),
          space_(o.layout),
          source_(source),
          progress_(o.progress_to),
          machines_(machines) {
        for (unsigned i = 0; i < threads; ++i)
            workers_.push_back({partition_store::writer{store}, id_statistics{o.layout, o.now}});
    }

    void in_order(const batch& b) override {
        skipped_ += b.skipped;
        for (const auto value : b.ids()) {
            const fields f = layout_.decode(id{value});
            if (f.tick >= end_) continue;
            if (auto* machine = machines_.find_or_add(f.machine))
                machine->see(f.tick.count, value);
            else
                ++untracked_;
        }
        if (progress_ != nullptr) progress_->done.store(source_.bytes_read(), std::memory_order_relaxed);
    }

    void any_order(const batch& b, unsigned number) override {
        auto& [writer, statistics] = workers_[number];
        for (const auto value : b.ids()) writer.add(space_.key_of(value));
        statistics.see(b.ids());
    }

    void finish(report& out) {
        for (auto& w : workers_) w.writer.flush();
        for (std::size_t i = 1; i < workers_.size(); ++i)
            workers_[0].statistics.merge(workers_[i].statistics);
        workers_[0].statistics.write_to(out);
        out.skipped = skipped_;
        out.machines_untracked_ids = untracked_;
    }

  private:
    struct alignas(64) worker {
        partition_store::writer writer;
        id_statistics statistics;
    };

    layout layout_;
    tick end_;
    key_space space_;
    const chunk_source& source_;
    progress* progress_;
    machine_table& machines_;
    std::vector<worker> workers_;
    std::uint64_t skipped_ = 0;
    std::uint64_t untracked_ = 0;
};

void enter(progress* p, progress::stage stage, std::uint64_t total) {
    if (p == nullptr) return;
    p->done.store(0, std::memory_order_relaxed);
    p->total.store(total, std::memory_order_relaxed);
    p->at.store(stage, std::memory_order_relaxed);
}

void write_machines(const machine_table& machines, const run_scanner& found, report& out) {
    const auto read = static_cast<double>(out.ids - out.outside);
    for (std::size_t i = 0; i < machines.histories().size(); ++i) {
        const machine_history& h = machines.histories()[i];
        if (h.ids == 0) continue;
        const fullest_tick& full = found.fullest()[i];
        out.machines.push_back({.machine = h.machine,
                                .ids = h.ids,
                                .share = static_cast<double>(h.ids) / read,
                                .out_of_order = h.out_of_order,
                                .rewinds = h.rewinds,
                                .largest_rewind = h.largest_rewind,
                                .fullest = std::max<std::uint64_t>(full.ids, 1)});
        if (full.ids != 0) out.machines.back().fullest_tick = full.tick;
        out.out_of_order += h.out_of_order;
        out.rewinds += h.rewinds;
        out.largest_rewind = std::max(out.largest_rewind, h.largest_rewind);
    }
    std::sort(out.machines.begin(), out.machines.end(),
              [](const auto& a, const auto& b) { return a.machine < b.machine; });
}

class auditor {
  public:
    auditor(const options& o, interruption& stop)
        : options_(o),
          stop_(stop),
          plan_(o.plan ? *o.plan : plan_memory(o.memory_bytes, o.threads)),
          source_(o.paths, {.form = o.form,
                            .column = o.column,
                            .chunk_bytes = plan_.chunk_bytes,
                            .files = {.copy_pipes = o.show != 0, .spill_directory = o.spill_directory}}),
          spill_(o.spill_directory),
          store_({.bits = 64,
                  .fan_out_bits = plan_.fan_out_bits,
                  .block_keys = plan_.block_keys,
                  .blocks_in_memory = plan_.blocks_in_memory},
                 spill_),
          machines_(o.layout) {}

    report run() {
        report out{.layout = options_.layout, .now = options_.now, .threads = plan_.threads};
        enter(options_.progress_to, progress::stage::reading, source_.bytes_total().value_or(0));
        {
            collector sink{options_, source_, store_, machines_, plan_.threads};
            scan(source_, scanning(), sink, stop_);
            sink.finish(out);
        }
        out.spilled_bytes = store_.spilled_bytes();

        enter(options_.progress_to, progress::stage::sorting, out.ids);
        run_scanner found{options_.layout, machines_, options_.show};
        resolve(store_,
                {.bits = 64 - plan_.fan_out_bits,
                 .scratch_keys = plan_.scratch_keys,
                 .threads = plan_.threads,
                 .spill_directory = options_.spill_directory,
                 .progress = [this](std::uint64_t done) { tell(done); }},
                found, stop_);
        out.duplicates = found.duplicates();
        out.repeated = found.repeated();
        write_machines(machines_, found, out);
        locate_repeats(found.repeats().take(), out);
        return out;
    }

  private:
    scan_options scanning() const { return {.threads = plan_.threads, .policy = options_.policy}; }

    void tell(std::uint64_t done) const {
        if (options_.progress_to != nullptr)
            options_.progress_to->done.store(done, std::memory_order_relaxed);
    }

    void locate_repeats(const std::vector<repeat>& repeats, report& out) {
        if (repeats.empty()) return;
        enter(options_.progress_to, progress::stage::locating, source_.bytes_total().value_or(0));
        source_.rewind();
        const auto found = locate(source_, scanning(), repeats, options_.show_places, stop_);
        for (std::size_t i = 0; i < repeats.size(); ++i) {
            repeat_report r{.id = repeats[i].id, .count = repeats[i].count};
            for (const place& p : found[i].first) r.places.push_back({source_.name_of(p.file), p.line});
            out.repeats.push_back(std::move(r));
            out.input_changed |= found[i].found != repeats[i].count;
        }
    }

    const options& options_;
    interruption& stop_;
    memory_plan plan_;
    chunk_source source_;
    spill_file spill_;
    partition_store store_;
    machine_table machines_;
};

}  // namespace

report run(const options& options, interruption& stop) {
    return auditor{options, stop}.run();
}

}  // namespace firn::audit
