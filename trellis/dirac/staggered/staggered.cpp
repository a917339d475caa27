// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/staggered/staggered.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/dirac/staggered/staggered_definition.hpp"
#include "trellis/dirac/stencil/link_storage.hpp"

namespace trellis::dirac {

template <class T, int W>
StaggeredLinks<T, W>::StaggeredLinks(const Lattice& lattice, const HopSettings& settings)
    : lattice_(std::make_shared<const Lattice>(lattice)),
      settings_(settings),
      packed_("packed links", lattice.places()) {
  if (lattice.lanes() != W) fail("packed links: {} lanes, their lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("packed links: their lattice is not in even/odd order");
}

template <class T, int W>
void StaggeredLinks<T, W>::pack(const GaugeField<arithmetic_t<T>, W>& u) const {
  using S = lanes_t<arithmetic_t<T>, W>;
  if (!(u.lattice() == *lattice_)) fail("packed links: the gauge field is on another lattice");
  const auto links = u.access();
  const Access<stored_t<T>, 96, W> to{packed_.data()};
  const Kernel cost{"pack links", bytes_of(u) + double(packed_.size()) * sizeof(stored_t<T>)};
  for_each_tile(
      cost, *lattice_, TRELLIS_KERNEL(int tile) {
        for (int step = 0; step < 8; ++step) {
          const int mu = step % 4;
          const Matrix<S> v =
              step < 4 ? links.link(tile, mu) : adjoint(links.link(links.neighbours(tile, backward(mu)), mu));
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 3; ++j) store_link_number<T, 12>(to.at(tile) + 12 * W * step, 3 * i + j, v.e[i][j]);
        }
      });
}

#define TRELLIS_INSTANTIATE(T, W) template class StaggeredLinks<T, W>;
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W) TRELLIS_INSTANTIATE_OPERATOR(double, W, double)
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W) TRELLIS_INSTANTIATE_OPERATOR(Fixed16, W, Fixed16)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
