// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#pragma once
// Operators for the tests of solvers, and vectors to apply them to. DiagonalOperator multiplies each site by its own
// number, so that every solution is known; LaplaceOperator couples neighbours, as the real ones do; HoppingOperator is
// also not Hermitian.

#include <cmath>

#include "tests/support/host_vectors.hpp"
#include "trellis/core/complex.hpp"
#include "trellis/core/random.hpp"
#include "trellis/lattice/dispatch.hpp"
#include "trellis/lattice/parity_field.hpp"

namespace trellis::test {

// A number in (0, 1) for a site.
inline double unit_number(const Lattice& lattice, const Coordinate& x, int draw = 0) {
  return RandomStream{7, 0, RandomPurpose::test}.uniform(std::uint64_t(lattice.lexicographic(x)), draw)[0];
}

// f(x) for each site of one parity.
template <class F>
void for_each_site(const Lattice& lattice, int parity, const F& f) {
  for (std::int64_t n = 0; n < lattice.volume(); ++n) {
    const Coordinate x = lattice.coordinate(n);
    if ((x[0] + x[1] + x[2] + x[3]) % 2 == parity) f(x);
  }
}

// Numbers in (-1, 1) that depend only on site, n and seed.
template <class V>
V random_vectors(const Lattice& lattice, int parity, int count, std::uint64_t seed = 1) {
  const V v(lattice, parity, count);
  const HostVectors<V> host(v);
  const RandomStream stream{seed, 0, RandomPurpose::test};
  for_each_site(lattice, parity, [&](const Coordinate& x) {
    for (int n = 0; n < count; ++n) {
      std::array<double, V::reals> values;
      for (int k = 0; k < V::reals; ++k)
        values[k] = 2 * stream.uniform(std::uint64_t(lattice.lexicographic(x)), std::uint32_t(n * V::reals + k))[0] - 1;
      host.set(x, values, n);
    }
  });
  host.write();
  return v;
}

// All numbers of vector n, site by site: equal for every lane count.
template <class V>
std::vector<double> numbers(const V& v, int n) {
  const HostVectors<V> host(v);
  std::vector<double> all;
  for_each_site(v.lattice(), v.parity(), [&](const Coordinate& x) {
    for (const double value : host.at(x, n)) all.push_back(value);
  });
  return all;
}

// Random numbers in (0.5, 1): four of a site's numbers.
template <class V>
void fill_weights(const V& weights) {
  const HostVectors<V> host(weights);
  for_each_site(weights.lattice(), weights.parity(), [&](const Coordinate& x) {
    std::array<double, 6> w{};
    for (int mu = 0; mu < 4; ++mu) w[mu] = 0.5 + 0.5 * unit_number(weights.lattice(), x, mu);
    host.set(x, w);
  });
  host.write();
}

// Kernels are in free functions: code compiled by nvcc may not be in a private member.
namespace kernels {

// out <- d in, and <in, out>
template <class T, int W, int Reals>
void multiply(const ParityField<arithmetic_t<T>, Reals, W>& factors, const ParityField<T, Reals, W>& in,
              const ParityField<T, Reals, W>& out, const FieldSums& products) {
  using S = lanes_t<arithmetic_t<T>, W>;
  using D = lanes_t<double, W>;
  const auto d = factors.access();
  const auto from = in.access(), to = out.access();
  sum_over_vectors<D>(
      "diagonal", in.lattice(), in.count(),
      TRELLIS_KERNEL(int tile, int n)->D {
        D sum = D(0.0);
        S v[Reals];
        from.load(tile, n, v);
        for (int k = 0; k < Reals; ++k) {
          const S image = d.load(tile, 0, k) * v[k];
          sum = fma(convert<double>(v[k]), convert<double>(image), sum);
          v[k] = image;
        }
        to.store(tile, n, v);
        return sum;
      },
      products);
}

// out <- m2 in - out, and <in, out>
template <class T, int W>
void subtract_from_mass(T m2, const ParityField<T, 6, W>& in, const ParityField<T, 6, W>& out,
                        const FieldSums& products) {
  using S = lanes_t<T, W>;
  using D = lanes_t<double, W>;
  const auto from = in.access(), to = out.access();
  sum_over_vectors<D>(
      "laplace", in.lattice(), in.count(),
      TRELLIS_KERNEL(int tile, int n)->D {
        D sum = D(0.0);
        for (int k = 0; k < 6; ++k) {
          const auto v = from.load(tile, n, k), image = fma(S(m2), v, -to.load(tile, n, k));
          to.store(tile, n, k, image);
          sum = fma(convert<double>(v), convert<double>(image), sum);
        }
        return sum;
      },
      products);
}

// out <- 1/4 sum_mu [ w_mu(x) in(x+mu) - w_mu(x-mu) in(x-mu) ], w on the sites of out and in
template <class T, int W>
void laplace_hop(const ParityField<T, 6, W>& in, const ParityField<T, 6, W>& out, const ParityField<T, 6, W>& w_here,
                 const ParityField<T, 6, W>& w_there) {
  using S = lanes_t<T, W>;
  const Neighbours next = in.lattice().neighbours();
  const int tiles = in.tiles(), in_first = in.parity() * tiles, out_first = out.parity() * tiles;
  const auto from = in.access(), to = out.access(), here = w_here.access(), there = w_there.access();
  for_each_vector(
      "hop", in.lattice(), in.count(), TRELLIS_KERNEL(int tile, int n) {
        for (int k = 0; k < 6; ++k) {
          S sum = S(T(0));
          for (int mu = 0; mu < 4; ++mu) {
            const Hop ahead = next(out_first + tile, mu), behind = next(out_first + tile, backward(mu));
            const int a = ahead.tile - in_first, b = behind.tile - in_first;
            sum = fma(here.load(tile, 0, mu), permute(from.load(a, n, k), next.permutation(ahead.shift)), sum);
            const S back = there.load(b, 0, mu) * from.load(b, n, k);
            sum = sum - permute(back, next.permutation(behind.shift));
          }
          to.store(tile, n, k, S(T(0.25)) * sum);
        }
      });
}

// out <- in - kappa out
template <class T, int W, int Reals>
void one_minus(arithmetic_t<T> kappa, const ParityField<T, Reals, W>& in, const ParityField<T, Reals, W>& out) {
  using S = lanes_t<arithmetic_t<T>, W>;
  const auto from = in.access(), to = out.access();
  for_each_vector(
      "one minus", in.lattice(), in.count(), TRELLIS_KERNEL(int tile, int n) {
        S v[Reals], image[Reals];
        from.load(tile, n, v);
        to.load(tile, n, image);
        for (int k = 0; k < Reals; ++k) image[k] = negated_fma(S(kappa), image[k], v[k]);
        to.store(tile, n, image);
      });
}

// out <- sum_mu [ a w_mu(x) in(x+mu) + c w_mu(x-mu) in(x-mu) ], w on the sites of out and in
template <class T, int W, int Reals>
void complex_hop(std::array<double, 2> a, std::array<double, 2> c, const ParityField<T, Reals, W>& in,
                 const ParityField<T, Reals, W>& out, const ParityField<arithmetic_t<T>, 6, W>& w_here,
                 const ParityField<arithmetic_t<T>, 6, W>& w_there) {
  using Number = arithmetic_t<T>;
  using S = lanes_t<Number, W>;
  using C = complex<S>;
  const Neighbours next = in.lattice().neighbours();
  const int tiles = in.tiles(), in_first = in.parity() * tiles, out_first = out.parity() * tiles;
  const auto from = in.access(), to = out.access();
  const auto here = w_here.access(), there = w_there.access();
  const complex<Number> ahead{Number(a[0]), Number(a[1])}, behind{Number(c[0]), Number(c[1])};
  for_each_vector(
      "hop", in.lattice(), in.count(), TRELLIS_KERNEL(int tile, int n) {
        const C to_ahead{S(ahead.re), S(ahead.im)}, to_behind{S(behind.re), S(behind.im)};
        S sum[Reals];
        for (int k = 0; k < Reals; k += 2) {
          C total{S(Number(0)), S(Number(0))};
          for (int mu = 0; mu < 4; ++mu) {
            const Hop forward = next(out_first + tile, mu), back = next(out_first + tile, backward(mu));
            const int f = forward.tile - in_first, b = back.tile - in_first;
            const auto* to_front = next.permutation(forward.shift);
            const auto* to_back = next.permutation(back.shift);
            const C front{permute(from.load(f, n, k), to_front), permute(from.load(f, n, k + 1), to_front)};
            const S w = there.load(b, 0, mu);
            const C rear{permute(w * from.load(b, n, k), to_back), permute(w * from.load(b, n, k + 1), to_back)};
            total = fma(to_ahead, here.load(tile, 0, mu) * front, total);
            total = fma(to_behind, rear, total);
          }
          sum[k] = total.re;
          sum[k + 1] = total.im;
        }
        to.store(tile, n, sum);
      });
}

}  // namespace kernels

// An operator's data where kernels can access it.
template <class A, class V>
std::vector<double> products_of(const A& a, const V& in, const V& out) {
  const FieldSums products(in.count());
  a(in, out, products);
  return products.values();
}

// Multiplies site x by d(x) = low (high / low)^u(x), with u in [0, 1] and both ends attained.
template <class T, int W, int Reals = 6>
class DiagonalOperator {
 public:
  using V = ParityField<T, Reals, W>;
  using Values = ParityField<arithmetic_t<T>, Reals, W>;

