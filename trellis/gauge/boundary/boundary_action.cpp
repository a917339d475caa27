// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/boundary/boundary_action.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/boundary_staple.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

namespace {

// Loops that start on a slice, in space or with links in time, with weights that are to be added.
struct BoundaryLoops {
  int slice;
  bool in_time;
  BoundaryWeights weights;
  double parallelogram = 0;
};

BoundaryWeights scaled(double factor, const LoopWeights& w) {
  return all_alike({factor * w.plaquette, factor * w.rectangle, 0});
}

// What a Schroedinger functional adds to the weights of loops in time that touch a boundary.
BoundaryWeights added_at_boundary(const LoopWeights& weights, const Boundary& boundary) {
  const BoundaryWeights of = weights_at_boundary(weights, boundary);
  return {(boundary.c_g - 1) * weights.plaquette, of.flat - weights.rectangle, 0, of.squared};
}
// The same without tall rectangles, which would go on beyond the boundary.
BoundaryWeights added_without_tall(const LoopWeights& weights, const Boundary& boundary) {
  BoundaryWeights w = added_at_boundary(weights, boundary);
  w.tall = -weights.rectangle;
  return w;
}

std::vector<BoundaryLoops> boundary_loops(const LoopWeights& weights, const Boundary& boundary,
                                          const Coordinate& size) {
  const int end = boundary.last_slice(size);
  if (boundary.is_periodic()) return {};
  if (boundary.kind == BoundaryKind::open) {
    const double factor = boundary.c_g / 2 - 1;
    const BoundaryWeights more = scaled(factor, weights);
    return {{0, false, more, factor * weights.parallelogram}, {end, false, more, factor * weights.parallelogram}};
  }
  std::vector<BoundaryLoops> loops{{0, true, added_at_boundary(weights, boundary)},
                                   {end - 1, true, added_without_tall(weights, boundary)}};
  if (weights.rectangle != 0) loops.push_back({size[3] - 1, true, {.tall = -weights.rectangle}});
  return loops;
}

// Loops without variables that do not exist, but are in the action of a periodic lattice, with minus their weights: of
// a Schroedinger functional.
std::vector<BoundaryLoops> missing_loops(const LoopWeights& weights, const Boundary& boundary, const Coordinate& size) {
  std::vector<BoundaryLoops> loops;
  if (boundary.kind != BoundaryKind::schroedinger_functional) return loops;
  const BoundaryWeights less = scaled(-1, weights);
  for (int t = boundary.extent; t < size[3]; ++t) {
    loops.push_back({t, true, less, -weights.parallelogram});
    if (t == size[3] - 1) loops.back().weights.tall = 0;  // has variables
    if (t > boundary.extent) loops.push_back({t, false, less, -weights.parallelogram});
  }
  return loops;
}

// The same of an open boundary, where they are zero: 3 plaquettes for each site in space, 3 long and 6 flat rectangles,
// 12 parallelograms.
double of_missing_loops(const LoopWeights& weights, const Boundary& boundary, const Coordinate& size) {
  if (boundary.kind != BoundaryKind::open) return 0;
  return double(size[0]) * size[1] * size[2] *
         (3 * weights.plaquette + 9 * weights.rectangle + 12 * weights.parallelogram);
}

// Re tr P^2 of the plaquette in plane mu nu at the tile's sites.
template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> squared_trace(const GaugeAccess<T, W>& u, int tile, int mu, int nu) {
  const Neighbours& next = u.neighbours;
  const auto p =
      multiply_adjoint(u.link(tile, mu) * u.link(next(tile, mu), nu), u.link(tile, nu) * u.link(next(tile, nu), mu));
  return real_trace_adjoint(p, adjoint(p));
}

template <class T, int W>
TRELLIS_HOST_CALL lanes_t<T, W> loops_density(const BoundaryLoops& loops, const GaugeAccess<T, W>& u, int tile) {
  using S = lanes_t<T, W>;
  const S third = S(T(1.0 / 3)), one = S(T(1));
  const BoundaryWeights& w = loops.weights;
  S plaquettes = S(T(0)), flat = S(T(0)), tall = S(T(0)), squared = S(T(0));
  // With equal weights one sum for both, plane by plane: its rounding is part of the bits of open boundaries.
  S& sum_of_tall = w.tall == w.flat ? flat : tall;
  for (int mu = 0; mu < 3; ++mu)
    for (int nu = loops.in_time ? 3 : mu + 1; nu < (loops.in_time ? 4 : 3); ++nu) {
      plaquettes = plaquettes + negated_fma(third, plaquette_trace(u, tile, mu, nu), one);
      if (w.flat != 0) flat = flat + negated_fma(third, rectangle_trace(u, tile, mu, nu), one);
      if (w.tall != 0) sum_of_tall = sum_of_tall + negated_fma(third, rectangle_trace(u, tile, nu, mu), one);
      if (w.squared != 0) squared = squared + negated_fma(third, squared_trace(u, tile, mu, nu), one);
    }
  const S others = fma(S(T(w.tall)), tall, fma(S(T(w.squared)), squared, S(T(w.plaquette)) * plaquettes));
  const S planar = fma(S(T(w.flat)), flat, others);
  if (loops.parallelogram == 0) return planar;
  const S of_cubes =
      negated_fma(third, parallelogram_traces_of_slice(u, tile, loops.in_time), loops.in_time ? S(T(12)) : S(T(4)));
  return fma(S(T(loops.parallelogram)), of_cubes, planar);
}

// The sum over a slice of the density at `after`, minus that at `before` unless it is null.
template <class T, int W>
double sum_loops(const BoundaryLoops& loops, const GaugeField<T, W>& after, const GaugeField<T, W>* before) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const TimeSlice slice(after.lattice(), loops.slice);
  const auto a = after.access(), b = before == nullptr ? a : before->access();
  const bool difference = before != nullptr;
  const BoundaryLoops of = loops;
  return sum_over_tiles<D, 1>(
      "action at boundaries", after.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        const mask_t<S> here = slice.template lanes_of<S>(tile);
        if (!any(here)) return;
        const S zero = S(T(0));
        D density = convert<double>(select(here, loops_density(of, a, tile), zero));
        if (difference) density = density - convert<double>(select(here, loops_density(of, b, tile), zero));
        sums[0].add(density);
      })[0];
}

}  // namespace

