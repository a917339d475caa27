// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// The solvers of wilson_inverse.hpp, for iterations in one precision each, which are compiled separately.

#include "trellis/lattice/single_lanes.hpp"
#include "trellis/measure/wilson_inverse.hpp"
#include "trellis/solver/bicgstab.hpp"
#include "trellis/solver/gcr.hpp"
#include "trellis/solver/normal_equations.hpp"

namespace trellis::measure {

template <int W>
EvenSolver<W> double_solver(const dirac::WilsonOperator<double, W>& m, const WilsonInverseParameters& parameters);
// On the links u of m.
template <int W>
EvenSolver<W> mixed_solver(const dirac::WilsonOperator<double, W>& m, const GaugeField<double, W>& u,
                           const WilsonInverseParameters& parameters);
template <int W>
EvenSolver<W> fixed16_solver(const dirac::WilsonOperator<double, W>& m, const GaugeField<double, W>& u,
                             const WilsonInverseParameters& parameters);

namespace wilson_inverse_detail {

// Solves Mhat x = b with iterations in double precision.
template <class Operator, class Field>
solver::SolverReport solve(const Operator& m, const Field& b, const Field& x, const solver::Tolerance& tolerance,
                           const WilsonInverseParameters& p) {
  switch (p.solver) {
    case WilsonSolver::cg:
      return solver::normal_equations_cg(m, b, x, {.tolerance = tolerance, .max_iterations = p.max_iterations});
    case WilsonSolver::bicgstab:
      return solver::bicgstab(m, b, x, {.tolerance = tolerance, .max_iterations = p.max_iterations});
    case WilsonSolver::gcr:
      return solver::gcr(m, b, x, {.tolerance = tolerance, .max_iterations = p.max_iterations});
  }
  fail("a Wilson solver without a name");  // unreachable
}

// By how much residuals of BiCGStab fall between two updates. In single precision a factor of 1000 takes as many
// iterations as one of 10, within a few in a hundred, and right-hand sides wait for one another less often; 16 bits
// have fewer digits.
template <class Inner>
inline constexpr double fall = std::is_same_v<Inner, float> ? 1e-3 : 0.1;

// The same with iterations on `inner`, whose vectors are of type Inner.
template <class Inner, class Operator, class InnerOperator, class Maps, class Field>
solver::SolverReport solve(const Operator& m, const InnerOperator& inner, const Maps& maps, const Field& b,
                           const Field& x, const solver::Tolerance& tolerance, const WilsonInverseParameters& p) {
  switch (p.solver) {
    case WilsonSolver::cg:
      return solver::mixed_normal_equations_cg<Inner>(m, inner, maps, b, x,
                                                      {.tolerance = tolerance, .max_iterations = p.max_iterations});
    case WilsonSolver::bicgstab:
      return solver::mixed_precision_bicgstab<Inner>(
          m, inner, maps, b, x, {.tolerance = tolerance, .max_iterations = p.max_iterations, .fall = fall<Inner>});
    case WilsonSolver::gcr:
      return solver::mixed_precision_gcr<Inner>(m, inner, maps, b, x,
                                                {.tolerance = tolerance, .max_iterations = p.max_iterations});
  }
  fail("a Wilson solver without a name");  // unreachable
}

template <class Inner, int W, int WS>
EvenSolver<W> inner_solver(const dirac::WilsonOperator<double, W>& m, const GaugeField<double, W>& u,
                           const WilsonInverseParameters& p) {
  LatticeShape shape = p.inner_shape;
  shape.ghosts = u.lattice().ghost_directions();
  const Lattice lattice(u.lattice().size(), WS, SiteOrder::even_odd, shape, u.lattice().grid());
  const solver::PrecisionMaps<W, WS> maps(u.lattice(), lattice);
  const GaugeField<float, WS> links(lattice);
  convert_links(maps.to_single, u, links);
  const dirac::WilsonOperator<Inner, WS> inner(links, m.parameters(), dirac::LinkFormat::two_rows, p.inner_settings);
  return [=](const auto& b, const auto& x, const solver::Tolerance& tolerance) {
    return solve<Inner>(m, inner, maps, b, x, tolerance, p);
  };
}

template <class Inner, int W>
EvenSolver<W> inner_solver(const dirac::WilsonOperator<double, W>& m, const GaugeField<double, W>& u,
                           const WilsonInverseParameters& p) {
  return with_single_lanes<W>(u.lattice().local_size(), [&]<int WS>() { return inner_solver<Inner, W, WS>(m, u, p); });
}

}  // namespace wilson_inverse_detail
}  // namespace trellis::measure
