// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/parallelogram_force.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/parallelogram_kernel.hpp"
#include "trellis/gauge/plaquette_shares.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {

template <class T, int W>
struct ParallelogramForce<T, W>::Work {
  // Of links that start one step forward, and one step backward.
  PlaquetteShares<T, W> ahead, behind;

  explicit Work(const Lattice& lattice) : ahead(lattice), behind(lattice) {}

  const Lattice& lattice() const { return ahead.lattice(); }
  void find_shares(const GaugeField<T, W>& u, const TileSet& tiles) const;
  void gather(T scaled, const AlgebraField<T, W>& p) const;
};

namespace {

// For for_joined_parts: a part is a path along two sides of a plaquette, four in each plane.
template <class T, int W>
struct SharesOfParallelograms {
  using S = lanes_t<T, W>;
  using Part = Matrix<S>;
  static constexpr int parts_of_thread = 4, parts = Plane::count * parts_of_thread, joins = Plane::count;
  static constexpr int least_blocks = std::is_same_v<T, double> ? 4 : 3;  // 168 and 112 registers

  GaugeAccess<T, W> links;
  ShareAccess<T, W> ahead, behind;

  TRELLIS_INLINE Part part(int tile, int following, int number) const {
    const int plane = number / 4, sign = number % 4;
    const auto [mu, nu] = Plane::of(plane);
    if (sign == 0) links.prefetch_stencil(following, plane, Plane::count);
    return corner(links, tile, mu + 4 * (sign / 2), nu + 4 * (sign % 2));
  }
  template <class Parts>
  TRELLIS_INLINE void join(int tile, int /*following*/, int plane, const Parts& part) const {
    const auto corners = [&](int a, int b) -> decltype(auto) {
      return part(4 * Plane::number(a % 4, b % 4) + 2 * (a / 4) + b / 4);
    };
    shares_of_plane<S>(corners, plane, [&](int mu, int step, const S& sign, const Algebra<S>& share) {
      (step < 4 ? ahead : behind).stream_share(tile, mu, step % 4, sign, share);
    });
  }
};

}  // namespace

template <class T, int W>
void ParallelogramForce<T, W>::Work::find_shares(const GaugeField<T, W>& u, const TileSet& tiles) const {
  const Kernel kernel{"gauge force of parallelograms", bytes_of(u, ahead, behind),
                      double(lattice().local_volume()) * site_flops, is_single<T>};
  for_joined_parts(kernel, lattice(), tiles, SharesOfParallelograms<T, W>{u.access(), ahead.access(), behind.access()});
}

template <class T, int W>
void ParallelogramForce<T, W>::Work::gather(T scaled, const AlgebraField<T, W>& p) const {
  using S = lanes_t<T, W>;
  const auto from_behind = ahead.access(), from_ahead = behind.access();
  const auto momenta = p.access();
  const Neighbours next = lattice().neighbours();
  const Kernel kernel{"add forces of parallelograms", bytes_of(ahead, behind, p, p),
                      double(lattice().local_volume()) * (192 + 64), is_single<T>};
  for_each_tile(
      kernel, lattice(), TRELLIS_KERNEL(int tile, int following) {
        for (int mu = 0; mu < 4; ++mu) {
          from_behind.prefetch_shares(next, following, mu);
          from_ahead.prefetch_shares(next, following, mu, 0);
          momenta.prefetch(following, mu, 4);
          Algebra<S> sum = from_behind.add_shares(next, tile, mu, Algebra<S>::zero());
          sum = from_ahead.add_shares(next, tile, mu, sum, 0);
          momenta.set(tile, mu, fma(S(scaled), sum, momenta.at(tile, mu)));
        }
      });
}

template <class T, int W>
void ParallelogramForce<T, W>::operator()(double weight, const GaugeField<T, W>& u, double step,
                                          const AlgebraField<T, W>& p) {
  if (!work_ || !(work_->lattice() == u.lattice())) work_ = std::make_shared<Work>(u.lattice());
  // The shares that other ranks need, then half of the others while each kind of them travels.
  const TilesApart tiles = tiles_apart(u.lattice());
  work_->find_shares(u, tiles.surface);
  ExchangeUnderWay ahead = work_->ahead.exchange();
  work_->find_shares(u, tiles.first_half());
  ahead.finish();
  ExchangeUnderWay behind = work_->behind.exchange(Faces::forward);
  work_->find_shares(u, tiles.second_half());
  behind.finish();
  work_->gather(T(-step / 3 * weight), p);  // F_a = -1/3 Im tr(T_a loop), summed over the loops
}

#define TRELLIS_INSTANTIATE(T, W) template class ParallelogramForce<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
