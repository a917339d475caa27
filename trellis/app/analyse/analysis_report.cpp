// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/analysis_report.hpp"

#include <algorithm>
#include <cmath>

#include "trellis/core/base/joined.hpp"
#include "trellis/plot/svg_plot.hpp"

namespace trellis::app {
namespace {

using analysis::with_error;

const Quantity* find(const std::vector<Quantity>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const Quantity& q) { return q.name == name; });
  return found == all.end() ? nullptr : &*found;
}

double relative(double error, double value) { return value == 0 ? 0 : error / value; }

std::string chain_line(const ChainResults& chain) {
  const auto& numbers = chain.table.column(chain.number);
  const auto kept = std::count_if(numbers.begin(), numbers.end(), [&](double n) { return chain.keeps(n); });
  if (chain.number == "row")
    return fmt::format("  {}: {} of {} files\n", chain.folder.table().string(), kept, numbers.size());
  return fmt::format("  {}: trajectories {} to {:.0f}\n", chain.folder.table().string(), chain.cut + 1,
                     numbers.empty() ? 0 : numbers.back());
}

std::string mass_text(const EnsembleAnalysis& a) {
  if (a.masses.empty()) return "";
  std::string text = fmt::format("  {:<28} {:<16} {:<16} {:>8} {:>12} {:>8}\n", "mass of", "a m",
                                 a.lattice_spacing() ? "MeV" : "", "times", "chi^2/dof", "p");
  for (const auto& mass : a.masses) {
    const auto what = mass.flavours.empty() ? fmt::format("{} (kappa {}, {})", mass.channel, mass.kappa, mass.sink)
                                            : fmt::format("{} ({})", mass.channel, mass.flavours);
    if (!mass.fit) {
      text += fmt::format("  {:<28} no fit: {}\n", what, mass.problem);
      continue;
    }
    const auto& fit = *mass.fit;
    const auto best = std::max_element(fit.ranges.begin(), fit.ranges.end(),
                                       [](const auto& x, const auto& y) { return x.weight < y.weight; });
    const auto in_mev = [&](double m, double error) -> std::string {
      const auto spacing = a.lattice_spacing();
      if (!spacing) return "";
      const double value = m * hbar_c / spacing->value;
      return with_error(value, value * std::hypot(relative(error, m), relative(spacing->error, spacing->value)));
    };
    text += fmt::format("  {:<28} {:<16} {:<16} {:>8} {:>12} {:>8.2f}\n", what, with_error(fit.mass, fit.error),
                        in_mev(fit.mass, fit.error), fmt::format("{}-{}", best->first, best->last),
                        fmt::format("{:.1f}/{}", best->chi2, best->degrees), best->probability);
    if (std::isfinite(fit.partner))
      text += fmt::format("    {:<26} {:<16} {:<16}\n", "oscillating partner",
                          with_error(fit.partner, fit.partner_error), in_mev(fit.partner, fit.partner_error));
    if (fit.shrinkage > 0)
      text += fmt::format("  {:<28} of {} bins: {:.0f} % of the correlations are left out; p is too large\n", "",
                          fit.bins, 100 * fit.shrinkage);
  }
  const FittedMass* pion = nullptr;
  for (const auto& mass : a.masses)
    if (mass.channel == "pion" && mass.fit && (!pion || mass.fit->mass < pion->fit->mass)) pion = &mass;
  if (const auto& size = a.ensemble.size(); pion && size)
    text += fmt::format("  m_pi L = {:.2f}, L the shortest of x, y, z\n",
                        pion->fit->mass * *std::min_element(size->begin(), size->begin() + 3));
  return text;
}

// (<Q^2> / V)^(1/4) in MeV.
std::string topological_text(const EnsembleAnalysis& a, const EnsembleAnalysis::LatticeSpacing& spacing) {
  std::string text;
  for (const auto& q : a.quantities) {
    const auto& e = q.estimate;
    if (!q.name.ends_with("^2 / V") || !(e.mean > 0)) continue;
    const double root = std::pow(e.mean, 0.25) * hbar_c / spacing.value;
    const double error = root * std::hypot(0.25 * relative(e.error, e.mean), relative(spacing.error, spacing.value));
    text += fmt::format("  ({})^(1/4) = {} MeV\n", q.name, with_error(root, error));
  }
  return text;
}

std::string scale_text(const EnsembleAnalysis& a) {
  const auto spacing = a.lattice_spacing();
  if (!spacing) return "";
  auto text = fmt::format("  a = {} fm from {} ({})\n", with_error(spacing->value, spacing->error), spacing->from,
                          a.scale.source);
  text += topological_text(a, *spacing);
  if (!a.ensemble.size()) return text;
  const auto& size = *a.ensemble.size();
  const double temperature = hbar_c / (spacing->value * size[3]);
  return text + fmt::format("  extents {} fm in x, {} fm in time: T = {} MeV\n",
                            with_error(spacing->value * size[0], spacing->error * size[0]),
                            with_error(spacing->value * size[3], spacing->error * size[3]),
                            with_error(temperature, temperature * spacing->error / spacing->value));
}

}  // namespace

