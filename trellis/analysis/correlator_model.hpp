// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Models of correlators C(t) on a lattice of extent L in time:
//   exponential        A exp(-m t)
//   cosh               A (exp(-m t) + exp(-m (L - t)))
//   two_states         A (exp(-m t) + exp(-m (L - t))) + B (the same with m + d), d > 0
//   constant           A
//   staggered_meson    A (exp(-m t) + exp(-m (L - t))) + (-1)^t B (the same with m')
//   staggered_baryon   A (exp(-m t) -+ (-1)^t exp(-m (L - t))) + (-1)^t B (the same with m'), minus if antiperiodic
//   staggered_exponential   A exp(-m t) + (-1)^t B exp(-m' t)
// In the last three, m' is the mass of a partner of the other parity (measure/staggered_hadrons.hpp); amplitudes may
// have either sign. Exponentials are what is left where nothing goes around the lattice.

#include <vector>

#include "trellis/analysis/fit.hpp"
#include "trellis/core/base/named.hpp"

namespace trellis::analysis {

enum class CorrelatorModel {
  exponential,
  cosh,
  two_states,
  constant,
  staggered_meson,
  staggered_baryon,
  staggered_exponential
};

inline constexpr NamedValue<CorrelatorModel> correlator_models[] = {
    {"exponential", CorrelatorModel::exponential},
    {"cosh", CorrelatorModel::cosh},
    {"two_states", CorrelatorModel::two_states},
    {"constant", CorrelatorModel::constant},
    {"staggered_meson", CorrelatorModel::staggered_meson},
    {"staggered_baryon", CorrelatorModel::staggered_baryon},
    {"staggered_exponential", CorrelatorModel::staggered_exponential}};

constexpr bool has_partner(CorrelatorModel model) {
  return model == CorrelatorModel::staggered_meson || model == CorrelatorModel::staggered_baryon ||
         model == CorrelatorModel::staggered_exponential;
}

// Whether states go around the lattice, so that correlators are to be folded.
constexpr bool goes_around(CorrelatorModel model) {
  return model != CorrelatorModel::exponential && model != CorrelatorModel::staggered_exponential;
}

struct CorrelatorShape {
  CorrelatorModel model = CorrelatorModel::cosh;
  int extent = 0;            // L
  bool antiperiodic = true;  // for baryons

  // Parameters: A, log m, B, log d or log m'; a constant has only A.
  int parameters() const;
  // The places of A and B, in which the model is linear.
  std::vector<std::size_t> amplitudes() const;
  Model function() const;
  double mass(const Series& parameters) const;     // for a constant: its value
  double partner(const Series& parameters) const;  // m'; NaN if the model has none

  // Where fits of y to the times first to last may begin, from a few times of the range; take the best of the fits, for
  // chi^2 may have several minima. Throws if no masses can be read off.
  std::vector<Series> first_guesses(const Series& y, int first, int last) const;

 private:
  double state(double mass, double t) const;
  double mass_between(double here, double next, int t) const;
  std::vector<Series> partner_guesses(const Series& y, int first, int last) const;
};

}  // namespace trellis::analysis
