// Everything that a user of ids needs: layouts, generators, clocks and text.
//
//     #include <firn/firn.hpp>
//     firn::generator ids{{.machine = 7}};
//     firn::id a = ids.next();
#pragma once

#include "firn/clock.hpp"
#include "firn/counter_clock.hpp"
#include "firn/error.hpp"
#include "firn/generator.hpp"
#include "firn/id.hpp"
#include "firn/journal.hpp"
#include "firn/layout.hpp"
#include "firn/layouts.hpp"
#include "firn/outcome.hpp"
#include "firn/rfc3339.hpp"
#include "firn/sequencer.hpp"
#include "firn/text.hpp"
