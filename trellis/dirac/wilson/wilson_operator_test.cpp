// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/wilson/wilson_operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/wilson.hpp"
#include "tests/support/boundary_links.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/reference_spinors.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"

namespace trellis::dirac {
namespace {

using reference::SiteParity;
using test::from_reference;
using test::largest;
using test::to_reference;

constexpr Coordinate odd_shape{2, 4, 6, 8}, small{4, 4, 4, 4};
const WilsonParameters plain{.kappa = 0.137};
const WilsonParameters clover{.kappa = 0.11, .clover = 1.3};
const WilsonParameters everything{.kappa = 0.12,
                                  .clover = 1.1,
                                  .clover_temporal = 0.7,
                                  .spatial_hopping = 0.83,
                                  .boundary_angle_over_pi = {0.2, 0, -0.5, 1}};
const WilsonParameters temporal_only{.kappa = 0.12, .clover = 0, .clover_temporal = 1.4};

// size: of lattices with boundaries in time
reference::WilsonQuark quark(const WilsonParameters& p, const Coordinate& size = odd_shape) {
  const bool open = p.boundary.kind == gauge::BoundaryKind::open;
  return {.kappa = p.kappa,
          .clover = p.clover,
          .clover_temporal = p.clover_temporal,
          .spatial_hopping = p.spatial_hopping,
          .boundary_angle_over_pi = p.boundary_angle_over_pi,
          .first_slice = p.boundary.is_periodic() ? 0 : 1,
          .last_slice = p.boundary.is_periodic() ? -1 : (open ? size[3] - 1 : p.boundary.extent) - 1,
          .c_f = p.c_f};
}

// Vectors of both parities and their counterparts in the oracle; vector n has its own numbers.
template <class T, int W>
struct Vectors {
  SpinorField<T, W> even, odd;