BoundaryWeights weights_at_boundary(const LoopWeights& weights, const Boundary& boundary) {
  const bool orbifold = boundary.rectangles == BoundaryRectangles::orbifold;
  return {boundary.c_g * weights.plaquette, (orbifold ? 1 : boundary.c_g_rectangles) * weights.rectangle,
          weights.rectangle, orbifold ? weights.rectangle / 2 : 0};
}

std::vector<BoundaryStaples> boundary_staples(const LoopWeights& weights, const Boundary& boundary,
                                              const Coordinate& size) {
  using enum StapleSet;
  const int end = boundary.last_slice(size);
  if (boundary.is_periodic()) return {};
  if (boundary.kind == BoundaryKind::open) {
    const BoundaryWeights more = scaled(boundary.c_g / 2 - 1, weights);
    return {{0, false, in_space, more}, {end, false, in_space, more}};
  }
  const BoundaryWeights more = added_without_tall(weights, boundary);
  return {{0, true, backward_in_time, more},
          {end - 1, true, forward_in_time, more},
          {1, false, backward_in_time, more},
          {end - 1, false, forward_in_time, more}};
}

template <class T, int W>
double action(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& u) {
  double sum = action(weights, u) - of_missing_loops(weights, boundary, u.lattice().size());
  for (const auto& list : {boundary_loops, missing_loops})
    for (const auto& loops : list(weights, boundary, u.lattice().size())) sum += sum_loops<T, W>(loops, u, nullptr);
  return sum;
}

template <class T, int W>
double action_difference(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& after,
                         const GaugeField<T, W>& before) {
  double sum = action_difference(weights, after, before);
  for (const auto& loops : boundary_loops(weights, boundary, after.lattice().size()))
    sum += sum_loops(loops, after, &before);
  return sum;
}

