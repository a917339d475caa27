// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_eigenvalues.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/solver/eigenvalues/lowest_eigenvalues.hpp"

namespace trellis::measure {

namespace {

// The Lanczos estimate is a little below the largest eigenvalue; filters must not enhance what lies between. On 2^4
// sites free periodic quarks have D = 0.
template <int W>
double upper_bound(const dirac::StaggeredOperator<double, W>& d, const ColourVectorField<double, W>& like,
                   const RandomStream& stream) {
  const auto top = solver::largest_eigenvalue(d, like, stream, {60, 1e-2});
  return std::clamp(1.05 * (top.value + top.error), 1e-3, 16.001);
}

}  // namespace

int EigenvalueSelection::vectors_together(const Coordinate& size) const {
  const std::int64_t sites = std::int64_t(size[0]) * size[1] * size[2] * size[3];
  return solver::eigenvalues_detail::block_size({.count = count, .tolerance = tolerance, .upper = 1}, 3 * sites / 2);
}

template <int W>
std::vector<FlavourEigenvalues> measure_eigenvalues(const EigenvalueSelection& selection,
                                                    const std::vector<QuarkFlavour>& flavours,
                                                    const gauge::SmearingParameters& smearing,
                                                    const GaugeField<double, W>& u) {
  // The operator rebuilds a row of each link and of its adjoint: it is Hermitian only as far as links are in SU(3),
  // which those of a file in single precision are to 1e-7.
  const auto links = [&] {
    const auto exact = u.clone();
    gauge::reunitarise(exact);
    return dirac::packed_links<W>(smearing, exact, selection.settings, naik_epsilons(flavours));
  }();
  const ColourVectorField<double, W> like(u.lattice(), 0);
  const RandomStream stream{0, 0, solver::spectrum_purpose};
  std::vector<FlavourEigenvalues> all;
  for (const auto& flavour : flavours) {
    const dirac::StaggeredOperator<double, W> d(links.of(flavour.naik_epsilon), flavour.phases, 0);
    try {
      const auto found = solver::lowest_eigenvalues(d, like, stream,
                                                    {.count = selection.count,
                                                     .tolerance = selection.tolerance,
                                                     .upper = upper_bound(d, like, stream),
                                                     .max_applications = selection.max_applications});
      all.push_back({flavour.name, found.values, found.residuals, found.applications});
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      fail("{}: {}", flavour.name, error.what());
    }
  }
  return all;
}

#define TRELLIS_INSTANTIATE(W)                                                                        \
  template std::vector<FlavourEigenvalues> measure_eigenvalues(                                       \
      const EigenvalueSelection&, const std::vector<QuarkFlavour>&, const gauge::SmearingParameters&, \
      const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::measure
