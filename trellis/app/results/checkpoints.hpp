// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The two checkpoints of a run: the last one, and the one before it, to which a run goes back when the last one, or a
// file of results that belongs to it, is damaged. Each function is for the first rank.

#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

bool has_checkpoint(const RunFolder& folder);

// Before the last one is replaced: it becomes the previous one as well. At any moment there is a whole one.
void keep_previous_checkpoint(const RunFolder& folder);

// Takes the last one away, under another name, when the run goes on from the previous one.
void set_checkpoint_aside(const RunFolder& folder);

}  // namespace trellis::app
