// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gaussian smearing of quark fields within their time slice (S. Guesken, Nucl. Phys. B Proc. Suppl. 17 (1990) 361, as
// Wuppertal smearing; C. Alexandrou et al., Nucl. Phys. B 414 (1994) 815 for this form):
//   psi <- [(1 + alpha H) / (1 + 6 alpha)]^steps psi,
//   H psi(x) = sum_{i = x,y,z} U_i(x) psi(x + i) + U_i(x - i)^dagger psi(x - i),
// with spatial links that have their own smearing (gauge/smearing/spatial_stout.hpp). On unit links a point becomes a
// Gaussian with <r^2> = 6 alpha steps / (1 + 6 alpha). Or, as other programs have it,
//   psi <- [1 + width^2 (H - 6) / (4 steps)]^steps psi,
// which is the same with width^2 = 4 steps alpha / (1 + 6 alpha), and <r^2> = 3/2 width^2. If width^2 / (4 steps)
// exceeds 1/6, the highest Fourier modes grow with each step. A spatial twist of the boundary enters H as in the Dirac
// operator. Cost per site, column and step: 1776 flops.

#include <optional>

#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

struct GaussianParameters {
  double alpha = 4;
  int steps = 40;
  double rho = 0.1;  // stout smearing of the links
  int levels = 10;
  std::optional<double> width = std::nullopt;  // instead of alpha

  // A step is psi <- scale (own psi + hop H psi).
  struct Weights {
    double scale, own, hop;
  };
  Weights weights() const;
  bool modes_grow() const;
};

template <int W>
class GaussianSmearing {
 public:
  // InputError for alpha or width outside [0, 1000], fewer than 0 steps, and as in spatial_stout. Angles are those of
  // the Wilson operator: a field picks up exp(i pi angle) on its way around the lattice.
  GaussianSmearing(const GaussianParameters& parameters, const std::array<double, 4>& boundary_angle_over_pi,
                   const GaugeField<double, W>& u);

  // psi <- smeared psi, each column independently.
  void operator()(const FullSpinors<double, W>& psi) const;

 private:
  GaussianParameters parameters_;
  GaugeField<double, W> links_;
};

}  // namespace trellis::measure