std::optional<EnsembleAnalysis::LatticeSpacing> EnsembleAnalysis::lattice_spacing() const {
  const auto from = [&](const Quantity* q, double physical, double physical_error, double power,
                        const char* what) -> std::optional<LatticeSpacing> {
    if (q == nullptr || !(physical > 0) || !(q->estimate.mean > 0)) return std::nullopt;
    const double value = physical / std::pow(q->estimate.mean, power);
    const double own = std::isfinite(q->estimate.error) ? power * q->estimate.error / q->estimate.mean : 0;
    return LatticeSpacing{value, value * std::hypot(own, physical_error / physical), what};
  };
  if (auto a = from(find(quantities, "w0 / a"), scale.w0, scale.w0_error, 1, "w0")) return a;
  if (auto a = from(find(quantities, "t0 / a^2"), scale.sqrt_t0, scale.sqrt_t0_error, 0.5, "t0")) return a;
  return of_same_files;
}

std::string analysis_text(const EnsembleAnalysis& a, bool compare) {
  std::string text = a.ensemble.title + "\n";
  for (const auto& chain : a.ensemble.chains) text += chain_line(chain);
  text += fmt::format("  {:<28} {:<22} {:<14} {:>7} {:>7} {:>7}\n", "", "mean",
                      a.ensemble.of_files() ? "tau_int/files" : "tau_int/traj.", "N", "N_eff", "drift");
  for (const auto& q : a.quantities) {
    const auto& e = q.estimate;
    const bool varies = e.error > 0;
    text += fmt::format("  {:<28} {:<22} {:<14} {:>7} {:>7} {:>7}{}\n", q.name, with_error(e.mean, e.error),
                        varies ? with_error(q.tau_int(), q.tau_int_error()) : "", e.count,
                        varies ? fmt::format("{:.0f}", q.effective_count()) : "",
                        std::isfinite(q.drift) && varies ? fmt::format("{:+.1f}", q.drift) : "",
                        q.doubts().empty() ? "" : "  " + joined(q.doubts(), ", "));
    if (compare && varies) {
      const auto other = q.other_errors();
      text += fmt::format("  {:<28} errors: {:.2g} Gamma method, {:.2g} jackknife, {:.2g} bootstrap\n", "", e.error,
                          other.jackknife, other.bootstrap);
    }
  }
  return text + mass_text(a) + scale_text(a);
}

nlohmann::ordered_json analysis_json(const EnsembleAnalysis& a, bool compare) {
  nlohmann::ordered_json out{{"ensemble", a.ensemble.title},
                             {"counted_in", a.ensemble.of_files() ? "files" : "trajectories"},
                             {"chains", nlohmann::ordered_json::array()}};
  for (const auto& chain : a.ensemble.chains)
    out["chains"].push_back({{"table", chain.folder.table().string()}, {"cut", chain.cut}});
  auto& quantities = out["quantities"] = nlohmann::ordered_json::array();
  for (const auto& q : a.quantities) {
    quantities.push_back({{"name", q.name},
                          {"mean", q.estimate.mean},
                          {"error", q.estimate.error},
                          {"error_of_error", q.estimate.error_error},
                          {"tau_int_trajectories", q.tau_int()},
                          {"tau_int_error_trajectories", q.tau_int_error()},
                          {"measurements", q.estimate.count},
                          {"effective_measurements", q.effective_count()},
                          {"spacing", q.spacing.typical},
                          {"window", q.estimate.window},
                          {"drift", q.drift},
                          {"consistency_of_chains", q.estimate.consistency},
                          {"doubts", q.doubts()}});
    if (!compare) continue;
    const auto other = q.other_errors();
    quantities.back()["jackknife_error"] = other.jackknife;
    quantities.back()["bootstrap_error"] = other.bootstrap;
  }
  auto& masses = out["masses"] = nlohmann::ordered_json::array();
  for (const auto& mass : a.masses) {
    nlohmann::ordered_json entry{{"channel", mass.channel}};
    if (mass.flavours.empty()) {
      entry["kappa"] = mass.kappa;
      entry["sink"] = mass.sink;
    } else {
      entry["flavours"] = mass.flavours;
    }
    entry["configurations"] = mass.configurations;
    if (mass.fit) {
      entry["mass"] = mass.fit->mass;
      entry["error"] = mass.fit->error;
      entry["statistical"] = mass.fit->statistical;
      if (std::isfinite(mass.fit->partner)) {
        entry["partner"] = mass.fit->partner;
        entry["partner_error"] = mass.fit->partner_error;
      }
      entry["systematic"] = mass.fit->systematic;
      entry["bins"] = mass.fit->bins;
      entry["shrinkage"] = mass.fit->shrinkage;
      entry["ranges_not_fitted"] = mass.fit->not_converged;
      auto& ranges = entry["ranges"] = nlohmann::ordered_json::array();
      for (const auto& r : mass.fit->ranges)
        ranges.push_back({{"first", r.first},
                          {"last", r.last},
                          {"mass", r.mass},
                          {"error", r.error},
                          {"chi2", r.chi2},
                          {"degrees", r.degrees},
                          {"probability", r.probability},
                          {"weight", r.weight}});
    } else {
      entry["problem"] = mass.problem;
    }
    masses.push_back(std::move(entry));
  }
  if (const auto spacing = a.lattice_spacing())
    out["lattice_spacing_fm"] = {
        {"value", spacing->value}, {"error", spacing->error}, {"from", spacing->from}, {"source", a.scale.source}};
  return out;
}

