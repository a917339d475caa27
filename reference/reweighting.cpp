// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/reweighting.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "reference/hisq.hpp"
#include "reference/staggered_observables.hpp"
#include "reference/stout.hpp"
#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

std::vector<double> weights(const std::vector<double>& logarithms) {
  if (logarithms.empty()) fail("an average over no configurations");
  const double largest = *std::max_element(logarithms.begin(), logarithms.end());
  std::vector<double> w;
  for (const double value : logarithms) w.push_back(std::exp(value - largest));
  return w;
}

QuarkWeight weight_of(const Site& size, const std::vector<Flavour>& flavours,
                      const std::function<DenseMatrix(const Flavour&)>& even_matrix) {
  QuarkWeight result{0.0, {}};
  for (const Flavour& f : flavours) {
    const DenseMatrix l = cholesky(even_matrix(f));
    result.log_weight += f.tastes / 4.0 * log_determinant_from_cholesky(l);
    const double trace = 2.0 * f.mass * trace_of_inverse_from_cholesky(l);
    result.condensates.push_back(per_flavour(trace, f.tastes, size).real());
  }
  return result;
}

}  // namespace

QuarkWeight quark_weight(const GaugeConfiguration& u, const std::vector<Flavour>& flavours, const Smearing& smearing) {
  const GaugeConfiguration smeared = stout(u, smearing.rho, smearing.levels);
  return weight_of(u.size, flavours, [&](const Flavour& f) {
    return staggered_even_matrix(smeared, link_phases(u.size, f.phases), f.mass);
  });
}

QuarkWeight hisq_weight(const GaugeConfiguration& u, const std::vector<Flavour>& flavours) {
  const ImprovedLinks links = hisq_links(u);
  return weight_of(u.size, flavours, [&](const Flavour& f) {
    const ImprovedLinks corrected = with_naik_epsilon(links, f.naik_epsilon);
    const LinkPhases theta = link_phases(u.size, f.phases);
    return even_matrix_of(u.size, [&](const ColourField& psi) { return apply_d(corrected, theta, psi); }, f.mass);
  });
}

double reweighted_average(const std::vector<double>& values, const std::vector<double>& log_weights) {
  if (values.size() != log_weights.size()) fail("{} values and {} weights", values.size(), log_weights.size());
  const std::vector<double> w = weights(log_weights);
  double sum = 0.0, norm = 0.0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    sum += w[i] * values[i];
    norm += w[i];
  }
  return sum / norm;
}

double effective_number(const std::vector<double>& log_weights) {
  double sum = 0.0, squares = 0.0;
  for (const double w : weights(log_weights)) {
    sum += w;
    squares += w * w;
  }
  return sum * sum / squares;
}

}  // namespace trellis::reference
