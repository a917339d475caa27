// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/wilson_links.hpp"

#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/core/phase.hpp"
#include "trellis/dirac/stencil/link_storage.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/compression.hpp"

namespace trellis::dirac {

HopCoefficient wilson_coefficient(const HopWeights& weights, const Coordinate& size) {
  return [=](const Coordinate& x, int step) {
    const int mu = step % 4;
    if (!weights.slices.have_hop(x[3], mu < 3 ? 0 : step < 4 ? 1 : -1)) return std::complex<double>(0);
    const double weight = mu < 3 ? weights.spatial : 1;
    if (x[mu] != (step < 4 ? size[mu] - 1 : 0)) return std::complex<double>(weight);
    const std::complex<double> phase = phase_of(weights.boundary_angle_over_pi[mu]);
    return weight * (step < 4 ? phase : std::conj(phase));
  };
}

namespace {

void require_valid(const HopWeights& weights) {
  if (!(weights.spatial > 0 && std::isfinite(weights.spatial)))
    fail_input("Wilson operator: the weight of spatial hops is {}; it must be positive", weights.spatial);
  for (const double angle : weights.boundary_angle_over_pi)
    if (!std::isfinite(angle)) fail_input("Wilson operator: a boundary angle is {}", angle);
}

template <class T, int W>
HostView<std::uint8_t*> marks_of(const HopTable<T, W>& factors, const Lattice& lattice) {
  std::vector<bool> is_one(std::size_t(factors.distinct()), true);
  for (int number = 0; number < factors.distinct(); ++number)
    for (int lane = 0; lane < W; ++lane)
      if (factors.host_value(number, lane) != std::complex<T>(1)) is_one[std::size_t(number)] = false;
  HostView<std::uint8_t*> marks("marked hops", lattice.tiles_and_ghosts());
  for (int n = 0; n < lattice.tiles(); ++n) {
    const int tile = lattice.own_tile(n);
    for (int step = 0; step < 8; ++step)
      if (!is_one[std::size_t(factors.host_numbers()[8 * std::int64_t(tile) + step])])
        marks(tile) = std::uint8_t(marks(tile) | 1 << step);
  }
  return marks;
}

template <class T, int W>
TRELLIS_INLINE void store_link(const Matrix<lanes_t<arithmetic_t<T>, W>>& u, LinkFormat format, stored_t<T>* to) {
  if (format == LinkFormat::minimal) {
    lanes_t<arithmetic_t<T>, W> numbers[8];
    compress8(u, numbers);
    for (int k = 0; k < 4; ++k)
      store_link_number<T, 8>(to, k, complex<lanes_t<arithmetic_t<T>, W>>{numbers[2 * k], numbers[2 * k + 1]});
    return;
  }
  if (format == LinkFormat::full)
    for (int k = 0; k < 9; ++k) store_link_number<T, 18>(to, k, u.e[k / 3][k % 3]);
  else
    for (int k = 0; k < 6; ++k) store_link_number<T, 12>(to, k, u.e[k / 3][k % 3]);
}

}  // namespace

template <class T, int W>
WilsonLinks<T, W>::WilsonLinks(const Lattice& lattice, LinkFormat format, const HopWeights& weights)
    : lattice_(std::make_shared<const Lattice>(lattice)),
      format_(format),
      weights_((require_valid(weights), weights)),
      factors_(lattice, wilson_coefficient(weights, lattice.size())),
      marks_(in_field_memory(marks_of(factors_, lattice))),
      packed_("packed links", lattice.places() * 8 * int(format)) {
  if (is_fixed_point<T> && format == LinkFormat::minimal)
    fail_input("Wilson operator: links of eight numbers are not stored in 16 bits; 18 and 12 are");
  if (!weights.slices.is_periodic() && format == LinkFormat::minimal)
    fail_input("Wilson operator: links of eight numbers cannot hold those of boundaries in time; 18 and 12 can");
  require_valid(weights.slices, lattice.size());
  if (lattice.lanes() != W) fail("packed links: {} lanes, their lattice {}", W, lattice.lanes());
  if (lattice.order() != SiteOrder::even_odd) fail("packed links: their lattice is not in even/odd order");
}

template <class T, int W>
void WilsonLinks<T, W>::pack(const GaugeField<real, W>& u) const {
  using S = lanes_t<real, W>;
  if (!(u.lattice() == *lattice_)) fail("packed links: the gauge field is on another lattice");
  const auto links = u.access();
  stored_t<T>* to = packed_.data();
  const LinkFormat format = format_;
  const int reals = int(format) * W;
  for_each_tile(
      {"pack links", bytes_of(u) + double(packed_.size()) * sizeof(stored_t<T>)}, *lattice_, TRELLIS_KERNEL(int tile) {
        for (int step = 0; step < 8; ++step) {
          const int mu = step % 4;
          const Matrix<S> v =
              step < 4 ? links.link(tile, mu) : adjoint(links.link(links.neighbours(tile, backward(mu)), mu));
          store_link<T, W>(v, format, to + (8 * std::int64_t(tile) + step) * reals);
        }
      });
}

#define TRELLIS_INSTANTIATE(T, W) template class WilsonLinks<T, W>;
TRELLIS_FOR_EACH_STORAGE(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::dirac
