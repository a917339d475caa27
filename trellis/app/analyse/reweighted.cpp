// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/analyse/reweighted.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <map>
#include <set>

#include "trellis/analysis/reweighting.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using analysis::Series;

constexpr std::int64_t most_bins = 40;

// s = S / beta of every kept trajectory of a chain, and the jackknife bin that it belongs to.
struct Actions {
  double beta = 0;
  std::map<double, double> of_trajectory;
  double tau_int = 0.5;

  std::map<double, int> bins(int count) const {
    std::map<double, int> all;
    std::int64_t n = 0;
    for (const auto& [trajectory, s] : of_trajectory)
      all[trajectory] = int(n++ * count / std::int64_t(of_trajectory.size()));
    return all;
  }
};

Actions actions_of(const ChainResults& chain) {
  if (!chain.boundary.is_periodic())
    fail("{}: the action is not known from the averages of loops, whose weights differ at the boundaries in t",
         chain.folder.table().string());
  const auto plaquette = chain.column("plaquette"), rectangle = chain.column("rectangle"),
             parallelogram = chain.column("parallelogram");
  const auto& action = *chain.action;
  // Weights of S / beta: all weights are proportional to beta.
  auto unit = action;
  unit.beta = 1;
  const gauge::LoopWeights weights = unit.weights();
  const auto require_each = [&](double weight, const auto& loops, const char* name) {
    if (weight != 0 && loops.values.size() != plaquette.values.size())
      fail("{}: there is no {} for each plaquette, so the action is not known", chain.folder.table().string(), name);
  };
  require_each(weights.rectangle, rectangle, "rectangle");
  require_each(weights.parallelogram, parallelogram, "parallelogram");
  const auto& size = *chain.size;
  const double volume = double(size[0]) * size[1] * size[2] * size[3];
  Actions out;
  out.beta = action.beta;
  for (std::size_t i = 0; i < plaquette.values.size(); ++i) {
    double s = 6 * volume * weights.plaquette * (1 - plaquette.values[i]);
    if (weights.rectangle != 0) s += 12 * volume * weights.rectangle * (1 - rectangle.values[i]);
    if (weights.parallelogram != 0) s += 16 * volume * weights.parallelogram * (1 - parallelogram.values[i]);
    out.of_trajectory[plaquette.numbers[i]] = s;
  }
  return out;
}

Series values_of(const std::map<double, double>& map) {
  Series values;
  for (const auto& [key, value] : map) values.push_back(value);
  return values;
}

// One chain's measurements of one quantity, as far as their action is known.
struct Measurements {
  Series action;
  std::vector<Series> observables;
  std::vector<int> bins;
  double spacing = 1;
};

Measurements measurements_of(const Actions& actions, const std::map<double, int>& bins, const Quantity& quantity,
                             std::size_t chain) {
  Measurements out;
  out.observables.resize(quantity.series.size());
  out.spacing = quantity.spacing.typical;
  const auto& numbers = quantity.numbers[chain];
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto found = actions.of_trajectory.find(numbers[i]);
    if (found == actions.of_trajectory.end()) continue;
    out.action.push_back(found->second);
    out.bins.push_back(bins.at(numbers[i]));
    for (std::size_t a = 0; a < out.observables.size(); ++a) out.observables[a].push_back(quantity.series[a][chain][i]);
  }
  return out;
}

Series without(const Series& all, const std::vector<int>& bins, int bin) {
  Series kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (bins[i] != bin) kept.push_back(all[i]);
  return kept;
}

// The same with as many measurements as one of the chains has on average: each is cut into bins by itself. If there are
// enough for an error in all chains together, there is one.
analysis::MeanEstimate of_one_chain(analysis::MeanEstimate of, std::size_t chains) {
  of.count = std::max(of.count / std::int64_t(chains), std::min(of.count, analysis::fewest_for_error));
  return of;
}

// s of all runs of a family, chain by chain.
struct FamilyActions {
  std::vector<Actions> chains;
  std::vector<analysis::MeanEstimate> estimates;  // of each ensemble
  std::int64_t shortest = most_bins;              // chain, if that has fewer than most_bins

