// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/analysis_report.hpp"

#include <algorithm>

#include "trellis/core/base/joined.hpp"

namespace trellis::app {
namespace {

using analysis::with_error;

std::string chain_line(const ChainResults& chain) {
  const auto& numbers = chain.table.column(chain.number);
  const auto kept = std::count_if(numbers.begin(), numbers.end(), [&](double n) { return chain.keeps(n); });
  if (chain.number == "row")
    return fmt::format("  {}: {} of {} files\n", chain.folder.table().string(), kept, numbers.size());
  return fmt::format("  {}: trajectories {} to {:.0f}\n", chain.folder.table().string(), chain.cut + 1,
                     numbers.empty() ? 0 : numbers.back());
}

// Empty without rows.
std::string table_text(const ResultTable& table) {
  if (table.rows.empty()) return "";
  std::string text;
  const auto add = [&](const std::vector<std::string>& r) {
    text += r.size() == 2
                ? fmt::format("  {:<28} {}\n", r[0], r[1])
                : fmt::format("  {:<28} {:<16} {:<16} {:>8} {:>12} {:>8}\n", r[0], r[1], r[2], r[3], r[4], r[5]);
  };
  add(table.heading);
  for (const auto& row : table.rows) add(row);
  return text;
}

nlohmann::ordered_json potential_json(const EnsemblePotential& potential) {
  if (!potential.found) return {{"problem", potential.problem}};
  const auto& found = *potential.found;
  // NaN is null.
  nlohmann::ordered_json out{{"distances", found.distances},
                             {"bins", found.bins},
                             {"shrinkage", found.shrinkage},
                             {"without_combination", potential.without_combination},
                             {"times", nlohmann::ordered_json::array()}};
  if (found.chosen) out["chosen_time"] = found.times[std::size_t(*found.chosen)].time;
  for (const auto& at : found.times) {
    nlohmann::ordered_json entry{{"t", at.time}, {"potential", at.potential}, {"errors", at.errors}};
    if (const auto& fit = at.fit)
      entry["fit"] = {{"constant", fit->constant},
                      {"constant_error", fit->constant_error},
                      {"alpha", fit->alpha},
                      {"alpha_error", fit->alpha_error},
                      {"sigma", fit->sigma},
                      {"sigma_error", fit->sigma_error},
                      {"r0", fit->r0},
                      {"r0_error", fit->r0_error},
                      {"first", fit->first},
                      {"last", fit->last},
                      {"chi2", fit->chi2},
                      {"degrees", fit->degrees},
                      {"probability", fit->probability}};
    else
      entry["problem"] = at.problem;
    out["times"].push_back(std::move(entry));
  }
  return out;
}

nlohmann::ordered_json current_json(const CurrentInHadron& what) {
  return {{"hadron", what.hadron},
          {"current", what.current},
          {"momentum", what.momentum},
          {"sink_momentum", what.sink_momentum},
          {"part", what.imaginary ? "imaginary" : "real"}};
}

nlohmann::ordered_json ratios_json(const MatrixElements& elements) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& one : elements.ratios) {
    auto entry = current_json(one.what);
    entry["fixed_sink"] = one.fixed_sink;
    entry["sink_time"] = one.sink_time;
    entry["configurations"] = one.configurations;
    const auto problem = one.found ? one.found->problem : one.problem;
    if (!problem.empty()) entry["problem"] = problem;
    if (one.found) {
      // NaN is null.
      auto& ratios = entry["ratios"] = nlohmann::ordered_json::array();
      for (const auto& r : one.found->ratios)
        ratios.push_back({{"tau", r.tau}, {"value", r.value}, {"error", r.error}});
      if (const auto& fit = one.found->plateau)
        entry["plateau"] = {{"value", fit->mass},
                            {"error", fit->error},
                            {"statistical", fit->statistical},
                            {"systematic", fit->systematic},
                            {"bins", fit->bins},
                            {"shrinkage", fit->shrinkage}};
    }
    list.push_back(std::move(entry));
  }
  return list;
}

