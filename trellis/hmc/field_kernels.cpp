// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/field_kernels.hpp"

#include <cmath>

#include "trellis/core/lanes.hpp"
#include "trellis/gauge/link_halo.hpp"
#include "trellis/gauge/smearing/largest_number.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/su3/exponential.hpp"
#include "trellis/su3/projection.hpp"

namespace trellis::hmc {

namespace {

template <int Components, class A, int W>
double largest_difference_of(const Kernel& kernel, const Lattice& lattice, const A& a, const A& b) {
  using D = lanes_t<double, W>;
  const gauge::LargestNumber<W> differences(lattice);
  const auto out = differences.access();
  for_each_tile(
      kernel, lattice, TRELLIS_KERNEL(int tile) {
        D most = D(0.0);
        for (int c = 0; c < Components; ++c)
          most = out.larger(most, convert<double>(abs(a.load(tile, c) - b.load(tile, c))));
        out.keep(tile, most);
      });
  return differences.largest();
}

// |a - b|^2 of one link.
template <class T, int W>
TRELLIS_INLINE lanes_t<double, W> square(const AlgebraAccess<T, W>& a, const AlgebraAccess<T, W>& b, int tile, int mu) {
  return convert<double>(norm(a.at(tile, mu) - b.at(tile, mu)));
}

}  // namespace

template <class T, int W>
MomentumNorm distance(const AlgebraField<T, W>& p, const AlgebraField<T, W>& q) {
  using D = lanes_t<double, W>;
  const auto a = p.access(), b = q.access();
  const double bytes = bytes_of(p, q), flops = 96 * double(p.lattice().local_volume());
  const gauge::LargestNumber<W> squares(p.lattice());
  const auto out = squares.access();
  const double sum = sum_over_tiles<D, 1>(
      {"momentum norm", bytes, flops}, p.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        D most = D(0.0);
        for (int mu = 0; mu < 4; ++mu) {
          const D v = square(a, b, tile, mu);
          sums[0].add(v);
          most = out.larger(most, v);
        }
        out.keep(tile, most);
      })[0];
  return {std::sqrt(sum / (4 * double(p.lattice().volume()))), std::sqrt(squares.largest())};
}

template <class T, int W>
double inner_product(const AlgebraField<T, W>& p, const AlgebraField<T, W>& q) {
  using D = lanes_t<double, W>;
  const auto a = p.access(), b = q.access();
  const double bytes = bytes_of(p, q), flops = 64 * double(p.lattice().local_volume());
  return sum_over_tiles<D, 1>(
      {"momentum product", bytes, flops}, p.lattice(), TRELLIS_KERNEL(int tile, ExactAccumulator<D>* sums) {
        for (int mu = 0; mu < 4; ++mu) {
          D product = D(0.0);
          for (int c = 8 * mu; c < 8 * mu + 8; ++c)
            product = fma(convert<double>(a.load(tile, c)), convert<double>(b.load(tile, c)), product);
          sums[0].add(product);
        }
      })[0];
}

template <class T, int W>
void set_zero(const AlgebraField<T, W>& p) {
  using S = lanes_t<T, W>;
  const auto momenta = p.access();
  for_each_tile(
      {"zero momenta", bytes_of(p)}, p.lattice(), TRELLIS_KERNEL(int tile) {
        for (int c = 0; c < 32; ++c) momenta.store(tile, c, S(T(0)));
      });
}

template <class T, int W>
void set_zero(const GaugeField<T, W>& u) {
  using S = lanes_t<T, W>;
  const auto links = u.access();
  for_each_tile(
      {"zero links", bytes_of(u)}, u.lattice(), TRELLIS_KERNEL(int tile) {
        for (int c = 0; c < 72; ++c) links.store(tile, c, S(T(0)));
      });
}

template <class T, int W>
void add_scaled(double factor, const GaugeField<T, W>& from, const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto source = from.access(), target = to.access();
  const T scale = T(factor);
  for_each_tile(
      {"add links", bytes_of(from, to, to), double(to.lattice().local_volume()) * 144, is_single<T>}, to.lattice(),
      TRELLIS_KERNEL(int tile) {
        for (int c = 0; c < 72; ++c) target.store(tile, c, fma(S(scale), source.load(tile, c), target.load(tile, c)));
      });
}