template <class T, int W>
void add_force(const std::vector<BoundaryStaples>& staples, const GaugeField<T, W>& u, double step,
               const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const auto links = u.access();
  const auto momenta = p.access();
  const T factor = T(-step / 3);  // F_a = -1/3 Im tr(T_a U V^dagger)
  for (const BoundaryStaples& one : staples) {
    if (one.weights == BoundaryWeights{}) continue;
    const TimeSlice slice(u.lattice(), one.slice);
    const BoundaryStaples of = one;
    for_each_tile(
        "force at boundaries", u.lattice(), TRELLIS_KERNEL(int tile) {
          const mask_t<S> here = slice.template lanes_of<S>(tile);
          if (!any(here)) return;
          for (int mu = of.of_time_links ? 3 : 0; mu < (of.of_time_links ? 4 : 3); ++mu) {
            const Matrix<S> v = boundary_staple(links, tile, mu, of.set, of.weights);
            const Algebra<S> force = imaginary_trace(multiply_adjoint(links.link(tile, mu), v));
            const Algebra<S> before = momenta.at(tile, mu);
            Algebra<S> after = fma(S(factor), force, before);
            for (int k = 0; k < 8; ++k) after.p[k] = select(here, after.p[k], before.p[k]);
            momenta.set(tile, mu, after);
          }
        });
  }
}

namespace {

// p += step F of the parallelograms that have their links in space on slice 0 or the last one: those that are left if
// all other links are zero.
template <class T, int W>
void add_parallelograms_of_ends(double weight, const Boundary& boundary, const GaugeField<T, W>& u, double step,
                                const AlgebraField<T, W>& p, LoopForceWork<T, W>& work) {
  using S = lanes_t<T, W>;
  const Lattice& lattice = u.lattice();
  if (weight == 0) return;
  if (!work.of_ends.is_allocated() || !(work.of_ends.lattice() == lattice))
    work.of_ends = GaugeField<T, W>(lattice, "links at boundaries");
  const TimeSlice first(lattice, 0), last(lattice, boundary.last_slice(lattice.size()));
  const auto links = u.access(), of_ends = work.of_ends.access();
  for_each_tile(
      "links at boundaries", lattice, TRELLIS_KERNEL(int tile) {
        const mask_t<S> at_first = first.template lanes_of<S>(tile), at_last = last.template lanes_of<S>(tile);
        if (!any(at_first) && !any(at_last)) return;  // zero from the start
        const Matrix<S> zero = Matrix<S>::zero();
        for (int mu = 0; mu < 3; ++mu) {
          const Matrix<S> link = links.link(tile, mu);
          of_ends.set_link(tile, mu, select(at_first, link, select(at_last, link, zero)));
        }
      });
  work.of_ends.exchange(Reach::corners);
  work.parallelograms(weight, work.of_ends, step, p);
}

}  // namespace

template <class T, int W>
void add_force(const LoopWeights& weights, const Boundary& boundary, const GaugeField<T, W>& u, double step,
               const AlgebraField<T, W>& p, LoopForceWork<T, W>& work, ExchangeUnderWay ghosts) {
  add_force(weights, u, step, p, work, std::move(ghosts));
  if (boundary.is_periodic()) return;
  if (boundary.kind == BoundaryKind::open)
    add_parallelograms_of_ends((boundary.c_g / 2 - 1) * weights.parallelogram, boundary, u, step, p, work);
  if (weights.rectangle != 0) u.exchange(Reach::two_steps);
  add_force(boundary_staples(weights, boundary, u.lattice().size()), u, step, p);
  clear_inactive(boundary, p);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                       \
  template double action<T, W>(const LoopWeights&, const Boundary&, const GaugeField<T, W>&);           \
  template double action_difference<T, W>(const LoopWeights&, const Boundary&, const GaugeField<T, W>&, \
                                          const GaugeField<T, W>&);                                     \
  template void add_force<T, W>(const LoopWeights&, const Boundary&, const GaugeField<T, W>&, double,   \
                                const AlgebraField<T, W>&, LoopForceWork<T, W>&, ExchangeUnderWay);     \
  template void add_force<T, W>(const std::vector<BoundaryStaples>&, const GaugeField<T, W>&, double,   \
                                const AlgebraField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
