// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/smearing/improved/unitary_projection.hpp"

#include <array>
#include <limits>
#include <vector>

#include "trellis/core/error.hpp"
#include "trellis/core/lanes.hpp"
#include "trellis/core/mirror.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/unitarisation_derivative.hpp"

namespace trellis::gauge {

namespace {

// One number for each link: 1 / its smallest singular value, roughly; [tile][mu][lane].
template <int W>
using LinkNumbers = FieldView<double*, SingleLayout<W>>;

// Names the first link, in lexicographic order, whose number is above the limit. All ranks take part.
template <int W>
[[noreturn]] void fail_at_unsafe_link(const Lattice& lattice, const LinkNumbers<W>& numbers, double limit) {
  const auto found = create_mirror_view_and_copy(HostSpace{}, numbers);
  std::array<double, 2> first{-std::numeric_limits<double>::infinity(), 0};  // minus 4 n + mu; its number
  std::vector<std::int64_t> sites(W);
  for (int n = 0; n < lattice.tiles(); ++n) {
    const int tile = lattice.own_tile(n);
    lattice.sites(tile, sites.data());
    for (int mu = 0; mu < 4; ++mu)
      for (int lane = 0; lane < W; ++lane) {
        const double number = found((Index(tile) * 4 + mu) * W + lane);
        const double place = -double(4 * sites[std::size_t(lane)] + mu);
        if (!(number <= limit) && place > first[0]) first = {place, number};
      }
  }
  double place = first[0];
  lattice.ranks().maximum("unsafe links", {&place, 1});
  double number = first[0] == place ? first[1] : 0;
  lattice.ranks().maximum("unsafe links", {&number, 1});
  const auto link = static_cast<std::int64_t>(-place);
  const Coordinate x = lattice.coordinate(link / 4);
  fail(
      "the smeared link at site ({}, {}, {}, {}) in direction {} cannot be projected to U(3) safely: its smallest "
      "singular value is "
      "about {:.1e}, and at least {:.1e} is needed",
      x[0], x[1], x[2], x[3], "xyzt"[link % 4], 1 / number, 1 / limit);
}

// Where v is zero; if not `wanted`, nowhere, and then v is not looked at.
template <class S>
TRELLIS_INLINE mask_t<S> zeros(const Matrix<S>& v, bool wanted) {
  const S none = S(scalar_t<S>(0));
  return wanted ? !(real_trace_adjoint(v, v) > none) : none > none;
}

}  // namespace

template <class T, int W>
void project_to_unitary(const GaugeField<T, W>& v, const GaugeField<T, W>& w, bool keep_zeros) {
  const Lattice& lattice = v.lattice();
  const LinkNumbers<W> numbers("singular values of links", lattice.places() * 4);
  const SiteNumbers<W> found{numbers.data()};
  const auto from = v.access(), to = w.access();
  const Kernel kernel{"projection to U(3)", bytes_of(v, w), double(lattice.local_volume()) * 4 * unitarisation_flops,
                      is_single<T>};
  for_each_link(
      kernel, lattice, TRELLIS_KERNEL(int tile, int following, int mu) {
        using S = lanes_t<T, W>;
        using D = lanes_t<double, W>;
        from.prefetch(following, mu, 4);
        Matrix<S> link = from.link(tile, mu);
        const mask_t<S> none = zeros(link, keep_zeros);
        if (keep_zeros) link = select(none, Matrix<S>::one(), link);
        const auto part = unitary_part(link);
        to.set_link(tile, mu, keep_zeros ? select(none, Matrix<S>::zero(), part.w) : part.w);
        found.keep(4 * tile + mu, found.larger(D(0.0), D(1.0) / convert<double>(part.smallest)));
      });
  double largest = largest_number(numbers.data(), Index(numbers.size()));
  lattice.ranks().maximum("singular values of links", {&largest, 1});
  const double limit = 1 / smallest_safe_value<T>;
  if (largest > limit) fail_at_unsafe_link<W>(lattice, numbers, limit);
  w.exchange(Reach::corners);
}

template <class T, int W>
double transpose_projection(const GaugeField<T, W>& v, const GaugeField<T, W>& w, const GaugeField<T, W>* by_w,
                            double cut_off, const GaugeField<T, W>& gradient, bool keep_zeros) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const bool more = by_w != nullptr;
  const auto from = v.access(), to = w.access(), g = gradient.access(), d = more ? by_w->access() : to;
  const T bound = T(cut_off);
  const Lattice& lattice = v.lattice();
  const Kernel kernel{"derivative of the projection", bytes_of(v, w, gradient, gradient) + (more ? bytes_of(v) : 0.0),
                      double(lattice.local_volume()) * 4 * unitarisation_derivative_flops, is_single<T>};
  const auto transpose = TRELLIS_LAMBDA(int tile, int following, int mu) {
    from.prefetch(following, mu, 4);
    to.prefetch(following, mu, 4);
    g.prefetch(following, mu, 4);
    Matrix<S> by = adjoint(g.link(tile, mu));
    if (more) by = by + d.link(tile, mu);
    Matrix<S> link = from.link(tile, mu), unitary = to.link(tile, mu);
    const mask_t<S> none = zeros(link, keep_zeros);
    if (keep_zeros) {
      const Matrix<S> one = Matrix<S>::one();
      link = select(none, one, link);
      unitary = select(none, one, unitary);
    }
    const auto back = unitarisation_derivative(link, unitary, by, bound);
    g.set_link(tile, mu, keep_zeros ? select(none, Matrix<S>::zero(), back.by_v) : back.by_v);
    return select(back.filtered, S(T(1)), S(T(0)));
  };
  if (cut_off == 0) {
    for_each_link(kernel, lattice, TRELLIS_KERNEL(int tile, int following, int mu) { transpose(tile, following, mu); });
    return 0;
  }
  return sum_over_tiles<D, 1>(
      kernel, lattice, TRELLIS_KERNEL(int tile, int following, ExactAccumulator<D>* sums) {
        D count = D(0.0);
        for (int mu = 0; mu < 4; ++mu) count = count + convert<double>(transpose(tile, following, mu));
        sums[0].add(count);
      })[0];
}

#define TRELLIS_INSTANTIATE(T, W)                                                                                 \
  template void project_to_unitary(const GaugeField<T, W>&, const GaugeField<T, W>&, bool);                       \
  template double transpose_projection(const GaugeField<T, W>&, const GaugeField<T, W>&, const GaugeField<T, W>*, \
                                       double, const GaugeField<T, W>&, bool);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::gauge