  explicit FamilyActions(const std::vector<MeasuredEnsemble>& members) {
    for (const auto& [ensemble, quantities] : members) {
      analysis::Chains series;
      for (const auto& chain : ensemble.chains) {
        chains.push_back(actions_of(chain));
        series.push_back(values_of(chains.back().of_trajectory));
        shortest = std::min(shortest, std::int64_t(series.back().size()));
      }
      const auto estimate = analysis::gamma_method(series);
      if (!(estimate.count >= 2)) fail("too few trajectories at beta = {}", chains.back().beta);
      for (std::size_t r = 0; r < series.size(); ++r) chains[chains.size() - 1 - r].tau_int = estimate.tau_int;
      estimates.push_back(of_one_chain(estimate, series.size()));
    }
    if (shortest < 2) fail("a chain has fewer than two trajectories");
  }
  // For s and what is measured with it.
  analysis::Bins bins(const std::vector<analysis::MeanEstimate>& of_quantity) const {
    auto all = estimates;
    all.insert(all.end(), of_quantity.begin(), of_quantity.end());
    return analysis::jackknife_bins(all, 0, shortest);
  }
};

// The runs of a family, and the free energies for all measurements (sample 0) and with bin b left out (sample b + 1).
class Family {
 public:
  Family(const std::vector<Actions>& chains, std::int64_t bins) : chains_(chains), bins_(int(bins)) {
    for (const auto& chain : chains_) bin_of_.push_back(chain.bins(bins_));
    for (int bin = -1; bin < bins_; ++bin) {
      std::vector<analysis::ReweightingRun> runs;
      for (std::size_t r = 0; r < chains_.size(); ++r)
        runs.push_back({chains_[r].beta, kept_actions(r, bin), chains_[r].tau_int});
      samples_.emplace_back(runs);
    }
  }

  const analysis::Reweighting& all() const { return samples_.front(); }

  // The averages of a quantity's series, for each sample. Empty if nothing would remain without some bin.
  std::vector<analysis::ReweightedAverages> averages(const std::vector<const Quantity*>& of_ensembles,
                                                     const std::vector<std::size_t>& chains_of_ensembles) const {
    std::vector<Measurements> measured;
    std::size_t r = 0;
    for (std::size_t e = 0; e < of_ensembles.size(); ++e)
      for (std::size_t c = 0; c < chains_of_ensembles[e]; ++c, ++r)
        measured.push_back(measurements_of(chains_[r], bin_of_[r], *of_ensembles[e], c));
    std::set<int> bins_with_some;
    for (const auto& m : measured) bins_with_some.insert(m.bins.begin(), m.bins.end());
    std::vector<analysis::ReweightedAverages> out;
    if (bins_with_some.size() < 2) return out;
    for (int bin = -1; bin < bins_; ++bin) {
      std::vector<analysis::ReweightedSeries> runs;
      for (std::size_t i = 0; i < measured.size(); ++i) {
        const auto& m = measured[i];
        analysis::ReweightedSeries run{.action = without(m.action, m.bins, bin), .observables = {}};
        for (const Series& one : m.observables) run.observables.push_back(without(one, m.bins, bin));
        const double g = std::max(2 * chains_[i].tau_int, 1.0);
        run.tau_int = std::max(0.5, chains_[i].tau_int / m.spacing);
        if (!run.action.empty()) run.weight = double(kept_actions(i, bin).size()) / (g * double(run.action.size()));
        runs.push_back(std::move(run));
      }
      out.emplace_back(samples_[std::size_t(bin + 1)], std::move(runs));
    }
    return out;
  }

 private:
  Series kept_actions(std::size_t chain, int bin) const {
    std::vector<int> bins;
    for (const auto& [trajectory, number] : bin_of_[chain]) bins.push_back(number);
    return without(values_of(chains_[chain].of_trajectory), bins, bin);
  }

  std::vector<Actions> chains_;
  int bins_;
  std::vector<std::map<double, int>> bin_of_;
  std::vector<analysis::Reweighting> samples_;
};

using Curve = std::function<double(double beta)>;

// The maximum near the largest of the points; nothing if that is at an end.
std::optional<std::pair<double, double>> maximum(const Curve& curve, const Series& betas, std::size_t largest) {
  if (largest == 0 || largest + 1 == betas.size()) return std::nullopt;
  const auto found = boost::math::tools::brent_find_minima([&](double beta) { return -curve(beta); },
                                                           betas[largest - 1], betas[largest + 1], 20);
  return std::pair{found.first, -found.second};
}

