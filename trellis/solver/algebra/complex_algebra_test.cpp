// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/solver/algebra/complex_algebra.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/solver/algebra/vector_algebra.hpp"
#include "trellis/solver/bicgstab_update.hpp"

namespace trellis::solver {
namespace {

using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};
constexpr int count = 3;
using Plain = std::vector<std::complex<double>>;

template <class V>
Plain plain(const V& v, int n) {
  const std::vector<double> reals = test::numbers(v, n);
  Plain z;
  for (std::size_t k = 0; k < reals.size(); k += 2) z.emplace_back(reals[k], reals[k + 1]);
  return z;
}

Complex dot(const Plain& x, const Plain& y) {
  Complex sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += std::conj(x[k]) * y[k];
  return sum;
}
// y + a x
Plain sum(const Plain& y, Complex a, const Plain& x) {
  Plain z = y;
  for (std::size_t k = 0; k < x.size(); ++k) z[k] += a * x[k];
  return z;
}

void expect_near(const Plain& found, const Plain& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(std::abs(found[k] - expected[k]), 0, tolerance);
}
void expect_near(Complex found, Complex expected, double tolerance) {
  EXPECT_NEAR(std::abs(found - expected), 0, tolerance * (1 + std::abs(expected)));
}

// f.template operator()<V>(lattice, tolerance) for all kinds of fields and each lane count.
template <class F>
void for_each_field(const F& f) {
  test::for_each_lane_count(size, [&]<int W>() {
    const Lattice lattice(size, W);
    f.template operator()<ParityField<double, 24, W>>(lattice, 1e-13);
  });
  test::for_each_lane_count<float>(size, [&]<int W>() {
    const Lattice lattice(size, W);
    f.template operator()<ParityField<float, 24, W>>(lattice, 3e-6);
    f.template operator()<ParityField<Fixed16, 24, W>>(lattice, 3e-4);
  });
}

const std::vector<Complex> alpha{{0.5, -0.25}, 0, {-0.75, 1}}, omega{{0.3, 0.1}, 0, {-0.2, 0.7}},
    beta{{1.5, -0.5}, 0, {0.25, 0.5}};

TEST(ComplexAlgebra, ProductsAndSteps) {
  for_each_field([]<class V>(const Lattice& lattice, double tolerance) {
    const V x = random_vectors<V>(lattice, 1, count, 1), y = random_vectors<V>(lattice, 1, count, 2);
    const V residual = y.clone(), other = y.like();
    const auto products = complex_dots(x, y);
    const auto norms = update_residual(alpha, x, residual);
    const auto next = next_residual(flags_of(alpha), alpha, x, y, other);
    for (int n = 0; n < count; ++n) {
      const Plain px = plain(x, n), py = plain(y, n), expected = sum(py, -alpha[n], px);
      expect_near(products[n], dot(px, py), 1e-12);
      expect_near(plain(residual, n), expected, tolerance);
      if (n != 1) expect_near(plain(other, n), expected, tolerance);
      expect_near(norms[n], n == 1 ? 0 : dot(expected, expected).real(), tolerance);
      EXPECT_EQ(norms[n], next[n]);
    }
    EXPECT_EQ(plain(other, 1), Plain(plain(other, 1).size(), 0.0)) << "it rests";
  });
  expect_near(quotient({1, 2}, {3, -4}), {-0.2, 0.4}, 1e-15);
}

TEST(ComplexAlgebra, Blocks) {
  for_each_field([]<class V>(const Lattice& lattice, double tolerance) {
    const std::vector<V> several{random_vectors<V>(lattice, 0, count, 1), random_vectors<V>(lattice, 0, count, 2)};
    const V w = random_vectors<V>(lattice, 0, count, 3), r = random_vectors<V>(lattice, 0, count, 4);
    const V before = w.clone();
    const std::vector<std::vector<Complex>> c{alpha, beta};
    const std::vector<double> on{1, 0, 1};
    const BlockProducts products = block_products(on, several, w);
    const Projection projection = subtract_block(on, c, several, w, r);
    for (int n = 0; n < count; ++n) {
      const Plain p0 = plain(several[0], n), p1 = plain(several[1], n), one = plain(before, n);
      const Plain expected = on[n] == 0 ? one : sum(sum(one, -alpha[n], p0), -beta[n], p1);
      expect_near(products.products[0][n], on[n] * dot(p0, one), 1e-12);
      expect_near(products.products[1][n], on[n] * dot(p1, one), 1e-12);
      expect_near(products.norms[n], on[n] * dot(one, one), 1e-12);
      expect_near(plain(w, n), expected, tolerance);
      expect_near(projection.norms[n], on[n] * dot(expected, expected), tolerance);
      expect_near(projection.products[n], on[n] * dot(expected, plain(r, n)), 10 * tolerance);
    }
    // Sums stay in the precision of the arithmetic.
    using Solution = ParityField<arithmetic_t<typename V::scalar>, V::reals, V::lanes>;
    const Solution x = random_vectors<Solution>(lattice, 0, count, 5), start = x.clone();
    add_block(c, std::span<const V>(several), x);
    for (int n = 0; n < count; ++n)
      expect_near(plain(x, n), sum(sum(plain(start, n), alpha[n], plain(several[0], n)), beta[n], plain(several[1], n)),
                  3e-6);
  });
}

TEST(ComplexAlgebra, ManyVectorsAreSummedInGroups) {
  using V = ParityField<double, 24, 1>;
  const Lattice lattice({4, 4, 4, 4}, 1);
  const V x = random_vectors<V>(lattice, 0, 40, 1), y = random_vectors<V>(lattice, 0, 40, 2);
  const auto all = complex_dots(x, y);
  const std::vector<double> on(40, 1.0);
  const ShadowProducts products = shadow_products(on, x, y);
  const std::vector<double> norms = norms2(y);
  for (int n = 0; n < 40; ++n) {
    EXPECT_EQ(products.qv[n], all[n]);
    EXPECT_EQ(products.vv[n], norms[n]);
    expect_near(all[n], dot(plain(x, n), plain(y, n)), 1e-12);
  }
}

// More coefficients than a kernel takes at a time, and more inner products than one accumulates on a GPU.
TEST(ComplexAlgebra, BlocksOfManyVectorsHaveTheBitsOfOneVector) {
  constexpr int vectors = 12, blocks = 20;
  using V = ParityField<double, 24, test::wide>;
  const Lattice lattice({4, 4, 4, 4}, test::wide);
  std::vector<V> several;
  std::vector<std::vector<Complex>> c(blocks);
  for (int i = 0; i < blocks; ++i) {
    several.push_back(random_vectors<V>(lattice, 0, vectors, 10 + i));
    for (int n = 0; n < vectors; ++n) c[i].emplace_back(0.01 * (i + 1), 0.02 * (n - i));
  }
  std::vector<double> on(vectors, 1.0);
  on[7] = 0;
  const V w = random_vectors<V>(lattice, 0, vectors, 3), r = random_vectors<V>(lattice, 0, vectors, 4);
  const V x = random_vectors<V>(lattice, 0, vectors, 5), w_before = w.clone(), x_before = x.clone();
  const BlockProducts products = block_products(on, several, w);
  const Projection projection = subtract_block(on, c, several, w, r);
  add_block(c, std::span<const V>(several), x);
  for (int n = 0; n < vectors; ++n) {
    const auto one = [&](const V& from) {
      const V v(lattice, 0, 1);
      gather(from, std::vector<int>{n}, v);
      return v;
    };
    std::vector<V> several_n;
    std::vector<std::vector<Complex>> c_n;
    for (int i = 0; i < blocks; ++i) {
      several_n.push_back(one(several[i]));
      c_n.push_back({c[i][n]});
    }
    const V w_n = one(w_before), x_n = one(x_before);
    const std::vector<double> on_n{on[n]};
    const BlockProducts products_n = block_products(on_n, several_n, w_n);
    ASSERT_EQ(products.products.size(), std::size_t(blocks));
    for (int i = 0; i < blocks; ++i) EXPECT_EQ(products.products[i][n], products_n.products[i][0]) << i;
    EXPECT_EQ(products.norms[n], products_n.norms[0]);
    EXPECT_EQ(products.norms[n] == 0, n == 7);
    const Projection projection_n = subtract_block(on_n, c_n, several_n, w_n, one(r));
    EXPECT_EQ(projection.products[n], projection_n.products[0]);
    EXPECT_EQ(projection.norms[n], projection_n.norms[0]);
    EXPECT_EQ(numbers(w, n), numbers(w_n, 0));
    add_block(c_n, std::span<const V>(several_n), x_n);
    EXPECT_EQ(numbers(x, n), numbers(x_n, 0));
    EXPECT_NE(numbers(x, n), numbers(x_before, n));
  }
}

TEST(BiCGStabUpdate, DoesWhatItSays) {
  for_each_field([]<class V>(const Lattice& lattice, double tolerance) {
    using Solution = ParityField<arithmetic_t<typename V::scalar>, V::reals, V::lanes>;
    const V t = random_vectors<V>(lattice, 0, count, 1), v = random_vectors<V>(lattice, 0, count, 2);
    const V r = random_vectors<V>(lattice, 0, count, 3), p = random_vectors<V>(lattice, 0, count, 4);
    const V q = random_vectors<V>(lattice, 0, count, 5);
    const Solution x = random_vectors<Solution>(lattice, 0, count, 6);
    const V s = r.clone(), p_before = p.clone();
    const Solution x_before = x.clone();
    const std::vector<double> on{1, 0, 1};

    const StabilisingProducts products = stabilising_products(on, t, r, q);
    const auto norms = stabilised_update({alpha, omega, beta}, t, v, x, r, p);
    for (int n = 0; n < count; ++n) {
      const Plain pt = plain(t, n), ps = plain(s, n), pq = plain(q, n), pp = plain(p_before, n);
      expect_near(products.ts[n], on[n] * dot(pt, ps), 1e-12);
      expect_near(products.qt[n], on[n] * dot(pq, pt), 1e-12);
      expect_near(products.qs[n], on[n] * dot(pq, ps), 1e-12);
      expect_near(products.tt[n], on[n] * dot(pt, pt), 1e-12);
      const Plain expected_r = sum(ps, -omega[n], pt);
      expect_near(plain(x, n), sum(sum(plain(x_before, n), alpha[n], pp), omega[n], ps), 1e-5);
      expect_near(plain(r, n), expected_r, tolerance);
      const Plain direction = sum(expected_r, beta[n], sum(pp, -omega[n], plain(v, n)));
      expect_near(plain(p, n), on[n] == 0 ? pp : direction, 2 * tolerance);
      expect_near(norms[n], on[n] * dot(expected_r, expected_r), tolerance);
    }

    // Replacing the residual by `fresh`.
    const V fresh = random_vectors<V>(lattice, 0, count, 7), r_before = r.clone(), p_then = p.clone(),
            q_then = q.clone();
    const auto rho = replace_residual(alpha, fresh, r, p, q);
    for (int n = 0; n < count; ++n) {
      const Plain pf = plain(fresh, n);
      const bool keep = on[n] != 0;
      expect_near(plain(r, n), pf, tolerance);
      expect_near(plain(p, n), sum(pf, alpha[n], sum(plain(p_then, n), -1, plain(r_before, n))), 2 * tolerance);
      expect_near(plain(q, n), keep ? plain(q_then, n) : pf, tolerance);
      expect_near(rho[n], keep ? dot(plain(q_then, n), pf) : dot(pf, pf), 1e-12);
    }
  });
}

}  // namespace
}  // namespace trellis::solver
