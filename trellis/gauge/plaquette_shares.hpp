// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Storage for forces that are computed at the corner x of a plaquette and belong to links of other sites: U_nu(x + mu)
// and U_mu(x + nu). Each share is an element of the algebra, based where its link starts, and stored with the tile of
// x; the link gathers it from there when all plaquettes are done. 96 numbers per site.

#include "trellis/gauge/streaming.hpp"
#include "trellis/lattice/field.hpp"

namespace trellis::gauge {

// The algebra elements of another site, with lanes permuted if the step left its block.
template <int Components, class T, int W>
TRELLIS_INLINE Algebra<lanes_t<T, W>> algebra_at(const Access<T, Components, W>& field, const Neighbours& next, Hop hop,
                                                 int component) {
  Algebra<lanes_t<T, W>> a;
  for (int k = 0; k < 8; k += 2) {
    const auto pair = field.load_complex(hop.tile, (component + k) / 2);
    a.p[k] = pair.re;
    a.p[k + 1] = pair.im;
  }
  if (hop.shift != 0) [[unlikely]] {
    const std::int32_t* lanes = next.permutation(hop.shift);
    for (int k = 0; k < 8; ++k) a.p[k] = permute(a.p[k], lanes);
  }
  return a;
}

inline constexpr int share_components = 96;

template <class T, int W>
struct ShareAccess : Access<T, share_components, W> {
  using S = lanes_t<T, W>;

  // Stores the contribution of the plaquette of x in the plane mu nu to U_mu(x + nu).
  TRELLIS_INLINE void stream_share(int tile, int mu, int nu, const S& weight, const Algebra<S>& share) const {
    Algebra<S> weighted;
    for (int k = 0; k < 8; ++k) weighted.p[k] = weight * share.p[k];
    stream_algebra(*this, tile, place(mu, nu) / 8, weighted);
  }
  // Adds the contributions of the three planes to U_mu(x), in order. toward: 0 if they were stored by sites forward of
  // the link, as contributions to U_mu(x - nu).
  TRELLIS_INLINE Algebra<S> add_shares(const Neighbours& next, int tile, int mu, Algebra<S> sum,
                                       int toward = backward(0)) const {
    for (int nu = 0; nu < 4; ++nu)
      if (nu != mu) sum = sum + algebra_at(*this, next, next(tile, nu + toward), place(mu, nu));
    return sum;
  }
  // Prefetches what add_shares() will read. A share is read only once, so no neighbour has loaded it.
  TRELLIS_INLINE void prefetch_shares(const Neighbours& next, int tile, int mu, int toward = backward(0)) const {
    for (int nu = 0; nu < 4; ++nu)
      if (nu != mu) this->prefetch(next(tile, nu + toward).tile, place(mu, nu) / 8, share_components / 8);
  }

 private:
  TRELLIS_INLINE static constexpr int place(int mu, int nu) { return 8 * (3 * mu + (nu > mu ? nu - 1 : nu)); }
};

template <class T, int W>
class PlaquetteShares {
 public:
  using scalar = T;
  using view_type = FieldView<T* [share_components], FieldLayout<W>>;

  PlaquetteShares() = default;
  explicit PlaquetteShares(const Lattice& lattice)
      : lattice_(std::make_shared<const Lattice>(lattice)), view_("shares of plaquettes", lattice.places()) {}
  const Lattice& lattice() const { return *lattice_; }
  double own_part() const { return double(lattice_->local_volume()) / double(lattice_->places()); }
  // Begins to fill the ghosts that add_shares() reads; with toward = 0 those at forward faces.
  ExchangeUnderWay exchange(Faces faces = Faces::backward) const {
    const HaloPart part = plain_part(view_.data(), int(sizeof(T)) * lane_group, share_components / lane_group);
    return {*lattice_, Halo::both, Reach::near, faces, {&part, 1}};
  }
  const view_type& view() const { return view_; }
  ShareAccess<T, W> access() const { return {{view_.data()}}; }

 private:
  std::shared_ptr<const Lattice> lattice_;
  view_type view_;
};

}  // namespace trellis::gauge
