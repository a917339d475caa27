// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/fixing/gauge_transformation.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/active_links.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis::gauge {
namespace {

// Not in the constructor, whose address nvcc cannot take.
template <class T, int W>
void set_to_one(const GaugeTransformation<T, W>& transformation) {
  const auto g = transformation.access();
  for_each_tile(
      {"unit transformation", bytes_of(transformation)}, transformation.lattice(),
      TRELLIS_KERNEL(int tile) { g.set(tile, Matrix<lanes_t<T, W>>::one()); });
}

}  // namespace

template <class T, int W>
GaugeTransformation<T, W>::GaugeTransformation(const Lattice& lattice)
    : lattice_(std::make_shared<const Lattice>(lattice)), view_("gauge transformation", lattice.places()) {
  if (lattice.lanes() != W) fail("gauge transformation: {} lanes, its lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("gauge transformation: its lattice is not in even/odd order");
  set_to_one(*this);
  exchange();
}

template <class T, int W>
HaloPart GaugeTransformation<T, W>::halo_part(int parity) const {
  T* const first = view_.data() + Index(lattice_->first_tile(parity)) * 18 * W;
  return plain_part(first, int(sizeof(T)) * lane_group, 18 / lane_group);
}

template <class T, int W>
void GaugeTransformation<T, W>::exchange() const {
  exchange_ghosts(*lattice_, view_, 18, Reach::near);
}

template <class T, int W>
void transform_links(const GaugeTransformation<T, W>& g, const GaugeField<T, W>& u, const Boundary& boundary) {
  using S = lanes_t<T, W>;
  const ActiveLinks active(boundary, u.lattice());
  const auto rotation = g.access();
  const auto links = u.access();
  const Kernel kernel{"gauge transformation", bytes_of(g, u, u), double(u.lattice().local_volume()) * 8 * product_flops,
                      is_single<T>};
  for_each_tile(
      kernel, u.lattice(), TRELLIS_KERNEL(int tile) {
        const Matrix<S> here = rotation.at(tile);
        for (int mu = 0; mu < 4; ++mu) {
          const Matrix<S> before = links.link(tile, mu);
          Matrix<S> link = multiply_adjoint(here * before, rotation.at(links.neighbours(tile, mu)));
          if (const mask_t<S> changes = active.template lanes_of<S>(tile, mu); !all(changes))
            for (int i = 0; i < 3; ++i)
              for (int j = 0; j < 3; ++j) link.e[i][j] = select(changes, link.e[i][j], before.e[i][j]);
          links.set_link(tile, mu, link);
        }
      });
  u.exchange(Reach::corners);
}

#define TRELLIS_INSTANTIATE(W)                                                                                  \
  template class GaugeTransformation<double, W>;                                                                \
  template void transform_links<double, W>(const GaugeTransformation<double, W>&, const GaugeField<double, W>&, \
                                           const Boundary&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
