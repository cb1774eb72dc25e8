// Whether the tests run under qemu-user (preset arm64), which does not do all that a kernel does: it takes
// the advice MADV_WIPEONFORK and ignores it, lets no limit of memory through, and a child forked from a
// process with threads may hang or end in an assertion of the emulator as soon as it makes a thread of its
// own.
#pragma once

#include <gtest/gtest.h>

namespace firn {

#if defined(FIRN_EMULATED)
inline constexpr bool emulated = true;
#else
inline constexpr bool emulated = false;
#endif

}  // namespace firn

#define FIRN_SKIP_WHEN_EMULATED(what) \
    if (::firn::emulated) GTEST_SKIP() << "the emulator can't: " what
