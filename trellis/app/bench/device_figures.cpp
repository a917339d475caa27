// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/bench/device_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using nlohmann::json;

// Of one entry, without figures.
DeviceCurve curve_of(const json& entry, bool of_trajectories, const std::string& action) {
  DeviceCurve curve;
  if (!of_trajectories && !entry.contains("kernel"))
    fail("its kernels have no names{}", entry.contains("links") ? ", as those of bench dslash" : "");
  curve.kernel = of_trajectories ? "trajectory" : entry.at("kernel").get<std::string>();
  if (const int vectors = entry.value("vectors", 1); vectors > 1)
    curve.kernel += fmt::format(" of {} vectors", vectors);
  curve.precision = entry.value("precision", "");
  const std::string scaling = entry.value("scaling", "");
  curve.strong = scaling != "weak";
  curve.what = action.empty() ? curve.kernel : fmt::format("{} of {}", curve.kernel, action);
  if (!curve.precision.empty()) curve.what += ", " + curve.precision;
  curve.what += curve.strong ? fmt::format(", {}", entry.at("lattice").get<std::string>())
                             : fmt::format(", {} a device", entry.at("of_a_rank").get<std::string>());
  return curve;
}

}  // namespace

double DeviceCurve::speedup(const DeviceFigure& figure) const {
  const auto& first = figures.front();
  const double times = first.devices * first.seconds / figure.seconds;
  return strong ? times : times * figure.devices / first.devices;
}

std::vector<DeviceCurve> read_device_curves(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) fail_input("{}: cannot be opened", file.string());
  std::vector<DeviceCurve> curves;
  try {
    const auto all = json::parse(stream);
    if (!all.is_object() || !(all.contains("figures") || all.contains("kernels")))
      fail("it lists neither figures nor kernels");
    const bool of_trajectories = all.contains("figures");
    const auto action = of_trajectories ? all.value("action", "") : std::string();
    for (const auto& entry : all.at(of_trajectories ? "figures" : "kernels")) {
      if (entry.value("yardstick", false)) continue;
      const DeviceFigure figure{entry.value("ranks", 1), entry.at("seconds").get<double>(),
                                entry.at("gflops").get<double>(), entry.at("gbytes").get<double>()};
      if (figure.devices < 1 || !(figure.seconds > 0)) fail("a number of devices, or a time, is not positive");
      const auto own = curve_of(entry, of_trajectories, action);
      auto found = std::ranges::find(curves, own.what, &DeviceCurve::what);
      if (found == curves.end()) {
        curves.push_back(own);
        found = curves.end() - 1;
        found->machine = file.stem().string();
      }
      found->figures.push_back(figure);
    }
  } catch (const std::exception& error) {
    fail_input("{}: is no result of bench scaling, trajectory, nersc or staggered, as JSON: {}", file.string(),
               error.what());
  }
  if (curves.empty()) fail_input("{}: has no figures", file.string());
  for (auto& curve : curves) std::ranges::sort(curve.figures, {}, &DeviceFigure::devices);
  return curves;
}

}  // namespace trellis::app