std::string autocorrelation_plot(const EnsembleAnalysis& a) {
  std::vector<plot::Panel> panels;
  for (const auto& q : a.quantities) {
    if (!(q.estimate.error > 0) || q.function) continue;
    const auto window = q.estimate.window;
    const auto curves = analysis::autocorrelation(q.series.front(), 4 * window + 10, window);
    plot::Series rho{.label = "rho(t)", .mark = plot::Mark::dot, .colour = 0},
        tau{.label = "tau_int(W)", .mark = plot::Mark::line, .colour = 1},
        chosen{.label = fmt::format("W = {:.0f}", double(window) * q.spacing.typical),
               .mark = plot::Mark::line,
               .colour = 4};
    double highest = 1;
    for (std::size_t t = 0; t < curves.rho.size(); ++t) {
      rho.x.push_back(double(t) * q.spacing.typical);
      tau.x.push_back(double(t) * q.spacing.typical);
      rho.y.push_back(curves.rho[t]);
      tau.y.push_back(curves.tau_int[t] * q.spacing.typical);
      highest = std::max(highest, tau.y.back());
    }
    chosen.x.assign(2, double(window) * q.spacing.typical);
    chosen.y = {0, highest};
    panels.push_back({.title = fmt::format("{}, tau_int = {}", q.name, with_error(q.tau_int(), q.tau_int_error())),
                      .x_label = a.ensemble.of_files() ? "t, W in files" : "t, W in trajectories",
                      .series = {std::move(rho), std::move(tau), std::move(chosen)},
                      .shaded_until = -1});
  }
  return plot::svg_plot("Autocorrelation: " + a.ensemble.title, panels);
}

std::string reweighted_text(const ReweightedFamily& family) {
  std::vector<std::string> betas;
  for (const double beta : family.betas) betas.push_back(fmt::format("{}", beta));
  auto text = fmt::format("{}, reweighted from beta = {}\n", family.title, joined(betas, ", "));
  if (!family.problem.empty()) return text + "  " + family.problem + "\n";
  if (family.betas.size() > 1) text += fmt::format("  overlap of neighbours: at least {:.2f}\n", family.overlap);
  for (const auto& q : family.quantities) {
    text += fmt::format("  {}\n    {:<12} {:<22} {:>8}\n", q.name, "beta", "mean", "N_eff");
    for (const auto& p : q.points)
      text += fmt::format("    {:<12.7g} {:<22} {:>8.0f}{}\n", p.beta, with_error(p.value, p.error), p.effective_count,
                          p.effective_count < 20 ? "  few" : "");
    if (q.peak)
      text += fmt::format("    maximum {} at beta = {}\n", with_error(q.peak->value, q.peak->value_error),
                          with_error(q.peak->beta, q.peak->beta_error));
  }
  return text;
}

nlohmann::ordered_json reweighted_json(const ReweightedFamily& family) {
  nlohmann::ordered_json out{{"reweighted", family.title}, {"betas", family.betas}};
  if (!family.problem.empty()) {
    out["problem"] = family.problem;
    return out;
  }
  out["overlap"] = family.overlap;
  out["bins"] = family.bins;
  auto& quantities = out["quantities"] = nlohmann::ordered_json::array();
  for (const auto& q : family.quantities) {
    nlohmann::ordered_json entry{{"name", q.name}, {"points", nlohmann::ordered_json::array()}};
    for (const auto& p : q.points)
      entry["points"].push_back(
          {{"beta", p.beta}, {"mean", p.value}, {"error", p.error}, {"effective_measurements", p.effective_count}});
    if (q.peak)
      entry["maximum"] = {{"beta", q.peak->beta},
                          {"beta_error", q.peak->beta_error},
                          {"mean", q.peak->value},
                          {"error", q.peak->value_error}};
    quantities.push_back(std::move(entry));
  }
  return out;
}

std::string reweighted_plot(const ReweightedFamily& family) {
  std::vector<plot::Panel> panels;
  for (const auto& q : family.quantities) {
    plot::Series mean{.label = "mean", .mark = plot::Mark::line, .colour = 0};
    plot::Series low{.label = "mean -+ error", .mark = plot::Mark::line, .colour = 4}, high = low;
    high.label.clear();
    for (const auto& p : q.points) {
      for (auto* s : {&mean, &low, &high}) s->x.push_back(p.beta);
      mean.y.push_back(p.value);
      low.y.push_back(p.value - p.error);
      high.y.push_back(p.value + p.error);
    }
    panels.push_back({.title = q.name,
                      .x_label = "beta",
                      .series = {std::move(low), std::move(high), std::move(mean)},
                      .shaded_until = q.points.front().beta - 1});
  }
  return plot::svg_plot("Reweighted: " + family.title, panels);
}

}  // namespace trellis::app