nlohmann::ordered_json sums_json(const MatrixElements& elements) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& sum : elements.sums) {
    auto entry = current_json(sum.what);
    entry["fixed_sinks"] = sum.fixed_sinks;
    if (const auto& found = sum.found) {
      entry["slope"] = found->slope;
      entry["slope_error"] = found->error;
      entry["constant"] = found->constant;
      entry["constant_error"] = found->constant_error;
      entry["chi2"] = found->chi2;
      entry["degrees"] = found->degrees;
      entry["probability"] = found->probability;
    } else {
      entry["problem"] = sum.problem;
    }
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace

std::string analysis_text(const EnsembleAnalysis& a, bool compare) {
  std::string text = a.ensemble.title + "\n";
  for (const auto& chain : a.ensemble.chains) text += chain_line(chain);
  const auto table = quantity_table(a, compare);
  std::size_t width = 28;  // of names
  for (const auto& row : table.rows) width = std::max(width, row[0].size());
  const auto add = [&](const std::vector<std::string>& r) {
    if (r.size() == 2)
      text += fmt::format("  {:<{}} {}\n", r[0], width, r[1]);
    else
      text += fmt::format("  {:<{}} {:<22} {:<14} {:>7} {:>7} {:>7}{}\n", r[0], width, r[1], r[2], r[3], r[4], r[5],
                          r[6].empty() ? "" : "  " + r[6]);
  };
  add(table.heading);
  for (const auto& row : table.rows) add(row);
  text += table_text(mass_table(a)) + table_text(matrix_element_table(a)) + table_text(potential_table(a)) +
          table_text(potential_fit_table(a));
  for (const auto& line : scale_lines(a)) text += fmt::format("  {}\n", line);
  return text;
}

nlohmann::ordered_json analysis_json(const EnsembleAnalysis& a, bool compare) {
  nlohmann::ordered_json out{
      {"ensemble", a.ensemble.title}, {"counted_in", a.counted_in()}, {"chains", nlohmann::ordered_json::array()}};
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
    if (mass.flavours.empty() && !mass.sink.empty()) {
      if (mass.quarks.empty())
        entry["kappa"] = mass.kappa;
      else
        entry["quarks"] = mass.quarks;
      entry["sink"] = mass.sink;
    } else if (!mass.flavours.empty()) {
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
  if (!a.matrix_elements.ratios.empty()) out["matrix_elements"] = ratios_json(a.matrix_elements);
  if (!a.matrix_elements.sums.empty()) out["summed_ratios"] = sums_json(a.matrix_elements);
  if (a.potential) out["static_potential"] = potential_json(*a.potential);
  if (const auto spacing = a.lattice_spacing())
    out["lattice_spacing_fm"] = {
        {"value", spacing->value}, {"error", spacing->error}, {"from", spacing->from}, {"source", a.scale.source}};
  return out;
}

std::string autocorrelation_plot(const EnsembleAnalysis& a) {
  std::vector<plot::Panel> panels;
  for (const auto& q : a.quantities)
    if (q.estimate.error > 0 && !q.function) panels.push_back(autocorrelation_panel(a, q));
  return plot::svg_plot("Autocorrelation: " + a.ensemble.title, panels);
}

std::string reweighted_text(const ReweightedFamily& family) {
  std::vector<std::string> betas;
  for (const double beta : family.betas) betas.push_back(fmt::format("{}", beta));
  auto text = fmt::format("{}, reweighted from beta = {}\n", family.title, joined(betas, ", "));
  if (!family.problem.empty()) return text + "  " + family.problem + "\n";
  if (family.betas.size() > 1) text += fmt::format("  overlap of neighbours: at least {:.2f}\n", family.overlap);
  for (const auto& q : family.quantities) {
    text += fmt::format("  {} ({} bins)\n    {:<12} {:<22} {:>8}\n", q.name, q.bins, "beta", "mean", "N_eff");
    for (const auto& p : q.points)
      text += fmt::format("    {:<12.7g} {:<22} {:>8.0f}{}\n", p.beta, with_error(p.value, p.error), p.effective_count,
                          p.effective_count < 20 ? "  few" : "");
    if (q.peak)
      text += fmt::format("    maximum {} at beta = {}\n", with_error(q.peak->value, q.peak->value_error),
                          with_error(q.peak->beta, q.peak->beta_error));
  }
  for (const auto& name : family.too_few)
    text += fmt::format("  {}: too few measurements, all of them in one bin\n", name);
  return text;
}

nlohmann::ordered_json reweighted_json(const ReweightedFamily& family) {
  nlohmann::ordered_json out{{"reweighted", family.title}, {"betas", family.betas}};
  if (!family.problem.empty()) {
    out["problem"] = family.problem;
    return out;
  }
  out["overlap"] = family.overlap;
  auto& quantities = out["quantities"] = nlohmann::ordered_json::array();
  for (const auto& q : family.quantities) {
    nlohmann::ordered_json entry{{"name", q.name}, {"bins", q.bins}, {"points", nlohmann::ordered_json::array()}};
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
  if (!family.too_few.empty()) out["too_few"] = family.too_few;
  return out;
}

std::string reweighted_plot(const ReweightedFamily& family) {
  std::vector<plot::Panel> panels;
  for (const auto& q : family.quantities) {
    plot::Series mean{.label = "mean with its error", .mark = plot::Mark::dot, .colour = 0};
    for (const auto& p : q.points) {
      mean.x.push_back(p.beta);
      mean.y.push_back(p.value);
      mean.y_error.push_back(p.error);
    }
    panels.push_back(
        {.title = q.name, .x_label = "beta", .series = {std::move(mean)}, .shaded_until = q.points.front().beta - 1});
  }
  return plot::svg_plot("Reweighted: " + family.title, panels);
}

}  // namespace trellis::app
