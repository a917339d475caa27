// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Pictures of how a run went: energies, acceptance, forces, solvers, kernels.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "trellis/app/report/html.hpp"
#include "trellis/app/report/report_pictures.hpp"
#include "trellis/app/run/history_panels.hpp"
#include "trellis/plot/roofline.hpp"

namespace trellis::app {
namespace {

using plot::Mark, plot::Panel, plot::Series, plot::SvgUse;

// The acceptance in blocks of trajectories, at most 50 of them.
Panel acceptance_panel(const ChainResults& chain) {
  const auto &numbers = chain.table.column("trajectory"), &accepted = chain.table.column("accepted");
  const auto block = std::max<std::size_t>(10, (numbers.size() + 49) / 50);
  Series steps{.mark = Mark::step, .colour = 2};
  for (std::size_t begin = 0; begin < numbers.size(); begin += block) {
    const auto end = std::min(begin + block, numbers.size());
    double sum = 0;
    for (auto i = begin; i < end; ++i) sum += accepted[i];
    for (const double x : {numbers[begin], numbers[end - 1]}) {
      steps.x.push_back(x);
      steps.y.push_back(sum / double(end - begin));
    }
  }
  return {.title = fmt::format("Acceptance, in blocks of {} trajectories", block),
          .x_label = "trajectory",
          .series = {std::move(steps)},
          .y_range = std::pair(0.0, 1.04),
          .whole_x = true,
          .shaded_until = chain.cut > 0 ? double(chain.cut) : -1e300,
          .shaded = "thermalisation",
          .height = 120};
}

// All columns that begin with `what`, as lines with the rest of their names: terms of the action, each with the same
// colour in all pictures.
Panel terms_panel(const ChainResults& chain, const std::string& what, const std::string& title, bool log_y) {
  Panel panel{.title = title,
              .x_label = "trajectory",
              .whole_x = true,
              .log_y = log_y,
              .shaded_until = chain.cut > 0 ? double(chain.cut) : -1e300,
              .shaded = "thermalisation",
              .height = 180};
  const std::string of_all = "force_average_";
  std::vector<double> kept;
  int n = 0;
  for (const auto& column : chain.table.columns) {
    if (!column.starts_with(of_all)) continue;
    const auto term = column.substr(of_all.size());
    if (chain.table.has(what + term)) {
      Series series{.label = term, .colour = n % 5, .dashed = n >= 5};
      series.x = chain.table.column("trajectory");
      series.y = chain.table.column(what + term);
      const auto after = chain.column(what + term);
      kept.insert(kept.end(), after.values.begin(), after.values.end());
      panel.series.push_back(std::move(series));
    }
    ++n;
  }
  if (!log_y && kept.size() > 20) panel.y_range = plot::robust_range(kept);
  return panel;
}

struct KernelRow {
  std::string name, precision;
  double calls = 0, seconds = 0, share = 0, gbytes = 0, of_bandwidth = 0, gflops = 0, of_peak = 0;
};

std::vector<KernelRow> read_kernels(const std::filesystem::path& file) {
  const auto names = io::read_csv_texts(file, "kernel"), precisions = io::read_csv_texts(file, "precision");
  const auto data = io::read_csv(file, {"kernel", "precision"});
  const auto at = [&](const char* column, std::size_t i) { return data.column(column)[i]; };
  std::vector<KernelRow> rows;
  for (std::size_t i = 0; i < data.rows(); ++i)
    rows.push_back({names[i], precisions[i], at("calls", i), at("seconds", i), at("share", i),
                    at("gbytes_per_second", i), at("of_bandwidth", i), at("gflops_per_second", i), at("of_peak", i)});
  return rows;
}

constexpr std::size_t kMostKernels = 15;

ResultTable kernel_cells(const std::vector<KernelRow>& rows) {
  ResultTable table{{"kernel", "time", "calls", "GB/s", "of triad", "GFLOP/s", "of peak"}, {}};
  const auto number = [](double x, int digits) { return std::isnan(x) ? "" : fmt::format("{:.{}f}", x, digits); };
  const auto percent = [&](double x, int digits) { return std::isnan(x) ? "" : number(100 * x, digits) + " %"; };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& r = rows[i];
    if (i >= kMostKernels && i + 1 < rows.size()) continue;
    table.rows.push_back({r.name + (r.precision == "single" ? ", single" : ""), percent(r.share, 1), number(r.calls, 0),
                          number(r.gbytes, 1), percent(r.of_bandwidth, 0), number(r.gflops, 1), percent(r.of_peak, 0)});
  }
  return table;
}

plot::Roofline roofline_of(const std::vector<KernelRow>& rows) {
  plot::Roofline roofline;
  roofline.title = "Kernels and the limits of the machine";
  std::map<std::string, double> peaks;
  double triad = 0;
  for (const auto& r : rows) {
    if (r.of_bandwidth > 0) triad = r.gbytes / r.of_bandwidth * 1e9;
    if (r.of_peak > 0) peaks[r.precision] = r.gflops / r.of_peak * 1e9;
    if (r.gbytes > 0 && r.gflops > 0 && r.share >= 0.01)
      roofline.points.push_back({.label = r.name + (r.precision == "single" ? ", single" : ""),
                                 .intensity = r.gflops / r.gbytes,
                                 .flops = r.gflops * 1e9,
                                 .colour = r.precision == "single" ? 1 : 0});
  }
  if (triad > 0) roofline.bandwidths = {{fmt::format("triad {:.1f} GB/s", triad * 1e-9), triad}};
  for (const auto& [precision, rate] : peaks)
    roofline.peaks.push_back({fmt::format("{} {:.0f} GFLOP/s", precision, rate * 1e-9), rate});
  return roofline;
}

}  // namespace

std::string algorithm_figures(const ChainResults& chain) {
  const auto& table = chain.table;
  if (!table.has("dH") || table.rows() == 0) return "";
  auto energies = energy_panel(table, chain.cut);
  energies.height = 180;
  std::vector<std::string> all{
      html::figure(plot::svg_plot("dH and acceptance", {energies, acceptance_panel(chain)}, 580, SvgUse::page), "")};
  std::vector<Panel> terms{
      terms_panel(chain, "force_average_", "Average force on a link, in each term's first kick", true),
      terms_panel(chain, "force_maximum_", "Largest force on a link", true)};
  if (auto iterations = terms_panel(chain, "iterations_", "Solver iterations", false); !iterations.series.empty())
    terms.push_back(std::move(iterations));
  all.push_back(
      html::figure(plot::svg_plot("Forces and solver iterations of each term", terms, 580, SvgUse::page), ""));
  return html::figures(all);
}

std::string kernel_figures(const RunFolder& folder) {
  if (!std::filesystem::exists(folder.kernels())) return "";
  const auto rows = read_kernels(folder.kernels());
  if (rows.empty()) return "";
  const auto roofline = roofline_of(rows);
  auto out = html::table(
      "Of the last call of the program that was not killed. GB/s: the minimum bytes that must move, "
      "each number once; above 100 % of the triad a kernel finds its numbers in a cache.",
      kernel_cells(rows));
  if (!roofline.points.empty()) out += html::figure(plot::svg_roofline(roofline, 860, SvgUse::page), "");
  return out;
}

}  // namespace trellis::app
