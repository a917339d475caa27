// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/measure/staggered_eigenvalues.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/links_by_epsilon.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/solver/eigenvalues/lowest_eigenvalues.hpp"

namespace trellis::measure {

namespace {

// The Lanczos estimate is a little below the largest eigenvalue; filters must not enhance what lies between. On 2^4
// sites free periodic quarks have D = 0. Links in SU(3) have a bound, which fat links, divided by powers of a tadpole
// factor, may exceed by any amount.
template <int W>
double upper_bound(const dirac::StaggeredOperator<double, W>& d, bool in_su3, const ColourVectorField<double, W>& like,
                   const RandomStream& stream) {
  const auto top = solver::largest_eigenvalue(d, like, stream, {60, 1e-2});
  const double estimate = std::max(1.05 * (top.value + top.error), 1e-3);
  return in_su3 ? std::min(estimate, 16.001) : estimate;
}

// 0 on time slices without quarks.
template <int W>
void clear_other_slices(const dirac::QuarkSlices& slices, const ColourVectorField<double, W>& v) {
  using S = lanes_t<double, W>;
  const Lattice& lattice = v.lattice();
  if (slices.count(lattice.size()) == lattice.size(3)) return;
  const gauge::TimeSlice with_quarks(lattice, slices.first, slices.last);
  const auto access = v.access();
  const int origin = v.first_tile();
  for_each_vector(
      {"vectors on slices with quarks", 2 * bytes_of(v)}, lattice, v.count(), TRELLIS_KERNEL(int tile, int n) {
        const mask_t<S> here = with_quarks.template lanes_of<S>(origin + tile);
        ColourVector<S> x = access.vector(tile, n);
        for (auto& e : x.e) e = select(here, e, complex<S>{S(0.0), S(0.0)});
        access.set_vector(tile, n, x);
      });
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
    const Coordinate& size = u.lattice().size();
    const auto slices = dirac::staggered_slices(flavour.phases.boundary, size);
    const auto dimension = 3 * (u.lattice().volume() / size[3] / 2) * slices.count(size);
    try {
      const auto found = solver::lowest_eigenvalues(
          d, like, stream,
          {.count = selection.count,
           .tolerance = selection.tolerance,
           .upper = upper_bound(d, links.kind() == dirac::LinkKind::su3, like, stream),
           .max_applications = selection.max_applications},
          dimension, [&](const ColourVectorField<double, W>& block) { clear_other_slices(slices, block); });
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
