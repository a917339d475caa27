// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Gaussian smearing of quark fields within their time slice (S. Guesken, Nucl. Phys. B Proc. Suppl. 17 (1990) 361, as
// Wuppertal smearing; C. Alexandrou et al., Nucl. Phys. B 414 (1994) 815 for this form):
//   psi <- [(1 + alpha H) / (1 + 6 alpha)]^steps psi,
//   H psi(x) = sum_{i = x,y,z} U_i(x) psi(x + i) + U_i(x - i)^dagger psi(x - i),
// with spatial links that have their own smearing in their time slice: stout (gauge/smearing/spatial_stout.hpp), or APE
// or HYP (gauge/smearing/projected.hpp). On unit links a point becomes a Gaussian with <r^2> = 6 alpha steps / (1 + 6
// alpha). Or, as other programs have it,
//   psi <- [1 + width^2 (H - 6) / (4 steps)]^steps psi,
// which is the same with width^2 = 4 steps alpha / (1 + 6 alpha), and <r^2> = 3/2 width^2. If width^2 / (4 steps)
// exceeds 1/6, the highest Fourier modes grow with each step. A spatial twist of the boundary enters H as in the Dirac
// operator. Cost per site, column and step: 1776 flops.

#include <array>
#include <optional>

#include "trellis/core/base/named.hpp"
#include "trellis/measure/full_fields.hpp"

namespace trellis::measure {

enum class SourceLinks { stout, ape, hyp };

inline constexpr std::array<NamedValue<SourceLinks>, 3> source_links{{
    {"stout", SourceLinks::stout},
    {"ape", SourceLinks::ape},
    {"hyp", SourceLinks::hyp},
}};

struct GaussianParameters {
  double alpha = 4;
  int steps = 40;
  double rho = 0.1;  // stout smearing of the links
  int levels = 10;
  std::optional<double> width = std::nullopt;  // instead of alpha
  // How the links are smeared, `levels` times: with rho, or the alpha of APE (the first) or HYP in space (both).
  SourceLinks links = SourceLinks::stout;
  std::array<double, 2> links_alpha = {0.6, 0.3};

  // A step is psi <- scale (own psi + hop H psi).
  struct Weights {
    double scale, own, hop;
  };
  Weights weights() const;
  bool modes_grow() const;
};

// u smeared as the parameters say; for 0 levels u itself, shared. InputError as in the smearings.
template <int W>
GaugeField<double, W> smeared_links(const GaussianParameters& parameters, const GaugeField<double, W>& u);

template <int W>
class GaussianSmearing {
 public:
  // InputError for alpha or width outside [0, 1000], fewer than 0 steps, and as in smeared_links(). Angles are those of
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
