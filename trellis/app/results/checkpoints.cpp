// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/results/checkpoints.hpp"

#include "trellis/core/error.hpp"

namespace trellis::app {

namespace fs = std::filesystem;

bool has_checkpoint(const RunFolder& folder) {
  return fs::exists(folder.checkpoint()) || fs::exists(folder.previous_checkpoint());
}

void keep_previous_checkpoint(const RunFolder& folder) {
  std::error_code code;
  if (!fs::exists(folder.checkpoint(), code)) return;
  // A run that was killed before it wrote its new checkpoint already left two names.
  if (fs::equivalent(folder.checkpoint(), folder.previous_checkpoint(), code)) return;
  // A second name for the same bytes, made aside: at every moment there is both a previous and a last checkpoint.
  const auto aside = folder.file("previous.checkpoint.part");
  fs::remove(aside, code);
  fs::create_hard_link(folder.checkpoint(), aside, code);
  if (!code)
    fs::rename(aside, folder.previous_checkpoint(), code);
  else  // no hard links on this file system: until the new one is written, the previous checkpoint is the last
    fs::rename(folder.checkpoint(), folder.previous_checkpoint(), code);
  if (code)
    fail("{}: cannot be kept as {}: {}", folder.checkpoint().string(), folder.previous_checkpoint().string(),
         code.message());
}

void set_checkpoint_aside(const RunFolder& folder) {
  if (!fs::exists(folder.checkpoint())) return;
  std::error_code code;
  fs::rename(folder.checkpoint(), folder.unused_checkpoint(), code);
  if (code) fail("{}: cannot be set aside: {}", folder.checkpoint().string(), code.message());
}

}  // namespace trellis::app
