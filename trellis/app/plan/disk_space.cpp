// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/plan/disk_space.hpp"

#include <algorithm>
#include <filesystem>

#include "trellis/app/job/memory_limit.hpp"
#include "trellis/app/plan/plan_report.hpp"
#include "trellis/core/base/log.hpp"

namespace trellis::app {

namespace {

namespace fs = std::filesystem;

// Bytes of the run's configurations and checkpoints, also of replicas and of an ensemble's chains.
double bytes_there(const OutputInput& output) {
  double bytes = 0;
  std::error_code code;
  for (const auto& file : fs::directory_iterator(output.directory, code)) {
    const auto name = file.path().filename().string();
    const bool of_run = name.starts_with(output.name + ".") || name.starts_with(output.name + "-chain-");
    const bool has_links =
        name.ends_with(".ildg") || name.ends_with(".checkpoint") || name.find(".replica-") != name.npos;
    if (!of_run || !has_links || name.ends_with(".unused.checkpoint")) continue;
    if (const auto size = file.file_size(code); !code) bytes += double(size);
  }
  return bytes;
}

}  // namespace

DiskSpace disk_space(const RunInput& input) {
  auto place = fs::absolute(input.output.directory);
  while (!fs::exists(place) && place.has_relative_path()) place = place.parent_path();
  std::error_code code;
  const auto space = fs::space(place, code);
  const double needed = std::max(0.0, disk_plan(input).total() - bytes_there(input.output));
  return {needed, code ? std::nullopt : std::optional(double(space.available))};
}

void warn_of_full_disk(const RunInput& input) {
  if (const auto space = disk_space(input); !space.is_enough())
    log_warning(
        "the results of this chain will take {}, and only {} are free where {} is: the disk will be full before its "
        "end",
        gigabytes(space.needed), gigabytes(*space.free), input.output.directory.string());
}

}  // namespace trellis::app
