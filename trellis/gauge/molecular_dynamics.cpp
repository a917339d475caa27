// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/molecular_dynamics.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/halo/halo.hpp"
#include "trellis/su3/exponential.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::gauge {

namespace {

// Eight normal numbers for each link of a tile; mu and k determine the draw number.
template <class T, int W>
TRELLIS_FUNCTION Algebra<lanes_t<T, W>> normal_algebra(const RandomStream& stream, const LaneSites& sites, int mu) {
  using D = lanes_t<double, W>;
  Algebra<lanes_t<T, W>> a;
  for (int k = 0; k < 8; k += 2) {
    D x, y;
    normal_lanes(stream, sites, std::uint32_t(4 * mu + k / 2), x, y);
    a.p[k] = convert<T>(x);
    a.p[k + 1] = convert<T>(y);
  }
  return a;
}

// A Haar-distributed matrix: rows of complex normal numbers, orthonormalised.
template <class T, int W>
TRELLIS_FUNCTION Matrix<lanes_t<T, W>> haar_matrix(const RandomStream& stream, const LaneSites& sites, int mu) {
  using D = lanes_t<double, W>;
  Matrix<D> m = Matrix<D>::one();
  for (int k = 0; k < 6; ++k) {
    D x, y;
    normal_lanes(stream, sites, std::uint32_t(8 * mu + k), x, y);
    m.e[k / 3][k % 3] = {x, y};
  }
  m = trellis::reunitarise(m);
  Matrix<lanes_t<T, W>> u;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) u.e[i][j] = {convert<T>(m.e[i][j].re), convert<T>(m.e[i][j].im)};
  return u;
}

}  // namespace

template <class T, int W>
void draw_momenta(const RandomStream& stream, const AlgebraField<T, W>& p) {
  const auto momenta = p.access();
  const TileSites sites = p.lattice().tile_sites();
  for_each_tile(
      {"draw momenta", bytes_of(p), 0, is_single<T>}, p.lattice(), TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(tile);
        for (int mu = 0; mu < 4; ++mu) momenta.set(tile, mu, normal_algebra<T, W>(stream, own, mu));
      });
}

template <class T, int W>
double kinetic_energy(const AlgebraField<T, W>& p) {
  using D = lanes_t<double, W>;
  const auto momenta = p.access();
  const Kernel kernel{"kinetic energy", bytes_of(p), double(p.lattice().local_volume()) * 4 * 16, is_single<T>};
  return sum_over_tiles<D, 1>(
      kernel, p.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        D sum = D(0.0);
        for (int mu = 0; mu < 4; ++mu) sum = sum + convert<double>(norm(momenta.at(tile, mu)));
        sums[0].add(D(0.5) * sum);
      })[0];
}

template <class T, int W>
double kinetic_energy_difference(const AlgebraField<T, W>& after, const AlgebraField<T, W>& before) {
  using D = lanes_t<double, W>;
  const auto a = after.access(), b = before.access();
  const Kernel kernel{"kinetic energy difference", bytes_of(after, before),
                      double(after.lattice().local_volume()) * 4 * 33, is_single<T>};
  return sum_over_tiles<D, 1>(
      kernel, after.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        D sum = D(0.0);
        for (int mu = 0; mu < 4; ++mu)
          sum = sum + (convert<double>(norm(a.at(tile, mu))) - convert<double>(norm(b.at(tile, mu))));
        sums[0].add(D(0.5) * sum);
      })[0];
}

namespace {

// Unitary: the links are brought back to SU(3).
template <bool Unitary, class T, int W>
struct LinkUpdate {
  using S = lanes_t<T, W>;
  AlgebraAccess<T, W> momenta;
  GaugeAccess<T, W> links;
  T step;

  TRELLIS_INLINE void operator()(int tile) const {
    for (int mu = 0; mu < 4; ++mu) {
      const Matrix<S> rotation = exp_i(S(step) * to_matrix(momenta.at(tile, mu)));
      links.set_link(tile, mu, reunitarise_if<Unitary>(rotation * links.link(tile, mu)));
    }
  }
};

template <bool Unitary, class T, int W>
Kernel update_kernel(const AlgebraField<T, W>& p, const GaugeField<T, W>& u) {
  // The exponential takes about 700 flops, the projection 140.
  return {"update links", bytes_of(p, u, u),
          double(u.lattice().local_volume()) * 4 * (700 + product_flops + (Unitary ? 140 : 0)), is_single<T>};
}

template <bool Unitary, class T, int W>
void move_own_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u, const TileSet& tiles) {
  for_each_tile(update_kernel<Unitary>(p, u), u.lattice(), tiles,
                LinkUpdate<Unitary, T, W>{p.access(), u.access(), T(step)});
}

