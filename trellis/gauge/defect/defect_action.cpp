// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/defect/defect_action.hpp"

#include <algorithm>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/gauge/loop_kernel.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

void require_valid(const Defect& defect, const Coordinate& size) {
  if (defect.direction < 0 || defect.direction > 3)
    fail_input("the defect's direction is {}; it must be from 0 to 3", defect.direction);
  if (defect.length < 1) fail_input("the defect's length is {}; it must be at least 1", defect.length);
  for (int mu = 0; mu < 4; ++mu)
    if (mu != defect.direction && defect.length > size[mu])
      fail_input("the defect's length is {}, but the lattice has an extent of only {}", defect.length, size[mu]);
}

namespace {

// Whether the site may be the corner of a loop, or the beginning of a link of one, that contains a link of the defect:
// it is at most two steps away, in each direction.
bool is_near(const Defect& defect, const Coordinate& size, const Coordinate& x) {
  constexpr int reach = 2;
  for (int mu = 0; mu < 4; ++mu) {
    const int first = (mu == defect.direction ? size[mu] - 1 : 0) - reach;
    const int extent = (mu == defect.direction ? 1 : defect.length) + 2 * reach;
    const int from_first = ((x[mu] - first) % size[mu] + size[mu]) % size[mu];
    if (from_first >= extent) return false;
  }
  return true;
}

// The sum over the loops that start at a tile's sites of weight Re tr / 3, with the opposite sign.
template <int W>
TRELLIS_NOINLINE lanes_t<double, W> loops_of(const GaugeAccess<double, W>& u, int tile, const LoopWeights& weights) {
  using S = lanes_t<double, W>;
  S plaquettes = S(0.0), rectangles = S(0.0);
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = mu + 1; nu < 4; ++nu) {
      plaquettes = plaquettes + plaquette_trace(u, tile, mu, nu);
      if (weights.rectangle != 0)
        rectangles = rectangles + (rectangle_trace(u, tile, mu, nu) + rectangle_trace(u, tile, nu, mu));
    }
  S sum = fma(S(weights.rectangle), rectangles, S(weights.plaquette) * plaquettes);
  if (weights.parallelogram != 0) sum = fma(S(weights.parallelogram), parallelogram_traces(u, tile), sum);
  return S(-1.0 / 3) * sum;
}

template <int W>
TRELLIS_NOINLINE Algebra<lanes_t<double, W>> force_of(const GaugeAccess<double, W>& u, int tile, int mu,
                                                      const LoopWeights& weights) {
  return imaginary_trace(multiply_adjoint(u.link(tile, mu), weighted_staple(u, tile, mu, weights)));
}

}  // namespace

template <int W>
struct DefectAction<W>::Work {
  GaugeField<double, W> weighted;
  FieldView<unsigned char*> near;  // [tile]: 1 if a site of it is
  double share = 0;                // of the tiles, that are near
  ParallelogramForce<double, W> parallelograms;

  Work(const Lattice& lattice, const Defect& defect)
      : weighted(lattice, "weighted links"), near("tiles near the defect", lattice.tiles_and_ghosts()) {
    const auto host = create_mirror_view(HostSpace{}, near);
    std::fill_n(host.data(), lattice.tiles_and_ghosts(), static_cast<unsigned char>(0));
    const TileSites sites = lattice.host_sites();
    for (int n = 0; n < lattice.tiles(); ++n) {
      const int tile = lattice.own_tile(n);
      for (int l = 0; l < W; ++l)
        if (is_near(defect, lattice.size(), lattice.coordinate(sites(tile)[l]))) host.data()[tile] = 1;
      share += host.data()[tile];
    }
    share /= lattice.tiles();
    deep_copy(near, host);
  }
};

template <int W>
DefectAction<W>::DefectAction(const Lattice& lattice, const Defect& defect) : defect_(defect) {
  require_valid(defect, lattice.size());
  work_ = std::make_shared<Work>(lattice, defect);
}

template <int W>
const GaugeField<double, W>& DefectAction<W>::weighted(const LoopWeights& weights, double coupling,
                                                       const GaugeField<double, W>& u) const {
  using S = lanes_t<double, W>;
  const GaugeField<double, W>& v = work_->weighted;
  v.copy_from(u);
  const auto links = v.access();
  const unsigned char* const near = work_->near.data();
  const TileSites sites = v.lattice().tile_sites();
  const DefectSites defect(defect_, v.lattice().size());
  const int mu = defect_.direction;
  const Kernel kernel{"weigh links", work_->share * 0.5 * bytes_of(v), 0};
  for_each_tile(
      kernel, v.lattice(), TRELLIS_KERNEL(int tile) {
        if (near[tile] == 0) return;
        links.set_link(tile, mu, defect.template weights<S>(sites(tile), mu, coupling) * links.link(tile, mu));
      });
  v.exchange(weights.rectangle != 0 ? Reach::two_steps : Reach::corners);
  return v;
}

template <int W>
double DefectAction<W>::energy(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u) const {
  using S = lanes_t<double, W>;
  if (coupling == 1) return 0;
  if (weights.rectangle != 0) u.exchange(Reach::two_steps);
  const auto v = weighted(weights, coupling, u).access(), links = u.access();
  const unsigned char* const near = work_->near.data();
  const double flops =
      2 * (6 * (2 * product_flops + 35) + (weights.rectangle != 0 ? 12 * (4 * product_flops + 35) : 0) +
           (weights.parallelogram != 0 ? parallelogram_flops : 0));
  const Kernel kernel{"action of a defect", work_->share * bytes_of(u, u),
                      work_->share * double(u.lattice().local_volume()) * flops};
  return sum_over_tiles<S, 1>(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<S>* sums) {
        if (near[tile] != 0) sums[0].add(loops_of<W>(v, tile, weights) - loops_of<W>(links, tile, weights));
      })[0];
}

template <int W>
void DefectAction<W>::add_force(const LoopWeights& weights, double coupling, const GaugeField<double, W>& u,
                                double step, const AlgebraField<double, W>& p) const {
  using S = lanes_t<double, W>;
  if (coupling == 1) return;
  if (weights.rectangle != 0) u.exchange(Reach::two_steps);
  const GaugeField<double, W>& v = weighted(weights, coupling, u);
  const auto with = v.access(), without = u.access();
  const auto momenta = p.access();
  const unsigned char* const near = work_->near.data();
  const LoopWeights planar{-step / 3 * weights.plaquette, -step / 3 * weights.rectangle, 0};
  const Kernel kernel{
      "force of a defect", work_->share * bytes_of(u, u, p, p),
      work_->share * double(u.lattice().local_volume()) * 8 * (planar.rectangle != 0 ? 67 : 13) * product_flops};
  for_each_tile(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile) {
        if (near[tile] == 0) return;
        for (int mu = 0; mu < 4; ++mu) {
          const Algebra<S> force = force_of<W>(with, tile, mu, planar) - force_of<W>(without, tile, mu, planar);
          momenta.set(tile, mu, momenta.at(tile, mu) + force);
        }
      });
  if (weights.parallelogram == 0) return;
  work_->parallelograms(weights.parallelogram, v, step, p);
  work_->parallelograms(-weights.parallelogram, u, step, p);
}

#define TRELLIS_INSTANTIATE(W) template class DefectAction<W>;
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