  DiagonalOperator(const Lattice& lattice, int parity, double low, double high) : values_(lattice, parity) {
    const HostVectors<Values> host(values_);
    int site = 0;
    for_each_site(lattice, parity, [&](const Coordinate& x) {
      const double u = site == 0 ? 0 : site == 1 ? 1 : unit_number(lattice, x);
      std::array<double, Reals> d;
      d.fill(low * std::pow(high / low, u));
      host.set(x, d);
      ++site;
    });
    host.write();
  }
  double at(const Coordinate& x) const { return values_.at(x)[0]; }
  const Values& factors() const { return values_; }

  void operator()(const V& in, const V& out, const FieldSums& products) const {
    kernels::multiply<T>(values_, in, out, products);
  }
  std::vector<double> operator()(const V& in, const V& out) const { return products_of(*this, in, out); }

 private:
  Values values_;
};

// m^2 - D^2 with D psi(x) = 1/4 sum_mu [ w_mu(x) psi(x+mu) - w_mu(x-mu) psi(x-mu) ], w random in (0.5, 1): like the
// staggered operator of one parity, it takes two hops through the other one. Eigenvalues lie in [m^2, m^2 + 4].
template <class T, int W>
class LaplaceOperator {
 public:
  using V = ParityField<T, 6, W>;

