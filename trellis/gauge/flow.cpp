// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/flow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/loops.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/finite_links.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/exponential.hpp"

namespace trellis::gauge {

namespace {

// x <- a x + b y
template <class T, int W>
void combine(double a, const AlgebraField<T, W>& x, double b, const AlgebraField<T, W>& y) {
  using S = lanes_t<T, W>;
  const auto to = x.access(), from = y.access();
  for_each_tile(
      {"combine", bytes_of(x, x, y), 3 * bytes_of(x) / sizeof(T), is_single<T>}, x.lattice(), TRELLIS_KERNEL(int tile) {
        for (int k = 0; k < 32; ++k) to.store(tile, k, fma(S(T(b)), from.load(tile, k), S(T(a)) * to.load(tile, k)));
      });
}

template <class T, int W>
void scale(double a, const AlgebraField<T, W>& x) {
  using S = lanes_t<T, W>;
  const auto to = x.access();
  for_each_tile(
      {"scale", bytes_of(x, x), bytes_of(x) / sizeof(T), is_single<T>}, x.lattice(), TRELLIS_KERNEL(int tile) {
        for (int k = 0; k < 32; ++k) to.store(tile, k, S(T(a)) * to.load(tile, k));
      });
}

// What drives the flow.
struct FlowAction {
  double c1;
  Boundary boundary;

  // z += step Z(u)
  template <class T, int W>
  void add_force(const GaugeField<T, W>& u, double step, const AlgebraField<T, W>& z, LoopForceWork<T, W>& work) const {
    const LoopWeights weights = Action{6.0, c1};
    gauge::add_force(weights, u, step, z, work);
    if (boundary.is_periodic()) return;
    // On an open boundary half of the loops in space and all loops in time, times 2.
    if (boundary.kind == BoundaryKind::open) {
      if (weights.rectangle != 0) u.exchange(Reach::two_steps);
      const int end = boundary.last_slice(u.lattice().size());
      const BoundaryWeights more = all_alike(weights);
      gauge::add_force<T, W>(
          {{0, false, StapleSet::forward_in_time, more}, {end, false, StapleSet::backward_in_time, more}}, u, step, z);
    } else if (weights.rectangle != 0) {
      u.exchange(Reach::two_steps);
      Boundary tree_level = boundary;
      tree_level.c_g = 1;
      gauge::add_force<T, W>(boundary_staples(weights, tree_level, u.lattice().size()), u, step, z);
    }
    clear_inactive(boundary, z);
  }
};

// z <- old z + step Z(u), u <- exp(z) u
template <class T, int W>
void stage_but_ghosts(const FlowAction& action, double old, double step, LoopForceWork<T, W>& work,
                      const AlgebraField<T, W>& z, const GaugeField<T, W>& u) {
  scale(old, z);
  action.add_force(u, step, z, work);
  update_own_links(1.0, z, u);
}
template <class T, int W>
void stage(const FlowAction& action, double old, double step, LoopForceWork<T, W>& work, const AlgebraField<T, W>& z,
           const GaugeField<T, W>& u) {
  stage_but_ghosts(action, old, step, work, z, u);
  u.exchange(Reach::corners);
}

template <class T, int W>
void third_order_step(const FlowAction& action, double step, LoopForceWork<T, W>& work, const AlgebraField<T, W>& z,
                      const GaugeField<T, W>& u) {
  stage(action, 0.0, step / 4, work, z, u);
  stage(action, -17.0 / 9, 8.0 / 9 * step, work, z, u);
  stage_but_ghosts(action, -1.0, 3.0 / 4 * step, work, z, u);
  reunitarise(u);
}

template <class T, int W>
void euler_step(const FlowAction& action, double step, LoopForceWork<T, W>& work, const AlgebraField<T, W>& z,
                const GaugeField<T, W>& u) {
  stage_but_ghosts(action, 0.0, step, work, z, u);
  reunitarise(u);
}

// Largest |u - exp(z) start| / 3 over all links; infinity if one is NaN.
template <class T, int W>
double distance_to_second_order(const GaugeField<T, W>& u, const AlgebraField<T, W>& z, const GaugeField<T, W>& start) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const auto links = u.access(), origin = start.access();
  const auto exponent = z.access();
  const LargestNumber<W> squares(u.lattice());
  const auto out = squares.access();
  for_each_tile(
      {"distance", bytes_of(u, start, z)}, u.lattice(), TRELLIS_KERNEL(int tile) {
        D most = D(0.0);
        for (int mu = 0; mu < 4; ++mu) {
          const Matrix<S> d = links.link(tile, mu) - exp_i(to_matrix(exponent.at(tile, mu))) * origin.link(tile, mu);
          most = out.larger(most, convert<double>(real_trace_adjoint(d, d)));
        }
        out.keep(tile, most);
      });
  return std::sqrt(squares.largest()) / 3;
}

// Work space of a step with error estimate. 2 Z1 - Z0 = 9/4 (8/9 Z1 - 17/36 Z0) + 1/4 (Z0 / 4).
template <class T, int W>
struct EmbeddedStep {
  LoopForceWork<T, W> work;
  AlgebraField<T, W> z, second_order;
  GaugeField<T, W> start;