template <class T, int W>
void displace_links(double step, const AlgebraField<T, W>& p, const GaugeField<T, W>& from,
                    const GaugeField<T, W>& to) {
  using S = lanes_t<T, W>;
  const auto momenta = p.access();
  const auto source = from.access(), target = to.access();
  const Kernel kernel{"displace links", bytes_of(p, from, to),
                      double(p.lattice().local_volume()) * 4 * (700 + product_flops), is_single<T>};
  for_each_tile(
      kernel, to.lattice(), TRELLIS_KERNEL(int tile) {
        for (int mu = 0; mu < 4; ++mu) {
          const Matrix<S> rotation = exp_i(S(T(step)) * to_matrix(momenta.at(tile, mu)));
          target.set_link(tile, mu, reunitarise_if<is_single<T>>(rotation * source.link(tile, mu)));
        }
      });
  if constexpr (is_single<T>)
    gauge::exchange_unitary(to, Reach::corners);
  else
    to.exchange(Reach::corners);
}

template <int W>
void round_to_single(const AlgebraField<double, W>& p) {
  const auto momenta = p.access();
  for_each_tile(
      {"round momenta", bytes_of(p, p)}, p.lattice(), TRELLIS_KERNEL(int tile) {
        for (int c = 0; c < 32; ++c) momenta.store(tile, c, convert<double>(convert<float>(momenta.load(tile, c))));
      });
}

template <class T, int W>
void negate(const AlgebraField<T, W>& p) {
  const auto momenta = p.access();
  for_each_tile(
      {"negate momenta", bytes_of(p, p)}, p.lattice(), TRELLIS_KERNEL(int tile) {
        for (int c = 0; c < 32; ++c) momenta.store(tile, c, -momenta.load(tile, c));
      });
}

template <class T, int W>
double largest_difference(const GaugeField<T, W>& u, const GaugeField<T, W>& v) {
  return largest_difference_of<72, GaugeAccess<T, W>, W>({"difference of links", bytes_of(u, v)}, u.lattice(),
                                                         u.access(), v.access());
}

template <class T, int W>
double largest_difference(const AlgebraField<T, W>& p, const AlgebraField<T, W>& q) {
  return largest_difference_of<32, AlgebraAccess<T, W>, W>({"difference of momenta", bytes_of(p, q)}, p.lattice(),
                                                           p.access(), q.access());
}

#define TRELLIS_INSTANTIATE(T, W)                                                                \
  template MomentumNorm distance<T, W>(const AlgebraField<T, W>&, const AlgebraField<T, W>&);    \
  template void set_zero<T, W>(const AlgebraField<T, W>&);                                       \
  template void set_zero<T, W>(const GaugeField<T, W>&);                                         \
  template void add_scaled<T, W>(double, const GaugeField<T, W>&, const GaugeField<T, W>&);      \
  template void displace_links<T, W>(double, const AlgebraField<T, W>&, const GaugeField<T, W>&, \
                                     const GaugeField<T, W>&);
TRELLIS_FOR_EACH_REAL(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE
#define TRELLIS_INSTANTIATE(W)                                                                               \
  template double inner_product<double, W>(const AlgebraField<double, W>&, const AlgebraField<double, W>&);  \
  template void round_to_single<W>(const AlgebraField<double, W>&);                                          \
  template void negate<double, W>(const AlgebraField<double, W>&);                                           \
  template double largest_difference<double, W>(const GaugeField<double, W>&, const GaugeField<double, W>&); \
  template double largest_difference<double, W>(const AlgebraField<double, W>&, const AlgebraField<double, W>&);
TRELLIS_FOR_EACH_DOUBLE_LANE_COUNT(TRELLIS_INSTANTIATE)
#undef TRELLIS_INSTANTIATE

}  // namespace trellis::hmc
