// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/report/report_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "trellis/app/report/html.hpp"
#include "trellis/app/results/effective_mass_table.hpp"
#include "trellis/app/results/flow_file.hpp"
#include "trellis/app/run/history_panels.hpp"
#include "trellis/core/base/plural.hpp"

namespace trellis::app {
namespace {

using plot::Mark, plot::Panel, plot::Series, plot::SvgUse;

std::string picture(const std::string& title, const std::vector<Panel>& panels, int width) {
  return plot::svg_plot(title, panels, width, SvgUse::page);
}

constexpr std::size_t kMostQuantities = 16;

// Constants, parts of others, and what has a picture of its own, are left out.
bool is_principal(const Quantity& q) {
  const auto& n = q.name;
  return q.estimate.count > 1 && q.estimate.error != 0 && !q.function && !n.ends_with("_spatial") &&
         !n.ends_with("_temporal") && !n.ends_with("^2 / V") && n != "dH" && n != "acceptance" && n != "exp(-dH)" &&
         n != "polyakov_re" && n != "polyakov_im";
}

bool is_charge(const std::string& name) { return name.find("charge") != std::string::npos; }

// The column of a quantity in a chain's whole table; |polyakov| is made of two.
History history_of(const EnsembleAnalysis& a, const std::string& name, std::size_t chain) {
  const auto& c = a.ensemble.chains[chain];
  History history{.cut = c.cut, .label = a.ensemble.chains.size() > 1 ? c.folder.table().string() : ""};
  const auto& table = c.table;
  const auto add = [&](std::size_t row, double value) {
    const double number = table.column(c.number)[row];
    if (c.of_others.contains(std::int64_t(number)) || std::isnan(value)) return;
    history.numbers.push_back(number);
    history.values.push_back(value);
  };
  if (name == "|polyakov|")
    for (std::size_t i = 0; i < table.rows(); ++i)
      add(i, std::hypot(table.column("polyakov_re")[i], table.column("polyakov_im")[i]));
  else if (table.has(name))
    for (std::size_t i = 0; i < table.rows(); ++i) add(i, table.column(name)[i]);
  return history;
}

// Freedman and Diaconis (Z. Wahrsch. 57 (1981) 453): bins of 2 (interquartile range) / N^(1/3), here 6 to 60 of them.
Panel histogram_panel(const Quantity& q) {
  std::vector<double> all;
  for (const auto& chain : q.series.front()) all.insert(all.end(), chain.begin(), chain.end());
  std::sort(all.begin(), all.end());
  const double low = all.front(), high = all.back();
  const double quartiles = all[3 * (all.size() - 1) / 4] - all[(all.size() - 1) / 4];
  const double width = 2 * quartiles / std::cbrt(double(all.size()));
  const auto count = std::size_t(std::clamp(width > 0 ? std::ceil((high - low) / width) : 6.0, 6.0, 60.0));
  Series bars{.mark = Mark::bar, .colour = 0, .x = {}, .y = std::vector<double>(count + 1, 0.0)};
  for (std::size_t i = 0; i <= count; ++i) bars.x.push_back(low + (high - low) * double(i) / double(count));
  for (const double x : all) ++bars.y[std::min(count - 1, std::size_t((x - low) / (high - low) * double(count)))];
  return {.title = "Histogram",
          .x_label = q.name,
          .series = {std::move(bars)},
          .uprights = {{"mean", q.estimate.mean, q.estimate.error, 1}},
          .shaded_until = -1e300,
          .height = 190};
}

std::string figures_of(const EnsembleAnalysis& a, const Quantity& q) {
  std::vector<History> chains;
  for (std::size_t i = 0; i < a.ensemble.chains.size(); ++i) {
    auto history = history_of(a, q.name, i);
    if (!history.values.empty()) chains.push_back(std::move(history));
  }
  std::vector<std::string> all;
  if (!chains.empty()) {
    auto panel = history_panel("History", chains, q.estimate.mean, q.estimate.error,
                               a.ensemble.of_files() ? "file" : "trajectory");
    if (is_charge(q.name))
      for (auto& series : panel.series) series.mark = Mark::step;
    panel.height = 190;
    all.push_back(html::figure(picture("History of " + q.name, {panel}, 520), ""));
  }
  if (!(q.estimate.error > 0)) return html::element("h3", q.name) + html::figures(all);  // too few measurements
  auto autocorrelation = autocorrelation_panel(a, q);
  autocorrelation.title = "Autocorrelation";
  autocorrelation.height = 190;
  all.push_back(html::figure(picture("Autocorrelation of " + q.name, {autocorrelation}, 360), ""));
  all.push_back(html::figure(picture("Histogram of " + q.name, {histogram_panel(q)}, 320), ""));
  return html::element("h3", q.name) + html::figures(all);
}

Panel flow_panel(const EnsembleAnalysis& a, const std::map<double, analysis::Chains>& energies) {
  Series energy{.label = "t^2 E", .mark = Mark::dot, .colour = 0}, slope{.label = "t d(t^2 E)/dt", .colour = 3};
  for (const auto& [t, values] : energies) {
    const auto e = analysis::gamma_method(values);
    energy.x.push_back(t);
    energy.y.push_back(t * t * e.mean);
    energy.y_error.push_back(t * t * e.error);
  }
  for (std::size_t k = 1; k + 1 < energy.x.size(); ++k) {
    slope.x.push_back(energy.x[k]);
    slope.y.push_back(energy.x[k] * (energy.y[k + 1] - energy.y[k - 1]) / (energy.x[k + 1] - energy.x[k - 1]));
  }
  Panel panel{.x_label = "t / a^2", .series = {std::move(energy), std::move(slope)}, .shaded_until = -1, .height = 300};
  panel.bands = {{.label = "0.3", .y = 0.3, .x_from = 0, .x_to = energies.rbegin()->first, .colour = 4}};
  // Without an error there is a line instead of a band.
  const auto error_of = [](const Quantity& q) { return std::isfinite(q.estimate.error) ? q.estimate.error : 0; };
  if (const auto* t0 = a.find("t0 / a^2"))
    panel.uprights.push_back(
        {"t0 = " + analysis::with_error(t0->estimate.mean, t0->estimate.error), t0->estimate.mean, error_of(*t0), 2});
  if (const auto* w0 = a.find("w0 / a")) {
    const double w = w0->estimate.mean;
    panel.uprights.push_back(
        {"w0^2, w0 = " + analysis::with_error(w, w0->estimate.error), w * w, 2 * w * error_of(*w0), 1});
  }
  return panel;
}

// Points whose error says little do not determine the range.
Panel mass_panel(const std::vector<EffectiveMassRow>& rows, const std::vector<FittedMass>& masses) {
  Panel panel{.x_label = "t / a", .y_label = "a m", .whole_x = true, .shaded_until = -1, .height = 300};
  std::map<std::string, Series> channels;
  double low = 1e300, high = 0;
  for (const auto& r : rows) {
    if (!std::isfinite(r.mass)) continue;
    auto& s = channels[r.channel];
    s.x.push_back(r.t + 0.5 + 0.06 * double(channels.size() - 1));  // beside one another; between t and t + 1
    s.y.push_back(r.mass);
    s.y_error.push_back(r.mass_error);
    if (std::isfinite(r.mass_error) && r.mass_error > 0.25 * r.mass) continue;
    low = std::min(low, r.mass);
    high = std::max(high, r.mass);
  }
  int colour = 0;
  for (auto& [name, series] : channels) {
    series.label = name;
    series.mark = Mark::dot;
    series.colour = colour++ % 5;
    for (const auto& mass : masses) {
      if (mass.channel != name || !mass.fit) continue;
      const auto& best = mass.fit->best_range();
      panel.bands.push_back(
          {.label = fmt::format("{} fit {}", name, analysis::with_error(mass.fit->mass, mass.fit->error)),
           .y = mass.fit->mass,
           .half_width = mass.fit->error,
           .x_from = double(best.first),
           .x_to = double(best.last),
           .colour = series.colour});
      low = std::min(low, mass.fit->mass);
      high = std::max(high, mass.fit->mass);
    }
    panel.series.push_back(std::move(series));
  }
  if (high >= low) panel.y_range = {low - 0.15 * (high - low) - 0.02 * high, high + 0.15 * (high - low) + 0.02 * high};
  return panel;
}

}  // namespace

std::string quantity_figures(const EnsembleAnalysis& a) {
  std::string out;
  std::size_t count = 0;
  for (const auto& q : a.quantities) {
    if (!is_principal(q)) continue;
    if (++count <= kMostQuantities) out += figures_of(a, q);
  }
  if (a.quantities.empty()) {
    std::vector<History> chains;
    for (std::size_t i = 0; i < a.ensemble.chains.size(); ++i) chains.push_back(history_of(a, "plaquette", i));
    if (std::ranges::all_of(chains, [](const History& h) { return h.values.empty(); })) return "";
    const auto panel =
        history_panel("Plaquette", chains, std::nan(""), 0, a.ensemble.of_files() ? "file" : "trajectory");
    return html::figure(picture("History of the plaquette", {panel}, 860), "");
  }
  if (count > kMostQuantities)
    out += html::element("p", fmt::format("{} more quantities are in the table only.", count - kMostQuantities));
  return out;
}

std::string polyakov_figure(const EnsembleAnalysis& a) {
  Panel panel{.x_label = "Re L", .y_label = "Im L", .shaded_until = -1e300, .height = 336};
  double radius = 0;
  std::size_t count = 0;
  Series points{.mark = Mark::dot, .colour = 0};
  for (const auto& chain : a.ensemble.chains) {
    const auto re = chain.column("polyakov_re"), im = chain.column("polyakov_im");
    count += re.values.size();
    for (std::size_t i = 0; i < std::min(re.values.size(), im.values.size()); ++i) {
      points.x.push_back(re.values[i]);
      points.y.push_back(im.values[i]);
      radius = std::max({radius, std::abs(re.values[i]), std::abs(im.values[i])});
    }
  }
  if (count == 0 || !(radius > 0)) return "";
  radius *= 1.1;
  panel.x_range = panel.y_range = {-radius, radius};
  for (int k = 0; k < 3; ++k) {
    const double angle = 2 * std::acos(-1.0) / 3 * k;
    panel.series.push_back({.label = k == 0 ? "directions of the centre" : "",
                            .mark = Mark::line,
                            .colour = 4,
                            .x = {0, 2 * radius * std::cos(angle)},
                            .y = {0, 2 * radius * std::sin(angle)},
                            .dashed = true});
    // Clipped to the range, which has() requires of points.
    auto& ray = panel.series.back();
    const double scale = radius / std::max(std::abs(ray.x[1]), std::abs(ray.y[1]));
    ray.x[1] *= scale;
    ray.y[1] *= scale;
  }
  panel.series.push_back(std::move(points));
  return html::figure(picture("Polyakov loop in the complex plane", {panel}, 440),
                      fmt::format("Polyakov loop of {}.", plural(count, "configuration")));
}

std::string flow_figure(const EnsembleAnalysis& a) {
  std::map<double, analysis::Chains> energies;
  const auto& chains = a.ensemble.chains;
  std::size_t curves = 0;
  for (std::size_t r = 0; r < chains.size(); ++r) {
    if (!std::filesystem::exists(chains[r].folder.flow())) continue;
    const FlowFile file(chains[r].folder.flow(), chains[r].number, {});
    for (const auto& [number, curve] : file.curves()) {
      if (!chains[r].keeps(double(number))) continue;
      ++curves;
      for (const auto& point : curve) {
        auto& at = energies[point.time];
        at.resize(chains.size());
        at[r].push_back(point.energy_clover);
      }
    }
  }
  if (curves == 0) return "";
  return html::figure(
      picture("Gradient flow", {flow_panel(a, energies)}, 860),
      fmt::format("Average over {} configurations; E by the clover definition. t0 and w0^2 are where the curves reach "
                  "0.3{}.",
                  curves, a.find("t0 / a^2") == nullptr ? ", which these do not" : ""));
}

std::string mass_figures(const EnsembleAnalysis& a) {
  std::vector<std::string> all;
  for (const auto& chain : a.ensemble.chains) {
    if (!std::filesystem::exists(chain.folder.hadrons())) continue;
    const auto section = chain.number == "row" ? read_measure_input(chain.folder.input()).measure
                                               : read_run_input(chain.folder.input()).measure;
    const auto job = hadron_job(section);
    if (!job) continue;
    const auto rows = effective_masses(*job, chain.folder.hadrons(), chain.cut);
    for (const auto& block : job->blocks()) {
      std::vector<EffectiveMassRow> own;
      for (const auto& r : rows)
        if (r.quarks == block.quarks && r.sink == block.sink && r.momentum_squared == 0) own.push_back(r);
      std::vector<FittedMass> fits;
      for (const auto& mass : a.masses)
        if (mass.sink == block.sink && (block.kappa ? mass.kappa == *block.kappa : mass.quarks == block.quarks))
          fits.push_back(mass);
      if (own.empty()) continue;
      const auto what = fmt::format("Effective masses, {}{}, {} sink", block.kappa ? "kappa = " : "quarks ",
                                    block.quarks, block.sink);
      all.push_back(
          html::figure(picture(what, {mass_panel(own, fits)}, 580),
                       fmt::format("{}, {}. Bands: the fitted masses, over the range of times with the largest weight.",
                                   what, chain.folder.hadrons().string())));
    }
  }
  return all.empty() ? "" : html::figures(all);
}

}  // namespace trellis::app
