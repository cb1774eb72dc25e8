// Cursors in process memory (level 0), one for each layout and machine. Not for users: see generator.hpp.
//
// The page is a shared anonymous mapping, so that fork's parent and children go on with one cursor. It
// outlives the generator: a second generator of the same machine continues where the first stands, whether it
// still exists or not.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <new>

#include "firn/claim.hpp"
#include "firn/error.hpp"
#include "firn/layout.hpp"

namespace firn::detail {

/// Fresh words in a mapping of their own, which is never unmapped: a child may still use it. Its ceiling is
/// the end of the layout, since nothing in memory needs reserving. Throws out_of_resources.
inline cursor_words& new_process_words(const layout& l) {
    void* page =
        ::mmap(nullptr, sizeof(cursor_words), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        throw error(errc::out_of_resources, "no memory page for the cursor (mmap)", errno);
    auto* words = new (page) cursor_words;
    words->ceiling.store(l.end_slot().value, std::memory_order_release);
    return *words;
}

/// The process's words for this layout (its names apart) and machine. A list that only grows and has no lock,
/// so that a fork in the middle of another thread's call leaves nothing locked in the child. One list for the
/// process: visible, so that shared libraries that hide what they are made of (-fvisibility=hidden) have it
/// in common all the same. Throws out_of_resources.
[[gnu::visibility("default")]] inline cursor_words& process_words(layout l, std::uint64_t machine) {
    struct node {
        layout key_layout;
        std::uint64_t key_machine;
        cursor_words* words;
        node* next;
    };
    static std::atomic<node*> head{nullptr};

    l = l.unnamed();
    node* fresh = nullptr;
    node* seen = head.load(std::memory_order_acquire);
    for (;;) {
        for (node* n = seen; n != nullptr; n = n->next) {
            if (n->key_machine != machine || n->key_layout != l) continue;
            if (fresh != nullptr) {  // another thread was first; nobody has seen ours
                ::munmap(fresh->words, sizeof(cursor_words));
                delete fresh;
            }
            return *n->words;
        }
        if (fresh == nullptr) fresh = new node{l, machine, &new_process_words(l), nullptr};
        fresh->next = seen;
        if (head.compare_exchange_weak(seen, fresh, std::memory_order_acq_rel, std::memory_order_acquire))
            return *fresh->words;
    }
}

}  // namespace firn::detail
