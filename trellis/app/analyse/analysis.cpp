// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trellis/app/analyse/glueball_masses.hpp"
#include "trellis/core/base/joined.hpp"
#include "trellis/core/base/named.hpp"

namespace trellis::app {
namespace {

using analysis::with_error;

double relative(double error, double value) { return value == 0 ? 0 : error / value; }

// Below, the data do not follow the fit, even in the range of times where it is best.
constexpr double least_probability = 0.01;
bool follows(const analysis::CorrelatorFit& fit) { return fit.best_range().probability >= least_probability; }
std::string does_not_follow() {
  return fmt::format("p < {}: the data do not follow the fit even there, and its error is too small",
                     least_probability);
}

const FittedMass* lightest_pion(const EnsembleAnalysis& a) {
  const FittedMass* pion = nullptr;
  for (const auto& mass : a.masses)
    if (mass.channel == "pion" && mass.fit && (!pion || mass.fit->mass < pion->fit->mass)) pion = &mass;
  return pion;
}

}  // namespace

std::vector<EnsembleAnalysis> analysed(std::vector<Ensemble> ensembles, const AnalysisParameters& parameters) {
  std::vector<EnsembleAnalysis> all;
  for (auto& ensemble : ensembles) {
    auto& a = all.emplace_back();
    a.ensemble = std::move(ensemble);
    a.quantities = quantities(a.ensemble, parameters.quantities);
    if (!a.quantities.empty()) {
      a.masses = fitted_masses(a.ensemble, parameters.masses);
      for (auto& glueball : glueball_masses(a.ensemble, parameters.masses)) a.masses.push_back(std::move(glueball));
      a.matrix_elements = matrix_elements(a.ensemble, {.distance = parameters.masses.first,
                                                       .bins = parameters.masses.bins,
                                                       .shrinkage = parameters.masses.shrinkage});
      a.potential = static_potential(a.ensemble, parameters.potential);
      a.potential_time = parameters.potential_time;
    }
    a.scale = parameters.scale.empty() ? default_scale(a.ensemble.chains.front().tastes)
                                       : named("scale", physical_scales(), parameters.scale);
  }
  const auto files = [](const EnsembleAnalysis& a) { return a.ensemble.chains.front().files; };
  for (auto& to : all) {
    if (to.lattice_spacing() || files(to).empty()) continue;
    for (const auto& from : all)
      if (files(from) == files(to) && !to.of_same_files) to.of_same_files = from.lattice_spacing();
  }
  return all;
}

const Quantity* EnsembleAnalysis::find(std::string_view name) const {
  const auto found = std::find_if(quantities.begin(), quantities.end(), [&](const auto& q) { return q.name == name; });
  return found == quantities.end() ? nullptr : &*found;
}

std::optional<EnsembleAnalysis::LatticeSpacing> EnsembleAnalysis::lattice_spacing() const {
  const auto from = [&](const Quantity* q, double physical, double physical_error, double power,
                        const char* what) -> std::optional<LatticeSpacing> {
    if (q == nullptr || !(physical > 0) || !(q->estimate.mean > 0)) return std::nullopt;
    const double value = physical / std::pow(q->estimate.mean, power);
    const double own = power * q->estimate.error / q->estimate.mean;
    return LatticeSpacing{value, value * std::hypot(own, physical_error / physical), what};
  };
  if (auto a = from(find("w0 / a"), scale.w0, scale.w0_error, 1, "w0")) return a;
  if (auto a = from(find("t0 / a^2"), scale.sqrt_t0, scale.sqrt_t0_error, 0.5, "t0")) return a;
  return of_same_files;
}

ResultTable quantity_table(const EnsembleAnalysis& a, bool compare) {
  ResultTable table{{"", "mean", a.ensemble.of_files() ? "tau_int/files" : "tau_int/traj.", "N", "N_eff", "drift", ""},
                    {}};
  for (const auto& q : a.quantities) {
    const auto& e = q.estimate;
    const bool varies = e.error > 0;
    table.rows.push_back({q.name, std::isfinite(e.mean) ? with_error(e.mean, e.error) : "none",
                          varies ? with_error(q.tau_int(), q.tau_int_error()) : "", fmt::format("{}", e.count),
                          varies ? fmt::format("{:.0f}", q.effective_count()) : "",
                          std::isfinite(q.drift) && varies ? fmt::format("{:+.1f}", q.drift) : "",
                          joined(q.doubts(), ", ")});
    if (!compare || !varies) continue;
    const auto other = q.other_errors();
    if (!std::isfinite(other.jackknife) || !std::isfinite(other.bootstrap)) continue;
    table.rows.push_back({"", fmt::format("errors: {:.2g} Gamma method, {:.2g} jackknife, {:.2g} bootstrap", e.error,
                                          other.jackknife, other.bootstrap)});
  }
  return table;
}

ResultTable mass_table(const EnsembleAnalysis& a) {
  ResultTable table{{"mass of", "a m", a.lattice_spacing() ? "MeV" : "", "times", "chi^2/dof", "p"}, {}};
  for (const auto& mass : a.masses) {
    const auto what = !mass.quarks.empty() ? fmt::format("{} ({}, {})", mass.channel, mass.quarks, mass.sink)
                      : mass.flavours.empty() && mass.sink.empty() ? mass.channel
                      : mass.flavours.empty() ? fmt::format("{} (kappa {}, {})", mass.channel, mass.kappa, mass.sink)
                                              : fmt::format("{} ({})", mass.channel, mass.flavours);
    if (!mass.fit) {
      table.rows.push_back({what, "no fit: " + mass.problem});
      continue;
    }
    const auto& fit = *mass.fit;
    const auto& best = fit.best_range();
    const auto in_mev = [&](double m, double error) -> std::string {
      const auto spacing = a.lattice_spacing();
      if (!spacing) return "";
      const double value = m * hbar_c / spacing->value;
      return with_error(value, value * std::hypot(relative(error, m), relative(spacing->error, spacing->value)));
    };
    table.rows.push_back({what, with_error(fit.mass, fit.error), in_mev(fit.mass, fit.error),
                          fmt::format("{}-{}", best.first, best.last),
                          fmt::format("{:.1f}/{}", best.chi2, best.degrees), fmt::format("{:.2f}", best.probability)});
    if (!follows(fit)) table.rows.push_back({"", does_not_follow()});
    if (std::isfinite(fit.partner))
      table.rows.push_back({"  oscillating partner", with_error(fit.partner, fit.partner_error),
                            in_mev(fit.partner, fit.partner_error), "", "", ""});
    if (fit.shrinkage > 0)
      table.rows.push_back({"", fmt::format("of {} bins: {:.0f} % of the correlations are left out; p is too large",
                                            fit.bins, 100 * fit.shrinkage)});
  }
  return table;
}

namespace {

std::string text_of(const CurrentInHadron& what, const std::string& sinks) {
  const auto momentum = [](const std::array<int, 3>& n) { return fmt::format("{} {} {}", n[0], n[1], n[2]); };
  auto text = fmt::format("{}: {}", sinks, what.current);
  if (what.momentum != std::array<int, 3>{}) text += ", q " + momentum(what.momentum);
  if (what.sink_momentum != std::array<int, 3>{}) text += ", p " + momentum(what.sink_momentum);
  return text + (what.imaginary ? ", imaginary" : "");
}

}  // namespace

ResultTable matrix_element_table(const EnsembleAnalysis& a) {
  ResultTable table{{"matrix element", "R", "sink at", "times", "chi^2/dof", "p"}, {}};
  const auto is_zero = [](double value, double error) { return !(std::abs(value) > 3 * error); };
  bool any = false;  // that is not zero
  for (const auto& one : a.matrix_elements.ratios)
    any = any || (one.found && one.found->plateau && !is_zero(one.found->plateau->mass, one.found->plateau->error));
  std::size_t zeros = 0;
  for (const auto& one : a.matrix_elements.ratios) {
    const auto problem = one.found ? one.found->problem : one.problem;
    if (!problem.empty()) {
      if (!one.what.imaginary) table.rows.push_back({text_of(one.what, one.fixed_sink), "no plateau: " + problem});
      continue;
    }
    const auto& fit = *one.found->plateau;
    if (any && is_zero(fit.mass, fit.error)) {
      ++zeros;
      continue;
    }
    const auto& best = fit.best_range();
    table.rows.push_back({text_of(one.what, one.fixed_sink), with_error(fit.mass, fit.error),
                          fmt::format("{}", one.sink_time), fmt::format("{}-{}", best.first, best.last),
                          fmt::format("{:.1f}/{}", best.chi2, best.degrees), fmt::format("{:.2f}", best.probability)});
    if (!follows(fit)) table.rows.push_back({"", does_not_follow()});
  }
  for (const auto& sum : a.matrix_elements.sums) {
    if (!sum.found) {
      if (!sum.what.imaginary)
        table.rows.push_back({text_of(sum.what, joined(sum.fixed_sinks, "+")), "no slope: " + sum.problem});
      continue;
    }
    if (any && is_zero(sum.found->slope, sum.found->error)) continue;
    table.rows.push_back(
        {text_of(sum.what, joined(sum.fixed_sinks, "+")), with_error(sum.found->slope, sum.found->error),
         fmt::format("{} times", sum.fixed_sinks.size()), "",
         fmt::format("{:.1f}/{}", sum.found->chi2, sum.found->degrees), fmt::format("{:.2f}", sum.found->probability)});
  }
  if (zeros > 0)
    table.rows.push_back({"", fmt::format("{} more are zero within three errors; --json has them", zeros)});
  return table;
}

ResultTable potential_table(const EnsembleAnalysis& a) {
  ResultTable table{{"static potential", "", "", "", "", ""}, {}};
  if (!a.potential) return table;
  if (!a.potential->found) {
    table.rows.push_back({"Wilson loops", "no potential: " + a.potential->problem});
    return table;
  }
  const auto& found = *a.potential->found;
  const auto* shown =
      a.potential_time > 0 ? found.at_time(a.potential_time) : &found.times[std::size_t(found.chosen.value_or(0))];
  if (shown == nullptr) {
    table.rows.push_back({"Wilson loops", fmt::format("no potential: there are none of the times {} and {}",
                                                      a.potential_time, a.potential_time + 1)});
    return table;
  }
  table.heading = {"static potential", "r / a", fmt::format("a V(r), t = {}", shown->time), "", "", ""};
  for (std::size_t k = 0; k < found.distances.size(); ++k)
    if (std::isfinite(shown->potential[k]))
      table.rows.push_back({"", fmt::format("{:.4f}", found.distances[k]),
                            with_error(shown->potential[k], shown->errors[k]), "", "", ""});
  return table;
}

ResultTable potential_fit_table(const EnsembleAnalysis& a) {
  ResultTable table{{"V_0 - alpha / r + sigma r", "a V_0", "alpha", "a^2 sigma", "r_0 / a", "chi^2/dof"}, {}};
  if (!a.potential || !a.potential->found) return table;
  const auto& found = *a.potential->found;
  for (std::size_t k = 0; k < found.times.size(); ++k) {
    const auto& at = found.times[k];
    const bool chosen = found.chosen && std::size_t(*found.chosen) == k;
    if (!at.fit) {
      table.rows.push_back({fmt::format("t = {}", at.time), "no fit: " + at.problem});
      continue;
    }
    const auto& fit = *at.fit;
    table.rows.push_back(
        {fmt::format("t = {}, r = {:.3g} to {:.3g}{}", at.time, fit.first, fit.last, chosen ? " *" : ""),
         with_error(fit.constant, fit.constant_error), with_error(fit.alpha, fit.alpha_error),
         with_error(fit.sigma, fit.sigma_error), with_error(fit.r0, fit.r0_error),
         fmt::format("{:.1f}/{}", fit.chi2, fit.degrees)});
  }
  if (found.chosen) table.rows.push_back({"", "* the first whose r_0 agrees with the next one's"});
  if (found.shrinkage > 0)
    table.rows.push_back({"", fmt::format("of {} bins: {:.0f} % of the correlations are left out; chi^2 is too small",
                                          found.bins, 100 * found.shrinkage)});
  if (const auto& without = a.potential->without_combination; !without.empty())
    table.rows.push_back(
        {"", "no combination of levels has a signal, so the highest is used: " + joined(without, ", ")});
  return table;
}

std::vector<std::string> scale_lines(const EnsembleAnalysis& a) {
  std::vector<std::string> lines;
  const auto& size = a.ensemble.size();
  if (const auto* pion = lightest_pion(a); pion && size)
    lines.push_back(fmt::format("m_pi L = {:.2f}, L the shortest of x, y, z{}",
                                pion->fit->mass * *std::min_element(size->begin(), size->begin() + 3),
                                follows(*pion->fit) ? "" : "; the data do not follow the pion's fit"));
  std::vector<std::string> missing;
  for (const auto* scale : {"t0 / a^2", "w0 / a"})
    if (a.find(scale) == nullptr) missing.push_back(std::string(scale, 2));
  if (!missing.empty() && has_flow(a.ensemble))
    lines.push_back(
        fmt::format("no {}: the flow ends before t^2 <E> (for w0: its derivative t d(t^2 <E>)/dt) reaches 0.3",
                    joined(missing, " and ")));
  const auto spacing = a.lattice_spacing();
  if (!spacing) return lines;
  lines.push_back(
      fmt::format("a = {} fm from {} ({})", with_error(spacing->value, spacing->error), spacing->from, a.scale.source));
  for (const auto& q : a.quantities)
    if (const auto& e = q.estimate; q.name.ends_with("^2 / V") && e.mean > 0) {
      const double root = std::pow(e.mean, 0.25) * hbar_c / spacing->value;
      const double error =
          root * std::hypot(0.25 * relative(e.error, e.mean), relative(spacing->error, spacing->value));
      lines.push_back(fmt::format("({})^(1/4) = {} MeV", q.name, with_error(root, error)));
    }
  if (!size) return lines;
  const double temperature = hbar_c / (spacing->value * (*size)[3]);
  lines.push_back(fmt::format("extents {} fm in x, {} fm in time: T = {} MeV",
                              with_error(spacing->value * (*size)[0], spacing->error * (*size)[0]),
                              with_error(spacing->value * (*size)[3], spacing->error * (*size)[3]),
                              with_error(temperature, temperature * spacing->error / spacing->value)));
  return lines;
}

plot::Panel autocorrelation_panel(const EnsembleAnalysis& a, const Quantity& q) {
  const auto window = q.estimate.window;
  const auto curves = analysis::autocorrelation(q.series.front(), 4 * window + 10, window);
  plot::Series rho{.label = "rho(t)", .mark = plot::Mark::dot, .colour = 0},
      tau{.label = "tau_int(W)", .mark = plot::Mark::line, .colour = 1};
  for (std::size_t t = 0; t < curves.rho.size(); ++t) {
    rho.x.push_back(double(t) * q.spacing.typical);
    tau.x.push_back(double(t) * q.spacing.typical);
    rho.y.push_back(curves.rho[t]);
    rho.y_error.push_back(curves.rho_error[t]);
    tau.y.push_back(curves.tau_int[t] * q.spacing.typical);
  }
  const double chosen = double(window) * q.spacing.typical;
  return {.title = fmt::format("{}, tau_int = {}", q.name, with_error(q.tau_int(), q.tau_int_error())),
          .x_label = fmt::format("t, W in {}", a.counted_in()),
          .series = {std::move(rho), std::move(tau)},
          .uprights = {{fmt::format("W = {:.0f}", chosen), chosen, 0, 4}},
          .shaded_until = -1};
}

}  // namespace trellis::app
