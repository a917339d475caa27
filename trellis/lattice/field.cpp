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
}  // namespace

template <class T, int W>
GaugeField<T, W>::GaugeField(const Lattice& lattice, std::string_view label)
    : lattice_(std::make_shared<const Lattice>(lattice)), view_(label, lattice.volume()) {
  require_lanes(lattice, W, label);
}

template <class T, int W>
GaugeField<T, W> GaugeField<T, W>::unit(const Lattice& lattice) {
  using S = lanes_t<T, W>;
  GaugeField u(lattice);
  const auto links = u.access();
  for_each_tile({"unit links", bytes_of(u)}, lattice, [=](int tile) {
    for (int mu = 0; mu < 4; ++mu) links.set_link(tile, mu, Matrix<S>::one());
  });
  return u;
}

template <class T, int W>
GaugeField<T, W> GaugeField<T, W>::clone() const {
  GaugeField copy(lattice(), view_.label());
  copy.copy_from(*this);
  return copy;
}

template <class T, int W>
std::array<double, 18> GaugeField<T, W>::link(const Coordinate& x, int mu) const {
  const std::int64_t site = lattice().index(x);
  std::array<double, 18> u;
  for (int k = 0; k < 18; ++k) u[k] = view_(site, mu, k / 6, k % 6 / 2, k % 2);
  return u;
}

template <class T, int W>
void GaugeField<T, W>::set_link(const Coordinate& x, int mu, std::span<const double, 18> u) const {
  const std::int64_t site = lattice().index(x);
  for (int k = 0; k < 18; ++k) view_(site, mu, k / 6, k % 6 / 2, k % 2) = T(u[k]);
}

template <class T, int W>
AlgebraField<T, W>::AlgebraField(const Lattice& lattice, std::string_view label)
    : lattice_(std::make_shared<const Lattice>(lattice)), view_(label, lattice.volume()) {
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
  const std::int64_t site = lattice().index(x);
  std::array<double, 8> p;
  for (int k = 0; k < 8; ++k) p[k] = view_(site, mu, k);
  return p;
}

template <class T, int W>
void AlgebraField<T, W>::set(const Coordinate& x, int mu, std::span<const double, 8> p) const {
  const std::int64_t site = lattice().index(x);
  for (int k = 0; k < 8; ++k) view_(site, mu, k) = T(p[k]);
}

template <class To, int WTo, class From, int WFrom>
GaugeField<To, WTo> convert_links(const GaugeField<From, WFrom>& from, const Lattice& lattice) {
  if (from.lattice().size() != lattice.size()) fail("convert_links: the two lattices differ in size");
  const GaugeField<To, WTo> to(lattice);
  parallel_for({"convert links", bytes_of(from, to)}, RangePolicy<FieldSpace>(0, lattice.volume()), [=](Index n) {
    const Coordinate x = to.lattice().coordinate(n);
    for (int mu = 0; mu < 4; ++mu) to.set_link(x, mu, from.link(x, mu));
  });
  return to;
}

#define TRELLIS_CONVERT(W)                                                                                          \
  template GaugeField<double, W> convert_links<double, W, double, 1>(const GaugeField<double, 1>&, const Lattice&); \
  template GaugeField<float, W> convert_links<float, W, double, 1>(const GaugeField<double, 1>&, const Lattice&);
#define TRELLIS_INSTANTIATE(W)           \
  template class GaugeField<float, W>;   \
  template class GaugeField<double, W>;  \
  template class AlgebraField<float, W>; \
  template class AlgebraField<double, W>;
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_INSTANTIATE)
TRELLIS_FOR_EACH_LANE_COUNT(TRELLIS_CONVERT)

}  // namespace trellis
