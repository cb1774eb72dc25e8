#include "lab/live/headline.hpp"

#include <signal.h>

#include <cerrno>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "firn/counter_clock.hpp"
#include "firn/generator.hpp"
#include "firn/journal.hpp"
#include "firn/layouts.hpp"

namespace firn::live {

namespace {

using namespace std::chrono_literals;
using steady = std::chrono::steady_clock;

constexpr std::uint64_t machine = 7;
constexpr int log_is_full = 3;

/// Returns at the n-th beat of a rate; when that is over, at once.
class metronome {
  public:
    explicit metronome(std::uint64_t beats_per_ms) : beats_per_ms_(beats_per_ms) {}

    void wait() {
        const auto due = begin_ + std::chrono::nanoseconds{++beats_ * 1'000'000 / beats_per_ms_};
        std::this_thread::sleep_until(due);
    }

  private:
    steady::time_point begin_ = steady::now();
    std::uint64_t beats_ = 0;
    std::uint64_t beats_per_ms_;
};

}  // namespace

headline::headline(const headline_terms& terms) : terms_(terms), ids_(terms.capacity) {
    start();
}

headline_round headline::play_round() {
    const std::uint64_t refused = answers_->refused;
    const std::uint64_t killed = killed_;
    supervise(terms_.before_step, false);
    *step_ns_ -= std::chrono::nanoseconds{terms_.rewind}.count();
    supervise(terms_.round - terms_.before_step, terms_.deploy_after > 0ms);

    headline_round r{.refused = answers_->refused - refused, .killed = killed_ - killed};
    for (const std::size_t end = ids_.size(); counted_ < end; ++counted_) {
        r.issued += 1;
        if (!seen_.insert(ids_[counted_].value).second) r.duplicates += 1;
    }
    return r;
}

/// Until it is killed.
int headline::serve() {
    generator_options o;
    o.machine = machine;
    o.rewind = terms_.rewind_rule;
    o.clock = std::make_shared<counter_clock>(
        o.layout, counter_clock::options{.source = std::make_shared<stepped_time>(*step_ns_)});
    const auto answer_requests = [&](issuer<packer>& ids) {
        for (metronome request(terms_.ids_per_ms);; request.wait()) {
            if (const outcome<id> r = ids.try_next()) {
                if (!ids_.append(*r)) return log_is_full;
                answers_->refused_in_a_row = 0;
            } else {
                answers_->refused += 1;
                answers_->refused_in_a_row += 1;
            }
        }
    };
    if (terms_.kept == memory::process) {
        generator ids(o);
        return answer_requests(ids);
    }
    journal ids = journal::open(terms_.directory, o);
    return answer_requests(ids);
}

void headline::start() {
    const std::size_t stored = ids_.size();
    const std::uint64_t refused = answers_->refused;
    answers_->refused_in_a_row = 0;
    server_ = child([this] { return serve(); });
    // It answers, if only by a refusal, before anybody judges it.
    while (ids_.size() == stored && answers_->refused == refused) {
        if (!server_.running())
            throw std::runtime_error("the server ended by itself, with status " +
                                     std::to_string(server_.wait()));
        std::this_thread::sleep_for(50us);
    }
}

void headline::replace() {
    server_.signal(SIGKILL);
    if (const int status = server_.wait(); status != 128 + SIGKILL)
        throw std::runtime_error(status == log_is_full
                                     ? "no room for more ids; ask for fewer rounds"
                                     : "the server ended by itself, with status " + std::to_string(status));
    killed_ += 1;
    start();
}

void headline::supervise(std::chrono::nanoseconds time, bool deploys) {
    const auto begin = steady::now();
    for (auto now = begin; now < begin + time; now = steady::now()) {
        const bool deploy = deploys && now >= begin + terms_.deploy_after;
        const bool failed = terms_.probe > 0 && answers_->refused_in_a_row >= terms_.probe;
        if (deploy || failed) replace();
        if (deploy) deploys = false;
        if (!server_.running()) replace();  // which says how it ended
        std::this_thread::sleep_for(100us);
    }
}

}  // namespace firn::live
