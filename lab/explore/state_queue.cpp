#include "lab/explore/state_queue.hpp"

#include <algorithm>
#include <cstring>

namespace firn::lab {

namespace {

constexpr std::size_t group = 64;  // words under one mask

}  // namespace

void state_queue::pack(const void* from, std::size_t size) {
    const auto* bytes = static_cast<const char*>(from);
    for (std::size_t done = 0; done < size;) {
        const std::size_t mask_at = words_.size();
        words_.push_back(0);
        for (std::size_t i = 0; i < group && done < size; ++i) {
            const std::size_t take = std::min(size - done, sizeof(std::uint64_t));
            std::uint64_t word = 0;
            std::memcpy(&word, bytes + done, take);
            done += take;
            if (word == 0) continue;
            words_[mask_at] |= std::uint64_t{1} << i;
            words_.push_back(word);
        }
    }
}

void state_queue::unpack(void* to, std::size_t size) {
    auto* bytes = static_cast<char*>(to);
    for (std::size_t done = 0; done < size;) {
        const std::uint64_t mask = words_[at_++];
        for (std::size_t i = 0; i < group && done < size; ++i) {
            const std::size_t take = std::min(size - done, sizeof(std::uint64_t));
            const std::uint64_t word = (mask >> i & 1) != 0 ? words_[at_++] : 0;
            std::memcpy(bytes + done, &word, take);
            done += take;
        }
    }
}

void state_queue::push(const world& w) {
    std::uint64_t engaged = 0;
    for (std::size_t i = 0; i < w.turns().size(); ++i)
        if (w.turns()[i]) engaged |= std::uint64_t{1} << i;
    words_.push_back(engaged);
    pack(&w.state(), sizeof w.state());
    for (const auto& turn : w.turns())
        if (turn) pack(&*turn, sizeof *turn);
}

bool state_queue::pop(world& w) {
    if (at_ == words_.size()) return false;
    const std::uint64_t engaged = words_[at_++];
    unpack(&w.state(), sizeof w.state());
    for (std::size_t i = 0; i < w.turns().size(); ++i) {
        w.turns()[i].reset();
        if ((engaged >> i & 1) == 0) continue;
        w.turns()[i].emplace(detail::purpose::open, w.of().terms());
        unpack(&*w.turns()[i], sizeof(detail::protocol));
    }
    return true;
}

void state_queue::clear() noexcept {
    words_.clear();
    at_ = 0;
}

}  // namespace firn::lab