  Vectors(const Lattice& lattice, int count, std::uint64_t seed) : even(lattice, 0, count), odd(lattice, 1, count) {
    for (int n = 0; n < count; ++n) {
      const auto f = reference::random_spinors(lattice.size(), seed + std::uint64_t(n));
      from_reference(f, even, n);
      from_reference(f, odd, n);
    }
  }
  reference::SpinorField all(int n) const { return to_reference(even, n) + to_reference(odd, n); }
};

// The largest error of any method, on `count` vectors, in units of the largest number of the result.
template <class T, int W>
double worst_error(const reference::WilsonMatrix& m, const WilsonParameters& parameters, int count,
                   LinkFormat format = LinkFormat::two_rows) {
  const auto links = from_reference<arithmetic_t<T>, W>(m.links);
  const WilsonOperator<T, W> a(links, parameters, format);
  const Vectors<T, W> psi(a.lattice(), count, 40);
  const Coordinate size = a.lattice().size();
  const SpinorField<T, W> even = psi.even.like(), odd = psi.odd.like();
  double worst = 0;
  const auto compare = [&](const SpinorField<T, W>& result, const auto& expected) {
    for (int n = 0; n < count; ++n) {
      const reference::SpinorField f = expected(n);
      worst = std::max(worst, largest(to_reference(result, n) - f) / largest(f));
    }
  };
  a.apply(psi.even, even);
  compare(even, [&](int n) { return apply_mhat(m, psi.all(n)); });
  a.apply_adjoint(psi.even, even);
  compare(even, [&](int n) { return apply_mhat_adjoint(m, psi.all(n)); });
  const auto norms = a(psi.even, even);
  compare(even, [&](int n) { return apply_mhat_adjoint(m, apply_mhat(m, psi.all(n))); });
  for (int n = 0; n < count; ++n) {
    const auto image = apply_mhat(m, psi.all(n));
    worst = std::max(worst, std::abs(norms[std::size_t(n)] / dot(image, image).real() - 1));
  }
  a.prepare(psi.even, psi.odd, even);
  compare(even, [&](int n) { return even_right_hand_side(m, psi.all(n)); });
  a.reconstruct(psi.even, psi.odd, odd);
  compare(odd, [&](int n) { return part(size, reconstruct(m, psi.all(n), psi.all(n)), SiteParity::odd); });
  for (const HopSign sign : {HopSign::plain, HopSign::adjoint}) {
    const auto whole = [&](int n) {
      return sign == HopSign::plain ? apply_m(m, psi.all(n)) : apply_m_adjoint(m, psi.all(n));
    };
    a.full(psi.even, psi.odd, even, sign);
    compare(even, [&](int n) { return part(size, whole(n), SiteParity::even); });
    a.full(psi.odd, psi.even, odd, sign);
    compare(odd, [&](int n) { return part(size, whole(n), SiteParity::odd); });
  }
  return worst;
}

TEST(WilsonOperator, AgreesWithTheOracleForEveryActionAndLaneCount) {
  const auto u = reference::hot_configuration(odd_shape, 31);
  for (const WilsonParameters& parameters : {plain, clover, everything, temporal_only}) {
    const reference::WilsonMatrix m(u, quark(parameters));
    test::for_each_lane_count(odd_shape,
                              [&]<int W>() { EXPECT_LT((worst_error<double, W>(m, parameters, 1)), 2e-15) << W; });
  }
}

TEST(WilsonOperator, EveryPrecisionFormatAndVectorCountAgreesWithTheOracle) {
  constexpr Coordinate size{2, 2, 4, 4};
  const auto u = reference::hot_configuration(size, 32);
  for (const WilsonParameters& parameters : {plain, everything}) {
    const reference::WilsonMatrix m(u, quark(parameters));
    test::for_each_lane_count(size, [&]<int W>() {
      for (const LinkFormat format : {LinkFormat::full, LinkFormat::two_rows, LinkFormat::minimal})
        EXPECT_LT((worst_error<double, W>(m, parameters, 3, format)), 1e-13) << W << ' ' << int(format);
      for (const int count : {1, 3}) {
        EXPECT_LT((worst_error<float, W>(m, parameters, count)), 1e-6) << W;
        EXPECT_LT((worst_error<Fixed16, W>(m, parameters, count)), 3e-4) << W;
      }
    });
  }
}

// The clover term alone at boundaries, c_F alone, and everything; also where the lattice has a slice more than the
// functional, and where its quarks have a single slice, which then is next to both boundaries.
TEST(WilsonOperator, BoundariesInTimeAgreeWithTheOracle) {
  for (const auto& [boundary, size] : {std::pair{test::open_boundary, Coordinate{4, 4, 4, 6}},
                                       {test::open_boundary, Coordinate{2, 4, 4, 4}},
                                       {test::schroedinger_functional(5), Coordinate{4, 4, 4, 6}},
                                       {test::schroedinger_functional(4), Coordinate{4, 4, 4, 6}},
                                       {test::schroedinger_functional(2), Coordinate{4, 4, 2, 4}}}) {
    const auto u = test::with_boundary(reference::hot_configuration(size, 36), boundary);
    for (auto [parameters, c_f] : {std::pair{plain, 0.8}, {clover, 1.0}, {everything, 0.8}}) {
      parameters.boundary = boundary;
      parameters.c_f = c_f;
      const reference::WilsonMatrix m(u, quark(parameters, size));
      test::for_each_lane_count(size,
                                [&]<int W>() { EXPECT_LT((worst_error<double, W>(m, parameters, 1)), 3e-15) << W; });
      constexpr int W = test::wide;
      EXPECT_LT((worst_error<double, W>(m, parameters, 2, LinkFormat::full)), 3e-15);
      EXPECT_LT((worst_error<float, W>(m, parameters, 2)), 1e-6);
      EXPECT_LT((worst_error<Fixed16, W>(m, parameters, 1)), 3e-4);
    }
  }
}

// A source where there are quarks has a solution that is zero elsewhere, whatever the links there.
TEST(WilsonOperator, NothingLeavesTheSlicesWithQuarks) {
  constexpr int W = test::wide;
  WilsonParameters parameters = everything;
  parameters.boundary = test::schroedinger_functional(6);
  const Coordinate size{4, 4, 4, 8};
  const WilsonOperator<double, W> a(
      from_reference<double, W>(test::with_boundary(reference::hot_configuration(size, 37), parameters.boundary)),
      parameters);
  const Vectors<double, W> psi(a.lattice(), 1, 1);
  const auto cut = [&](const SpinorField<double, W>& x) {
    const auto whole = to_reference(x);
    reference::SpinorField f = whole;
    for (std::size_t n = 0; n < f.size(); ++n)
      if (const auto t = n / (f.size() / 8); t == 0 || t > 5) f[n] = {};
    from_reference(f, x);
    return std::pair(whole, f);
  };
  cut(psi.even), cut(psi.odd);
  const SpinorField<double, W> out = psi.even.like();
  a.apply(psi.even, out);
  const auto [mhat, inside] = cut(out);
  EXPECT_GT(largest(mhat), 1);
  EXPECT_EQ(mhat, inside);
  a.prepare(psi.even, psi.odd, out);
  const auto [prepared, also_inside] = cut(out);
  EXPECT_EQ(prepared, also_inside);
}

TEST(WilsonOperator, BoundariesInTimeThatDoNotFitAreRefused) {
  const auto u = GaugeField<double, 1>::unit(Lattice(small)),
             short_one = GaugeField<double, 1>::unit(Lattice({4, 4, 4, 2}));
  EXPECT_THROW((WilsonOperator<double, 1>(u, {.c_f = 1.1})), InputError);
  EXPECT_THROW((WilsonOperator<double, 1>(u, {.boundary = test::open_boundary, .c_f = -1})), InputError);
  EXPECT_THROW((WilsonOperator<double, 1>(u, {.boundary = test::open_boundary}, LinkFormat::minimal)), InputError);
  EXPECT_THROW((WilsonOperator<double, 1>(short_one, {.boundary = test::open_boundary})), InputError);
  EXPECT_THROW((WilsonOperator<double, 1>(u, {.boundary = test::schroedinger_functional(6)})), InputError);
  EXPECT_NO_THROW((WilsonOperator<double, 1>(u, {.boundary = test::open_boundary, .c_f = 1.1})));
}

TEST(WilsonOperator, IsGamma5Hermitian) {
  // <phi, Mhat psi> = <gamma_5 Mhat gamma_5 phi, psi>, without using the oracle's Mhat; gamma_5 = diag(1, 1, -1, -1).
  constexpr int W = test::wide;
  const WilsonOperator<double, W> a(from_reference<double, W>(reference::hot_configuration(small, 33)), everything);
  const Vectors<double, W> phi(a.lattice(), 1, 1), psi(a.lattice(), 1, 2);
  const SpinorField<double, W> out = psi.even.like();
  a.apply(psi.even, out);
  const auto left = dot(to_reference(phi.even), to_reference(out));
  from_reference(reference::gamma5() * to_reference(phi.even), phi.even);
  a.apply(phi.even, out);
  const auto right = dot(reference::gamma5() * to_reference(out), to_reference(psi.even));
  EXPECT_GT(std::abs(left), 1);
  EXPECT_LT(std::abs(left - right), 1e-11);
}

TEST(WilsonOperator, SolutionsOfTheEvenSystemSolveTheWholeOne) {
  // For any x: from b = M x, prepare gives Mhat x_e, and reconstruct gives x_o.
  constexpr int W = test::wide;
  const WilsonOperator<double, W> a(from_reference<double, W>(reference::hot_configuration(small, 34)), everything);
  const Vectors<double, W> x(a.lattice(), 2, 5);
  const SpinorField<double, W> b_even = x.even.like(), b_odd = x.odd.like(), image = x.even.like();
  a.full(x.even, x.odd, b_even);
  a.full(x.odd, x.even, b_odd);
  a.apply(x.even, image);
  a.prepare(b_even, b_odd, b_even);  // in place
  a.reconstruct(x.even, b_odd, b_odd);
  for (int n = 0; n < 2; ++n) {
    EXPECT_LT(largest(to_reference(b_even, n) - to_reference(image, n)), 1e-13);
    EXPECT_LT(largest(to_reference(b_odd, n) - to_reference(x.odd, n)), 1e-13);
  }
}

TEST(WilsonOperator, SameBitsForEveryLaneThreadAndVectorCountAndInPlace) {
  const Coordinate size{4, 4, 4, 8};
  const auto u = reference::hot_configuration(size, 35);
  const auto psi = reference::random_spinors(size, 6);
  const auto result = [&]<int W>(int count, bool in_place, Stores stores) {
    const WilsonOperator<double, W> a(from_reference<double, W>(u), everything, LinkFormat::two_rows,
                                      {.stores = stores});
    const SpinorField<double, W> in(a.lattice(), 0, count), out = in_place ? in : in.like();
    for (int n = 0; n < count; ++n) from_reference(psi, in, n);
    const double norm = a(in, out)[std::size_t(count - 1)];
    return std::pair(norm, to_reference(out, count - 1));
  };
  const auto expected = result.template operator()<1>(1, false, Stores::cached);
  const int threads = concurrency();
  test::for_each_lane_count(size, [&]<int W>() {
    for (const int count : {1, 2}) {
      set_thread_count(count);
      EXPECT_EQ((result.template operator()<W>(1, false, Stores::cached)), expected) << W;
      EXPECT_EQ((result.template operator()<W>(3, true, Stores::streaming)), expected) << W;
    }
  });
  set_thread_count(threads);
}

TEST(WilsonOperator, IsPackedAnewForAllCopies) {
  constexpr int W = test::wide;
  const auto first = from_reference<double, W>(reference::hot_configuration(small, 1));
  const auto second = from_reference<double, W>(reference::hot_configuration(small, 2));
  const WilsonOperator<double, W> a(first, clover), copy = a, b(second, clover);
  a.pack(second);
  const Vectors<double, W> psi(a.lattice(), 1, 7);
  const SpinorField<double, W> x = psi.even.like(), y = psi.even.like();
  copy.apply(psi.even, x);
  b.apply(psi.even, y);
  EXPECT_EQ(to_reference(x), to_reference(y));
}

TEST(WilsonOperator, WrongParametersAreNamed) {
  const auto u = GaugeField<double, 1>::unit(Lattice(small));
  const auto refused = [&](const WilsonParameters& p, const std::string& name) {
    try {
      const WilsonOperator<double, 1> a(u, p);
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("Wilson operator: " + name + " is "), std::string::npos) << e.what();
      return;
    }
    ADD_FAILURE() << name << " was accepted";
  };
  const double nan = std::nan("");
  for (const double kappa : {0.0, -0.1, 1.01, nan}) refused({.kappa = kappa}, "kappa");
  for (const double c : {-0.1, 11.0, nan}) {
    refused({.clover = c}, "clover");
    refused({.clover = 1, .clover_temporal = c}, "clover_temporal");
  }
  for (const double s : {0.0, -1.0, nan, 1e9}) refused({.spatial_hopping = s}, "spatial_hopping");
  refused({.boundary_angle_over_pi = {0, 0, nan, 1}}, "a boundary angle over pi");
  EXPECT_NO_THROW(require_valid({.kappa = 1}));
}

TEST(WilsonOperator, WrongFieldsAreRefused) {
  const Lattice lattice(small), other({4, 4, 4, 8});
  const WilsonOperator<double, 1> a(GaugeField<double, 1>::unit(lattice), plain);
  EXPECT_FALSE(a.clover().has_value());
  const SpinorField<double, 1> even(lattice, 0), odd(lattice, 1), two(lattice, 0, 2), far(other, 0);
  EXPECT_THROW(a.apply(odd, odd), Error);
  EXPECT_THROW(a.apply(even, two), Error);
  EXPECT_THROW(a.apply(far, even), Error);
  EXPECT_THROW(a(even, odd), Error);
  EXPECT_THROW(a.prepare(odd, odd, even), Error);
  EXPECT_THROW(a.reconstruct(even, even, odd), Error);
  EXPECT_THROW(a.full(even, even, even), Error);
}

}  // namespace
}  // namespace trellis::dirac
