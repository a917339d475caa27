// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Figures by number of devices, from the JSON of `bench scaling`, `trajectory`, `nersc` and `staggered`, each file
// from a machine. A device is a rank: a GPU, or the cores of a rank.

#include <filesystem>
#include <string>
#include <vector>

namespace trellis::app {

struct DeviceFigure {
  int devices = 1;
  double seconds = 0, gflops = 0, gbytes = 0;  // of all devices together
};

// One thing that was timed on one machine, in ascending order of devices.
struct DeviceCurve {
  std::string machine;  // the name of the file, without .json
  std::string what;     // "D_eo, double, strong scaling, 32x32x32x48"
  std::string kernel, precision;
  bool strong = true;
  std::vector<DeviceFigure> figures;

  // Relative to the smallest number of devices, which counts as that many.
  double speedup(const DeviceFigure& figure) const;
};

// Yardsticks are left out. Throws InputError, naming the file, if it cannot be read or is no such result.
std::vector<DeviceCurve> read_device_curves(const std::filesystem::path& file);

}  // namespace trellis::app