  explicit EmbeddedStep(const Lattice& lattice)
      : z(lattice, "flow"), second_order(lattice, "flow, second order"), start(lattice, "links before the step") {}

  double operator()(const FlowAction& action, double step, const GaugeField<T, W>& u) {
    start.copy_from(u);
    stage(action, 0.0, step / 4, work, z, u);
    second_order.copy_from(z);
    stage(action, -17.0 / 9, 8.0 / 9 * step, work, z, u);
    combine(0.25, second_order, 2.25, z);
    stage_but_ghosts(action, -1.0, 3.0 / 4 * step, work, z, u);
    reunitarise(u);
    return distance_to_second_order(u, second_order, start);
  }
};

template <class T, int W>
FlowPoint measure(const FlowParameters& parameters, double time, double step, const GaugeField<T, W>& u) {
  const Boundary& boundary = parameters.boundary;
  FlowPoint p;
  if (parameters.slices || !boundary.is_periodic()) p.slices = slice_observables(boundary, u);
  const CloverObservables clover =
      boundary.is_periodic() ? clover_observables(u) : clover_of(p.slices, boundary, u.lattice().size());
  if (!parameters.slices) p.slices.clear();
  p.time = time;
  p.step = step;
  p.energy_clover = clover.energy_density;
  p.energy_spatial = clover.energy_spatial;
  p.energy_temporal = clover.energy_temporal;
  p.topological_charge = clover.topological_charge;
  p.plaquette = plaquette(boundary, u).average;
  p.energy_plaquette = 36 * (1 - p.plaquette);
  return p;
}

// The cube root of x in [1e-6, 1e6], by Newton's iteration from above: the bits do not depend on the C library.
double cube_root(double x) {
  double r = x > 1 ? x : 1;
  for (int k = 0; k < 80; ++k) r = (2 * r + x / (r * r)) / 3;
  return r;
}

// Factor by which the next step may be longer.
double step_factor(double tolerance, double distance) {
  const double ratio = std::clamp(tolerance / distance, 1e-3, 30.0);
  return 0.95 * cube_root(ratio);
}

void require_valid(const FlowParameters& p) {
  const auto finite_positive = [](double x) { return x > 0 && x < std::numeric_limits<double>::infinity(); };
  if (!finite_positive(p.step)) fail_input("gradient flow: step {}; it must be above 0", p.step);
  if (!finite_positive(p.measure_every))
    fail_input("gradient flow: measure_every {}; it must be above 0", p.measure_every);
  if (!finite_positive(p.time_max) && p.time_max != 0)
    fail_input("gradient flow: time_max {}; it must not be negative", p.time_max);
  if (!finite_positive(p.tolerance) && p.tolerance != 0)
    fail_input("gradient flow: tolerance {}; it must be 0 (fixed steps) or above", p.tolerance);
  if (p.tolerance > 0 && p.integrator == FlowIntegrator::euler)
    fail_input("gradient flow: tolerance {} with Euler's method, whose steps are fixed", p.tolerance);
  if (!std::isfinite(p.c1)) fail_input("gradient flow: c1 {}; it must be a number", p.c1);
  const double most = 1e9;
  if (p.time_max / p.step > most || p.time_max / p.measure_every > most)
    fail_input("gradient flow: time_max {} is more than {} steps or measurements", p.time_max, most);
}

}  // namespace