  LaplaceOperator(const Lattice& lattice, double mass)
      : mass_squared_(T(mass * mass)), weights_{V(lattice, 0), V(lattice, 1)} {
    for (const auto& weights : weights_) fill_weights(weights);
  }

  void operator()(const V& in, const V& out, const FieldSums& products) const {
    const V between(in.lattice(), 1 - in.parity(), in.count());
    hop(in, between);
    hop(between, out);
    kernels::subtract_from_mass(mass_squared_, in, out, products);
  }
  std::vector<double> operator()(const V& in, const V& out) const { return products_of(*this, in, out); }

 private:
  void hop(const V& in, const V& out) const {
    kernels::laplace_hop(in, out, weights_[out.parity()], weights_[in.parity()]);
  }

  T mass_squared_;
  std::array<V, 2> weights_;
};

// A = 1 - kappa H H with H psi(x) = sum_mu [ a w_mu(x) psi(x+mu) + c w_mu(x-mu) psi(x-mu) ], w in (0.5, 1) at random
// and a, c complex, |a| + |c| = 1/4: |H| < 1. H H takes two hops through the other parity. The adjoint has (c*, a*) for
// (a, c).
template <class T, int W, int Reals = 6>
class HoppingOperator {
 public:
  using V = ParityField<T, Reals, W>;
  using Number = arithmetic_t<T>;

  HoppingOperator(const Lattice& lattice, double kappa, std::array<double, 2> ahead = {0.15, 0.08},
                  std::array<double, 2> behind = {0.03, -0.07})
      : kappa_(Number(kappa)), ahead_(ahead), behind_(behind), weights_{Weights(lattice, 0), Weights(lattice, 1)} {
    for (const auto& weights : weights_) fill_weights(weights);
  }

  void apply(const V& in, const V& out) const { apply(in, out, ahead_, behind_); }
  void apply_adjoint(const V& in, const V& out) const {
    apply(in, out, {behind_[0], -behind_[1]}, {ahead_[0], -ahead_[1]});
  }

 private:
  using Weights = ParityField<Number, 6, W>;

  void apply(const V& in, const V& out, std::array<double, 2> ahead, std::array<double, 2> behind) const {
    const V between(in.lattice(), 1 - in.parity(), in.count());
    hop(in, between, ahead, behind);
    hop(between, out, ahead, behind);
    kernels::one_minus<T>(kappa_, in, out);
  }

  void hop(const V& in, const V& out, std::array<double, 2> ahead, std::array<double, 2> behind) const {
    kernels::complex_hop<T>(ahead, behind, in, out, weights_[out.parity()], weights_[in.parity()]);
  }

  Number kappa_;
  std::array<double, 2> ahead_, behind_;
  std::array<Weights, 2> weights_;
};

}  // namespace trellis::test