ReweightedQuantity reweighted_quantity(const Quantity& like, const std::vector<analysis::ReweightedAverages>& samples,
                                       const analysis::Bins& bins, const ReweightRange& range) {
  ReweightedQuantity out{.name = like.name, .bins = int(bins.count), .points = {}, .peak = {}};
  const double factor = std::sqrt(bins.variance_factor);
  const auto value_of = [&](const Series& means) { return like.function ? like.function(means) : means[0]; };
  Series betas;
  std::vector<Series> values(samples.size());  // [sample][point]
  for (int i = 0; i < range.points; ++i) {
    betas.push_back(range.first + (range.last - range.first) * i / (range.points - 1));
    ReweightedQuantity::Point point;
    point.beta = betas.back();
    for (std::size_t s = 0; s < samples.size(); ++s) {
      const auto at = samples[s](betas.back());
      values[s].push_back(value_of(at.means));
      if (s == 0) point.effective_count = at.effective_count;
    }
    point.value = values[0].back();
    Series left_out;
    for (std::size_t s = 1; s < samples.size(); ++s) left_out.push_back(values[s].back());
    point.error = factor * analysis::jackknife_error(left_out);
    out.points.push_back(point);
  }
  if (!like.peaks) return out;
  Series places, heights;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    const auto largest = std::size_t(std::max_element(values[s].begin(), values[s].end()) - values[s].begin());
    const auto found = maximum([&](double beta) { return value_of(samples[s](beta).means); }, betas, largest);
    if (!found) {  // without it in every sample there is no error
      out.peak.reset();
      return out;
    }
    if (s == 0) {
      out.peak = {.beta = found->first, .value = found->second};
    } else {
      places.push_back(found->first);
      heights.push_back(found->second);
    }
  }
  out.peak->beta_error = factor * analysis::jackknife_error(places);
  out.peak->value_error = factor * analysis::jackknife_error(heights);
  return out;
}

ReweightedFamily reweighted_family(const std::vector<MeasuredEnsemble>& members, const ReweightRange& range) {
  ReweightedFamily out;
  out.title = members.front().ensemble.family_title;
  std::vector<std::size_t> chains;
  for (const auto& [ensemble, quantities] : members) {
    out.betas.push_back(ensemble.chains.front().action->beta);
    chains.push_back(ensemble.chains.size());
  }
  try {
    // Quantities with longer autocorrelation times need longer bins.
    const FamilyActions actions(members);
    std::map<std::int64_t, Family> by_bins;
    const auto with_bins = [&](const analysis::Bins& bins) -> const Family& {
      return by_bins.try_emplace(bins.count, actions.chains, bins.count).first->second;
    };
    out.overlap = with_bins(actions.bins({})).all().overlap();
    for (const auto& like : members.front().quantities) {
      if (tells_of_the_chain(like.name)) continue;
      std::vector<const Quantity*> same;
      for (const auto& [ensemble, quantities] : members)
        for (const auto& q : quantities)
          if (q.name == like.name && q.series.size() == like.series.size()) same.push_back(&q);
      if (same.size() != members.size()) continue;
      std::vector<analysis::MeanEstimate> estimates;
      for (std::size_t e = 0; e < same.size(); ++e)
        if (same[e]->estimate.error > 0) estimates.push_back(of_one_chain(same[e]->estimate, chains[e]));
      const auto bins = actions.bins(estimates);
      const auto averages = with_bins(bins).averages(same, chains);
      if (averages.empty())
        out.too_few.push_back(like.name);
      else
        out.quantities.push_back(reweighted_quantity(like, averages, bins, range));
    }
  } catch (const Error& error) {
    out.problem = error.what();
  }
  std::sort(out.betas.begin(), out.betas.end());
  return out;
}

}  // namespace

ReweightRange parse_reweight_range(const std::string& text) {
  ReweightRange range;
  int two = 0, three = 0;  // characters up to the second and third number
  const int found =
      std::sscanf(text.c_str(), "%lf,%lf%n,%4d%n", &range.first, &range.last, &two, &range.points, &three);
  const bool is_whole = found >= 2 && std::size_t(found == 2 ? two : three) == text.size();
  const bool is_finite = std::isfinite(range.first) && std::isfinite(range.last);
  if (!is_whole || !is_finite || !(range.first < range.last) || range.points < 2 || range.points > 1000)
    fail_input("--reweight is '{}'; expected FIRST,LAST or FIRST,LAST,POINTS, such as 5.68,5.70,41", text);
  return range;
}

std::vector<ReweightedFamily> reweighted_families(const std::vector<MeasuredEnsemble>& all,
                                                  const ReweightRange& range) {
  std::vector<std::vector<MeasuredEnsemble>> families;
  for (const auto& one : all) {
    if (one.ensemble.family.empty()) continue;
    const auto found = std::find_if(families.begin(), families.end(), [&](const auto& family) {
      return family.front().ensemble.family == one.ensemble.family;
    });
    if (found == families.end())
      families.push_back({one});
    else
      found->push_back(one);
  }
  std::vector<ReweightedFamily> out;
  for (const auto& family : families) out.push_back(reweighted_family(family, range));
  return out;
}

}  // namespace trellis::app