template <class T, int W>
double flow_step(double c1, double step, const GaugeField<T, W>& u) {
  return EmbeddedStep<T, W>(u.lattice())({c1, {}}, step, u);
}

namespace {

// Flows from time to target; returns the length of the last step.
template <class T, int W>
double flow_by_fixed_steps(const FlowParameters& parameters, double interval, LoopForceWork<T, W>& work,
                           const AlgebraField<T, W>& z, const GaugeField<T, W>& u) {
  const auto steps = static_cast<std::int64_t>(std::max(1.0, std::ceil(interval / parameters.step - 1e-9)));
  const double step = interval / double(steps);
  const FlowAction action{parameters.c1, parameters.boundary};
  const auto step_of = parameters.integrator == FlowIntegrator::euler ? euler_step<T, W> : third_order_step<T, W>;
  for (std::int64_t k = 0; k < steps; ++k) step_of(action, step, work, z, u);
  return step;
}

// The same with adaptive steps; `next` is the step that the tolerance allows, kept from one interval to the next.
template <class T, int W>
double flow_by_adaptive_steps(const FlowParameters& parameters, double interval, EmbeddedStep<T, W>& step, double& next,
                              const GaugeField<T, W>& u) {
  double left = interval, taken = 0;
  while (left > 0) {
    // Make the last two steps of an interval equal, rather than a long and a tiny one.
    const double h = next >= left ? left : std::min(next, left / 2);
    const double distance = step({parameters.c1, parameters.boundary}, h, u);
    const double allowed = h * step_factor(parameters.tolerance, distance);
    if (distance > parameters.tolerance) {
      u.copy_from(step.start);
      next = std::min(allowed, h / 2);
      if (!(next > 1e-9 * parameters.time_max))
        fail("gradient flow: a step of {} is {} from second order, above the tolerance {}", h, distance,
             parameters.tolerance);
      continue;
    }
    // A step cut short by the end of the interval says little about longer ones.
    if (h >= next || allowed < next) next = allowed;
    left = h == left ? 0 : left - h;
    taken = h;
  }
  return taken;
}

}  // namespace

template <class T, int W>
std::vector<FlowPoint> flow(const FlowParameters& parameters, const GaugeField<T, W>& u) {
  require_valid(parameters);
  require_valid(parameters.boundary, u.lattice().size());
  const bool adaptive = parameters.tolerance > 0;
  std::optional<EmbeddedStep<T, W>> embedded;
  std::optional<AlgebraField<T, W>> z;
  LoopForceWork<T, W> work;
  if (adaptive)
    embedded.emplace(u.lattice());
  else
    z.emplace(u.lattice(), "flow");

  std::vector<FlowPoint> points{measure(parameters, 0.0, 0.0, u)};
  if (!std::isfinite(points[0].plaquette)) require_finite("gradient flow", u);
  double time = 0, next = parameters.step;
  const auto intervals = static_cast<std::int64_t>(std::ceil(parameters.time_max / parameters.measure_every - 1e-9));
  for (std::int64_t k = 1; k <= intervals; ++k) {
    const double target = k == intervals ? parameters.time_max : double(k) * parameters.measure_every;
    const double last = adaptive ? flow_by_adaptive_steps(parameters, target - time, *embedded, next, u)
                                 : flow_by_fixed_steps(parameters, target - time, work, *z, u);
    time = target;
    points.push_back(measure(parameters, time, last, u));
  }
  return points;
}

#define TRELLIS_INSTANTIATE(W)                                                                          \
  template std::vector<FlowPoint> flow<double, W>(const FlowParameters&, const GaugeField<double, W>&); \
  template double flow_step<double, W>(double, double, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
