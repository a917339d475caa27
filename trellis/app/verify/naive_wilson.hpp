// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Wilson quarks from the formulas of docs/design.md, for comparison in `trellis verify`: the matrix with dense gamma
// matrices, Gaussian smearing, and contractions of propagators over every index.

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "trellis/app/verify/naive_links.hpp"
#include "trellis/dirac/wilson/wilson_operator.hpp"
#include "trellis/measure/gaussian_smearing.hpp"
#include "trellis/measure/time_slices.hpp"

namespace trellis::app {

using NaiveSpin = std::array<std::array<std::complex<double>, 4>, 4>;
using NaiveSpinor = std::array<std::complex<double>, 12>;  // 3 spin + colour
// [site][row][column]
using NaivePropagator = std::vector<std::array<std::array<std::complex<double>, 12>, 12>>;

// gamma_x .. gamma_t in the basis of DeGrand and Rossi.
NaiveSpin naive_gamma(int mu);

class NaiveWilson {
 public:
  // u: the links that quarks see.
  NaiveWilson(const NaiveLinks& u, const dirac::WilsonParameters& quark);

  // M psi
  std::vector<NaiveSpinor> operator()(const std::vector<NaiveSpinor>& psi) const;

 private:
  NaiveLinks links_;
  dirac::WilsonParameters quark_;
  std::array<NaiveSpin, 4> forward_, backward_;                               // s_mu (1 -+ gamma_mu)
  std::vector<std::array<std::array<std::complex<double>, 12>, 12>> clover_;  // A, by site; empty if it is 1
};

// measure/gaussian_smearing.hpp; links: the configuration's links as they are smeared for it.
std::vector<NaiveSpinor> naive_gaussian(const NaiveLinks& links, const measure::GaussianParameters& parameters,
                                        const std::array<double, 4>& boundary_angle_over_pi,
                                        std::vector<NaiveSpinor> psi);

// The correlator of a channel of measure::hadron_names(), by time from the source (measure/hadron_correlators.hpp).
// `scale`: the sum over each time slice of |S|^2, or of |S|^3 for the proton, in whose units rounding is a few hundred
// operations.
struct NaiveCorrelator {
  std::vector<std::complex<double>> value;
  std::vector<double> scale;
};
NaiveCorrelator naive_hadron(const Coordinate& size, const NaivePropagator& s, const std::string& channel,
                             const Coordinate& source, const measure::Momentum& momentum,
                             const std::array<double, 4>& boundary_angle_over_pi);
// The same of a meson whose antiquark has another propagator; `scale` is that of s.
NaiveCorrelator naive_meson(const Coordinate& size, const NaivePropagator& s, const NaivePropagator& antiquark,
                            const std::string& channel, const Coordinate& source, const measure::Momentum& momentum,
                            const std::array<double, 4>& boundary_angle_over_pi);

}  // namespace trellis::app
