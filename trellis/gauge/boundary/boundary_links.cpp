// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/boundary/boundary_links.hpp"

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/boundary/active_links.hpp"
#include "trellis/gauge/boundary/time_slices.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/abelian.hpp"

namespace trellis::gauge {

namespace {

// The links of a slice in directions first to last - 1.
enum class Value { zero, one, phi, phi_prime };
struct Inactive {
  int slice, first, last;
  Value value;
};

std::vector<Inactive> inactive(const Boundary& boundary, const Coordinate& size) {
  const int end = boundary.last_slice(size);
  if (boundary.is_periodic()) return {};
  if (boundary.kind == BoundaryKind::open) return {{end, 3, 4, Value::zero}};
  std::vector<Inactive> links{{0, 0, 3, Value::phi}, {end, 0, 3, Value::phi_prime}, {end, 3, 4, Value::one}};
  if (end + 1 < size[3]) links.push_back({end + 1, 0, 4, Value::one});
  return links;
}

Matrix<double> value_of(Value value, const Boundary& boundary, int extent) {
  switch (value) {
    case Value::zero:
      return Matrix<double>::zero();
    case Value::one:
      return Matrix<double>::one();
    default:
      return abelian_link(value == Value::phi ? boundary.phi : boundary.phi_prime, extent);
  }
}

}  // namespace

template <class T, int W>
void set_inactive(const Boundary& boundary, const GaugeField<T, W>& u, int mu) {
  using S = lanes_t<T, W>;
  const Lattice& lattice = u.lattice();
  const auto access = u.access();
  for (const Inactive& links : inactive(boundary, lattice.size())) {
    if (mu < links.first || mu >= links.last) continue;
    const TimeSlice slice(lattice, links.slice);
    const Matrix<double> value = value_of(links.value, boundary, lattice.size(mu));
    for_each_tile(
        "links at boundaries", lattice, TRELLIS_KERNEL(int tile) {
          const mask_t<S> here = slice.template lanes_of<S>(tile);
          if (!any(here)) return;
          Matrix<S> link = access.link(tile, mu);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
              link.e[i][j] = select(here, complex<S>{S(T(value.e[i][j].re)), S(T(value.e[i][j].im))}, link.e[i][j]);
          access.set_link(tile, mu, link);
        });
  }
}

template <class T, int W>
void impose_boundary(const Boundary& boundary, const GaugeField<T, W>& u) {
  if (boundary.is_periodic()) return;
  for (int mu = 0; mu < 4; ++mu) set_inactive(boundary, u, mu);
  u.exchange(Reach::corners);
}

template <class T, int W>
void clear_inactive(const Boundary& boundary, const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const Lattice& lattice = p.lattice();
  for (const Inactive& links : inactive(boundary, lattice.size())) {
    const TimeSlice slice(lattice, links.slice);
    const auto momenta = p.access();
    const int first = links.first, last = links.last;
    for_each_tile(
        "momenta at boundaries", lattice, TRELLIS_KERNEL(int tile) {
          const mask_t<S> here = slice.template lanes_of<S>(tile);
          if (!any(here)) return;
          for (int k = 8 * first; k < 8 * last; ++k)
            momenta.store(tile, k, select(here, S(T(0)), momenta.load(tile, k)));
        });
  }
}

template <class T, int W>
void keep_inactive(const Boundary& boundary, const GaugeField<T, W>& from, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  if (boundary.is_periodic()) return;
  const ActiveLinks active(boundary, to.lattice());
  const auto in = from.access(), out = to.access();
  for_each_tile(
      "links kept at boundaries", to.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) {
          const mask_t<S> changes = active.template lanes_of<S>(tile, mu);
          if (all(changes)) continue;
          const Matrix<S> before = in.link(tile, mu);
          Matrix<S> link = out.link(tile, mu);
          for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) link.e[i][j] = select(changes, link.e[i][j], before.e[i][j]);
          out.set_link(tile, mu, link);
        }
      });
}

#define TRELLIS_INSTANTIATE(T, W)                                                  \
  template void set_inactive<T, W>(const Boundary&, const GaugeField<T, W>&, int); \
  template void impose_boundary<T, W>(const Boundary&, const GaugeField<T, W>&);   \
  template void clear_inactive<T, W>(const Boundary&, const AlgebraField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W) \
  template void keep_inactive<double, W>(const Boundary&, const GaugeField<double, W>&, const GaugeField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
