// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// How a line of `trellis bench dslash` is timed: with which settings, and the timing itself.

#include "trellis/app/bench/dslash_options.hpp"

namespace trellis::app {

struct DslashSettings {
  DslashRun run;  // with the tile or team size that was found
  tuning::KernelTuning how;
  bool tuned = false;
};

// Settings found now (--tune, which saves those of operators), earlier, or untuned. A line that is not run keeps its
// own.
DslashSettings settings_of(const DslashOptions& options, const DslashRun& run);

bench::DslashFigure measure(const DslashOptions& options, const DslashSettings& settings);

}  // namespace trellis::app
