// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/lattice/field.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/lattice/dispatch.hpp"

namespace trellis {

namespace {
void require_lanes(const Lattice& lattice, int lanes, std::string_view label) {
  if (lattice.lanes() != lanes) fail("field '{}' has {} lanes, its lattice {}", label, lanes, lattice.lanes());
}
void require_direction(int mu) {
  if (mu < 0 || mu > 3) fail("direction {} of a link; there are 0 to 3", mu);
}
}  // namespace

template <class T, int W>
GaugeField<T, W>::GaugeField(const Lattice& lattice, std::string_view label)
    : lattice_(std::make_shared<const Lattice>(lattice)), view_(label, lattice.places()) {
  require_lanes(lattice, W, label);
}

template <class T, int W>
GaugeField<T, W> GaugeField<T, W>::unit(const Lattice& lattice) {
  using S = lanes_t<T, W>;
  GaugeField u(lattice);
  const auto links = u.access();
  for_each_tile(
      {"unit links", bytes_of(u)}, lattice, TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) links.set_link(tile, mu, Matrix<S>::one());
      });
  u.exchange();
  return u;
}

template <class T, int W>
GaugeField<T, W> GaugeField<T, W>::clone() const {
  GaugeField copy(lattice(), view_.label());
  copy.copy_from(*this);
  return copy;
}

template <class T, int W>
void GaugeField<T, W>::exchange(Reach reach, Faces faces) const {
  exchange_ghosts(lattice(), view_, 72, reach, faces);
}

template <class T, int W>
void AlgebraField<T, W>::exchange(Reach reach, Faces faces) const {
  exchange_ghosts(lattice(), view_, 32, reach, faces);
}

template <class T, int W>
std::array<double, 18> GaugeField<T, W>::link(const Coordinate& x, int mu) const {
  require_direction(mu);
  return read_site<18>(view_, lattice().index(x), mu, 4);
}

template <class T, int W>
void GaugeField<T, W>::set_link(const Coordinate& x, int mu, std::span<const double, 18> u) const {
  require_direction(mu);
  write_site(view_, lattice().index(x), mu, 4, u);
}

template <class T, int W>
AlgebraField<T, W>::AlgebraField(const Lattice& lattice, std::string_view label)
    : lattice_(std::make_shared<const Lattice>(lattice)), view_(label, lattice.places()) {
  require_lanes(lattice, W, label);
}

template <class T, int W>
AlgebraField<T, W> AlgebraField<T, W>::clone() const {
  AlgebraField copy(lattice(), view_.label());
  copy.copy_from(*this);
  return copy;
}

template <class T, int W>
std::array<double, 8> AlgebraField<T, W>::at(const Coordinate& x, int mu) const {
  require_direction(mu);
  return read_site<8>(view_, lattice().index(x), mu, 4);
}

template <class T, int W>
void AlgebraField<T, W>::set(const Coordinate& x, int mu, std::span<const double, 8> p) const {
  require_direction(mu);
  write_site(view_, lattice().index(x), mu, 4, p);
}

#define TRELLIS_INSTANTIATE(T, W)  \
  template class GaugeField<T, W>; \
  template class AlgebraField<T, W>;
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis
