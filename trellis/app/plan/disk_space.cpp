// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/disk_space.hpp"

#include <filesystem>

#include "trellis/app/plan/plan_report.hpp"

namespace trellis::app {

DiskSpace disk_space(const RunInput& input) {
  namespace fs = std::filesystem;
  auto place = fs::absolute(input.output.directory);
  while (!fs::exists(place) && place.has_relative_path()) place = place.parent_path();
  std::error_code code;
  const auto space = fs::space(place, code);
  return {disk_plan(input).total(), code ? std::nullopt : std::optional(double(space.available))};
}

}  // namespace trellis::app
