// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/rectangle_force.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/planes.hpp"
#include "trellis/gauge/rectangle_force_kernel.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
struct RectangleForce<T, W>::Work {
  GaugeField<T, W> plaquettes[2];
  PlaquetteShares<T, W> shares;

  explicit Work(const Lattice& lattice)
      : plaquettes{GaugeField<T, W>(lattice, "plaquettes"), GaugeField<T, W>(lattice, "plaquettes")}, shares(lattice) {}

  const Lattice& lattice() const { return plaquettes[0].lattice(); }
  double sites() const { return double(lattice().local_volume()); }
  double plaquette_bytes() const { return 0.75 * bytes_of(plaquettes[0], plaquettes[1]); }
  rectangle_detail::PlaquetteAccess<T, W> access() const { return {{plaquettes[0].access(), plaquettes[1].access()}}; }

  void find_plaquettes(const GaugeField<T, W>& u, const TileSet& tiles) const;
  ExchangeUnderWay exchange_plaquettes() const;
  void add_forces(const LoopWeights& scaled, const GaugeField<T, W>& u, const AlgebraField<T, W>& p,
                  const TileSet& tiles) const;
  void gather(const AlgebraField<T, W>& p) const;
};

template <class T, int W>
void RectangleForce<T, W>::Work::find_plaquettes(const GaugeField<T, W>& u, const TileSet& tiles) const {
  const auto links = u.access();
  const auto out = access();
  const Kernel kernel{"plaquettes", bytes_of(u) + plaquette_bytes(), sites() * 6 * 3 * product_flops, is_single<T>};
  for_each_plane(
      kernel, u.lattice(), tiles, TRELLIS_KERNEL(int tile, int following, int plane) {
        const Neighbours& next = links.neighbours;
        const auto [mu, nu] = Plane::of(plane);
        links.prefetch_stencil(following, plane, Plane::count, true);
        out.set(tile, plane,
                multiply_adjoint(links.link(tile, mu) * links.link(next(tile, mu), nu),
                                 links.link(tile, nu) * links.link(next(tile, nu), mu)));
      });
}

template <class T, int W>
ExchangeUnderWay RectangleForce<T, W>::Work::exchange_plaquettes() const {
  const HaloPart parts[]{part_of_links(plaquettes[0], 0, 3), part_of_links(plaquettes[1], 0, 3)};
  return {lattice(), Halo::both, Reach::near, Faces::all, parts};
}

// Forces on links at a plaquette's corner are added to p; shares of other links are stored.
template <class T, int W>
void RectangleForce<T, W>::Work::add_forces(const LoopWeights& scaled, const GaugeField<T, W>& u,
                                            const AlgebraField<T, W>& p, const TileSet& tiles) const {
  const Kernel kernel{"gauge force with rectangles", bytes_of(u, p, p, shares) + plaquette_bytes(),
                      sites() * 6 * (14 * product_flops + 2 * 288), is_single<T>};
  for_joined_parts(kernel, u.lattice(), tiles,
                   rectangle_detail::AddForcesOfLoops<T, W>{u.access(), access(), shares.access(), p.access(), scaled});
}

template <class T, int W>
void RectangleForce<T, W>::Work::gather(const AlgebraField<T, W>& p) const {
  const auto waiting = shares.access();
  const auto momenta = p.access();
  const Neighbours next = lattice().neighbours();
  const Kernel kernel{"add waiting forces", bytes_of(shares, p, p), sites() * 96, is_single<T>};
  for_each_tile(
      kernel, lattice(), TRELLIS_KERNEL(int tile, int following) {
        for (int mu = 0; mu < 4; ++mu) {
          waiting.prefetch_shares(next, following, mu);
          momenta.prefetch(following, mu, 4);
          momenta.set(tile, mu, waiting.add_shares(next, tile, mu, momenta.at(tile, mu)));
        }
      });
}

template <class T, int W>
void RectangleForce<T, W>::operator()(const LoopWeights& weights, const GaugeField<T, W>& u, double step,
                                      const AlgebraField<T, W>& p, ExchangeUnderWay ghosts) {
  if (!work_ || !(work_->lattice() == u.lattice())) work_ = std::make_shared<Work>(u.lattice());
  // F_a = -1/3 Im tr(T_a loop), summed over the loops that start with the link
  const LoopWeights scaled{-step / 3 * weights.plaquette, -step / 3 * weights.rectangle, 0};
  // Inner plaquettes while links are on their way, half of the inner forces while plaquettes are, half while shares are
  // (Bonati et al., arXiv:1801.01473, algorithm 2).
  const TilesApart tiles = tiles_apart(u.lattice());
  work_->find_plaquettes(u, tiles.inside);
  ghosts.finish();
  work_->find_plaquettes(u, tiles.surface);
  ExchangeUnderWay plaquettes = work_->exchange_plaquettes();
  work_->add_forces(scaled, u, p, tiles.first_half());
  plaquettes.finish();
  work_->add_forces(scaled, u, p, tiles.surface);
  ExchangeUnderWay shares = work_->shares.exchange();
  work_->add_forces(scaled, u, p, tiles.second_half());
  shares.finish();
  work_->gather(p);
}

#define TRELLIS_INSTANTIATE(T, W) template class RectangleForce<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
