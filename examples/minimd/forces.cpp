// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "examples/minimd/forces.hpp"

#include "examples/minimd/lanes.hpp"
#include "examples/minimd/lennard_jones.hpp"
#include "trellis/core/parallel.hpp"

namespace examples::minimd {

using namespace trellis;

namespace {

using Lanes = lanes_t<double, lanes>;

// Calls f(dx, dy, dz, r2, inside) for the neighbours of atom i, one register of them at a time.
template <class Layout>
struct Neighbours {
  Positions position;
  View<const int**, Layout> rows;
  View<const int*> count;
  double cutoff_squared;

  template <class F>
  TRELLIS_INLINE void operator()(Index i, const F& f) const {
    const Lanes x(position(i, 0)), y(position(i, 1)), z(position(i, 2));
    const int own = count(i);
    for (int k = 0; k < own; k += lanes) {
      Lanes other[3];
      gather_rows(position, [&](int l) { return rows(i, k + l); }, other);
      const Lanes dx = x - other[0], dy = y - other[1], dz = z - other[2];
      const Lanes r2 = fma(dx, dx, fma(dy, dy, dz * dz));
      f(dx, dy, dz, r2, r2 < Lanes(cutoff_squared));
    }
  }
};

template <class Layout>
struct ComputeForces {
  Neighbours<Layout> neighbours;
  Vectors force;

  TRELLIS_INLINE void operator()(Index i) const {
    Lanes fx(0.0), fy(0.0), fz(0.0);
    neighbours(i, [&](const Lanes& dx, const Lanes& dy, const Lanes& dz, const Lanes& r2, const mask_t<Lanes>& inside) {
      const Lanes f = select(inside, force_over_distance(r2), Lanes(0.0));
      fx = fma(f, dx, fx);
      fy = fma(f, dy, fy);
      fz = fma(f, dz, fz);
    });
    force(i, 0) = sum_of_lanes(fx);
    force(i, 1) = sum_of_lanes(fy);
    force(i, 2) = sum_of_lanes(fz);
  }
};

template <class Layout>
struct SumOverPairs {
  Neighbours<Layout> neighbours;

  TRELLIS_FUNCTION void operator()(Index i, PairSums& sum) const {
    Lanes energy(0.0), virial(0.0), pairs(0.0);
    neighbours(i, [&](const Lanes&, const Lanes&, const Lanes&, const Lanes& r2, const mask_t<Lanes>& inside) {
      energy = energy + select(inside, pair_energy(r2), Lanes(0.0));
      virial = virial + select(inside, r2 * force_over_distance(r2), Lanes(0.0));
      pairs = pairs + select(inside, Lanes(1.0), Lanes(0.0));
    });
    sum += {0.5 * sum_of_lanes(energy), 0.5 * sum_of_lanes(virial), 0.5 * sum_of_lanes(pairs)};
  }
};

}  // namespace

template <class Layout>
void compute_forces(const Atoms& atoms, const NeighbourList<Layout>& list, double cutoff) {
  const ComputeForces<Layout> compute{{atoms.position, list.rows, list.count, cutoff * cutoff}, atoms.force};
  parallel_for("forces", atoms.count, compute);
}

template <class Layout>
PairSums sum_over_pairs(const Atoms& atoms, const NeighbourList<Layout>& list, double cutoff) {
  PairSums total;
  const SumOverPairs<Layout> sum{{atoms.position, list.rows, list.count, cutoff * cutoff}};
  parallel_reduce("pairs", atoms.count, sum, total);
  return total;
}

template <class Layout>
double mean_count(const NeighbourList<Layout>& list) {
  const View<const int*> count = list.count;
  Index total = 0;
  parallel_reduce("count", count.size(), TRELLIS_LAMBDA(Index i, Index & sum) { sum += count(i); }, total);
  return double(total) / double(count.size());
}

template void compute_forces(const Atoms&, const NeighbourList<LayoutRight>&, double);
template void compute_forces(const Atoms&, const NeighbourList<LayoutLeft>&, double);
template PairSums sum_over_pairs(const Atoms&, const NeighbourList<LayoutRight>&, double);
template PairSums sum_over_pairs(const Atoms&, const NeighbourList<LayoutLeft>&, double);
template double mean_count(const NeighbourList<LayoutRight>&);
template double mean_count(const NeighbourList<LayoutLeft>&);

}  // namespace examples::minimd
