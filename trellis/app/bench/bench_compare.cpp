// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// trellis bench compare FILES: speedup, GFLOP/s and GB/s by number of devices, of several machines.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "trellis/app/bench/device_figures.hpp"
#include "trellis/app/command.hpp"
#include "trellis/app/input/nearest.hpp"
#include "trellis/app/job/job.hpp"
#include "trellis/app/results/run_folder.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/error.hpp"
#include "trellis/io/paths/different_files.hpp"
#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {
namespace {

struct CompareOptions {
  std::vector<std::string> files, kernels, precisions;
  std::string svg;
};

constexpr std::size_t most_machines = 5;  // as many as there are colours

// What was timed, in the order of the files, with the curves of all machines.
struct Compared {
  std::string what;
  std::vector<const DeviceCurve*> curves;
};

void require_known(const char* option, const std::vector<std::string>& wanted, const std::set<std::string>& found) {
  const std::vector<std::string> known(found.begin(), found.end());
  if (!wanted.empty() && known.empty()) fail_input("bench compare: {}: the files say nothing of that", option);
  for (const auto& word : wanted)
    if (!found.contains(word))
      fail_input("bench compare: {}: found '{}'{}; the files have {}", option, word, suggestion(word, known),
                 joined(known, ", "));
}

std::vector<DeviceCurve> read_all(const CompareOptions& options) {
  if (options.files.size() > most_machines)
    fail_input("bench compare: found {} files; at most {} are compared", options.files.size(), most_machines);
  std::vector<DeviceCurve> all;
  std::set<std::string> machines;
  for (const auto& file : options.files) {
    auto curves = read_device_curves(file);
    if (!machines.insert(curves.front().machine).second)
      fail_input("bench compare: two files are called {}.json; their names are those of the machines",
                 curves.front().machine);
    std::ranges::move(curves, std::back_inserter(all));
  }
  std::set<std::string> kernels, precisions;
  for (const auto& curve : all) {
    kernels.insert(curve.kernel);
    if (!curve.precision.empty()) precisions.insert(curve.precision);
  }
  require_known("--kernels", options.kernels, kernels);
  require_known("--precision", options.precisions, precisions);
  const auto unwanted = [](const std::vector<std::string>& wanted, const std::string& word) {
    return !wanted.empty() && std::ranges::find(wanted, word) == wanted.end();
  };
  std::erase_if(all, [&](const DeviceCurve& curve) {
    return unwanted(options.kernels, curve.kernel) || unwanted(options.precisions, curve.precision);
  });
  if (all.empty()) fail_input("bench compare: no file has one of these kernels in that precision");
  return all;
}

std::vector<Compared> grouped(const std::vector<DeviceCurve>& curves) {
  std::vector<Compared> groups;
  for (const auto& curve : curves) {
    auto group = std::ranges::find(groups, curve.what, &Compared::what);
    if (group == groups.end()) group = groups.insert(groups.end(), {curve.what, {}});
    group->curves.push_back(&curve);
  }
  return groups;
}

std::string table(const Compared& compared) {
  auto text = fmt::format("\n{}\n{:<24} {:>7} {:>12} {:>8} {:>10} {:>10}\n", compared.what, "machine", "devices",
                          "seconds", "speedup", "GFLOP/s", "GB/s");
  for (const auto* curve : compared.curves)
    for (const auto& figure : curve->figures)
      text += fmt::format("{:<24} {:>7} {:>12.4g} {:>8.2f} {:>10.1f} {:>10.1f}\n", curve->machine, figure.devices,
                          figure.seconds, curve->speedup(figure), figure.gflops, figure.gbytes);
  return text;
}

template <class Value>
void add_curve_of(plot::Panel& panel, const DeviceCurve& curve, const std::string& label, int colour, bool dashed,
                  const Value& value) {
  plot::Series line{.label = label, .colour = colour, .dashed = dashed};
  for (const auto& figure : curve.figures) {
    line.x.push_back(figure.devices);
    line.y.push_back(value(figure));
  }
  add_marked_line(panel, std::move(line), dashed ? plot::Mark::cross : plot::Mark::dot);
}

// For each, the speedup with the ideal one, and the speed of all devices together.
std::string picture(const std::vector<Compared>& groups, const std::vector<std::string>& machines) {
  std::vector<plot::Panel> panels;
  for (const auto& group : groups) {
    plot::Panel speedup{.title = group.what + ": speedup", .x_label = "devices", .y_label = "", .whole_x = true};
    plot::Panel speed{.title = group.what + ": all devices together",
                      .x_label = "devices",
                      .y_label = "GFLOP/s, GB/s",
                      .whole_x = true,
                      .log_y = true};
    std::set<int> devices;
    for (const auto* curve : group.curves) {
      const int colour = int(std::ranges::find(machines, curve->machine) - machines.begin());
      add_curve_of(speedup, *curve, curve->machine, colour, false, [&](const auto& f) { return curve->speedup(f); });
      add_curve_of(speed, *curve, curve->machine + ", GFLOP/s", colour, false, [](const auto& f) { return f.gflops; });
      add_curve_of(speed, *curve, curve->machine + ", GB/s", colour, true, [](const auto& f) { return f.gbytes; });
      for (const auto& figure : curve->figures) devices.insert(figure.devices);
    }
    if (devices.size() > 1) {
      const double first = *devices.begin(), last = *devices.rbegin();
      speedup.series.push_back({.label = "ideal", .colour = 4, .x = {first, last}, .y = {first, last}, .dashed = true});
      panels.push_back(std::move(speedup));
    }
    panels.push_back(std::move(speed));
  }
  return plot::svg_plot("Speed by number of devices", panels, 960);
}

int run(const CompareOptions& options) {
  require_output_file("bench compare: --svg", options.svg);
  for (const auto& file : options.files) io::require_different_files({{"FILES", file}}, {{"--svg", options.svg}});
  return by_first_rank([&] {
    const auto curves = read_all(options);
    std::vector<std::string> machines;
    for (const auto& curve : curves)
      if (std::ranges::find(machines, curve.machine) == machines.end()) machines.push_back(curve.machine);
    const auto groups = grouped(curves);
    for (const auto& group : groups) fmt::print("{}", table(group));
    if (!options.svg.empty()) write_text_file(options.svg, picture(groups, machines));
    return 0;
  });
}

}  // namespace

void add_bench_compare(const Command& bench, Action& action) {
  auto options = std::make_shared<CompareOptions>();
  const auto command = bench.add_subcommand(
      "compare", "Speedup, GFLOP/s and GB/s by number of devices, from the JSON of several machines");
  command
      .add_option("FILES", options->files,
                  "JSON of bench scaling, trajectory, nersc or staggered, each called as its machine")
      .required();
  command.add_option("--kernels", options->kernels, "only these, by their names in the tables; default: all")
      .delimiter(',');
  command.add_option("--precision", options->precisions, "only these; default: all").delimiter(',');
  command.add_option("--svg", options->svg, "a file for a picture");
  command.footer("Example: trellis bench compare h200.json epyc.json --kernels D_eo --precision double --svg d.svg");
  command.callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace trellis::app
