// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The two checkpoints of a run: the last one, and the one before it, to which a run goes back if the last one, or a
// result file that belongs to it, is damaged. Each function is for the first rank.

#include "trellis/app/results/run_folder.hpp"

namespace trellis::app {

bool has_checkpoint(const RunFolder& folder);

// Call before the last checkpoint is replaced: it also becomes the previous one. There is an intact one at any moment.
void keep_previous_checkpoint(const RunFolder& folder);

// Moves the last checkpoint aside under another name, when the run continues from the previous one.
void set_checkpoint_aside(const RunFolder& folder);

}  // namespace trellis::app
