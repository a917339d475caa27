// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// `trellis bench dslash --against COMMAND`: another program's benchmark and ours, in turn.

#include "trellis/app/bench/dslash_options.hpp"

namespace trellis::app {

// The only line to run: 32^4, single precision, links of 18 reals and one right-hand side, unless the options say
// otherwise. Throws InputError if they select several.
DslashRun run_against(DslashOptions options);

// Runs both in each round and prints the rounds, medians and the ratio. Returns the exit code.
int compare_with_program(const DslashOptions& options, bool json);

}  // namespace trellis::app