// The links that are other ranks' ghosts, or in other lanes this rank's own, and the rest while these are on their way
// (Bonati et al., arXiv:1801.01473, algorithm 2).
template <bool Unitary, class T, int W, class Exchange>
ExchangeUnderWay move_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u,
                            const Exchange& exchange) {
  const TilesApart tiles = tiles_apart(u.lattice());
  move_own_links<Unitary>(step, p, u, tiles.surface);
  ExchangeUnderWay ghosts = exchange(u, Reach::corners);
  move_own_links<Unitary>(step, p, u, tiles.inside);
  return ghosts;
}

}  // namespace

template <class T, int W>
void update_own_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u) {
  move_own_links<false>(step, p, u, all_tiles(u.lattice()));
}

template <class T, int W>
void update_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u) {
  begin_updating_links(step, p, u).finish();
}
template <class T, int W>
ExchangeUnderWay begin_updating_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u) {
  return move_links<false>(step, p, u, begin_exchange<T, W>);
}

template <class T, int W>
void update_unitary_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u) {
  begin_updating_unitary_links(step, p, u).finish();
}
template <class T, int W>
ExchangeUnderWay begin_updating_unitary_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& u) {
  return move_links<true>(step, p, u, begin_unitary_exchange<T, W>);
}

template <class T, int W>
void reunitarise(const GaugeField<T, W>& u) {
  const auto links = u.access();
  for_each_tile(
      {"reunitarise", bytes_of(u, u), 0, is_single<T>}, u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) {
          const auto link = links.link(tile, mu);
          links.set_link(tile, mu, select(is_reunitarised(link), link, trellis::reunitarise(link)));
        }
      });
  u.exchange(Reach::corners);
}

namespace {
template <class T, int W>
void draw_links(const RandomStream& stream, const GaugeField<T, W>& u) {
  const auto links = u.access();
  const TileSites sites = u.lattice().tile_sites();
  for_each_tile(
      {"hot start", bytes_of(u), 0, is_single<T>}, u.lattice(), TRELLIS_KERNEL(int tile) {
        const LaneSites own = sites(tile);
        for (int mu = 0; mu < 4; ++mu) links.set_link(tile, mu, haar_matrix<T, W>(stream, own, mu));
      });
}
}  // namespace

template <class T, int W>
void hot_start(const RandomStream& stream, const GaugeField<T, W>& u) {
  draw_links(stream, u);
  u.exchange(Reach::corners);
}

template <class T, int W>
void random_gauge_transformation(const RandomStream& stream, const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  const Lattice& lattice = u.lattice();
  const GaugeField<T, W> rotations(lattice, "gauge transformation");  // direction 0 holds G(x)
  draw_links(stream, rotations);
  rotations.exchange(Reach::near, Faces::forward);
  const auto g = rotations.access(), links = u.access();
  const Kernel kernel{"gauge transformation", bytes_of(rotations) / 4 + bytes_of(u, u),
                      double(lattice.local_volume()) * 8 * product_flops, is_single<T>};
  for_each_tile(
      kernel, lattice, TRELLIS_KERNEL(int tile) {
        const Matrix<S> here = g.link(tile, 0);
        for (int mu = 0; mu < 4; ++mu)
          links.set_link(tile, mu, multiply_adjoint(here * links.link(tile, mu), g.link(g.neighbours(tile, mu), 0)));
      });
  u.exchange(Reach::corners);
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                   \
  template void draw_momenta<T, W>(const RandomStream&, const AlgebraField<T, W>&);                                 \
  template double kinetic_energy<T, W>(const AlgebraField<T, W>&);                                                  \
  template double kinetic_energy_difference<T, W>(const AlgebraField<T, W>&, const AlgebraField<T, W>&);            \
  template void update_own_links<T, W>(double, const AlgebraField<T, W>&, const GaugeField<T, W>&);                 \
  template void update_links<T, W>(double, const AlgebraField<T, W>&, const GaugeField<T, W>&);                     \
  template ExchangeUnderWay begin_updating_links<T, W>(double, const AlgebraField<T, W>&, const GaugeField<T, W>&); \
  template void reunitarise<T, W>(const GaugeField<T, W>&);                                                         \
  template void hot_start<T, W>(const RandomStream&, const GaugeField<T, W>&);                                      \
  template void random_gauge_transformation<T, W>(const RandomStream&, const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W)                                                                                      \
  template void update_unitary_links<float, W>(double, const AlgebraField<float, W>&, const GaugeField<float, W>&); \
  template ExchangeUnderWay begin_updating_unitary_links<float, W>(double, const AlgebraField<float, W>&,           \
                                                                   const GaugeField<float, W>&);
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
