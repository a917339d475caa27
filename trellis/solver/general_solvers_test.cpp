// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Properties shared by BiCGStab, GCR and conjugate gradients on the normal equations.
#include <gtest/gtest.h>

#include "tests/support/message_of.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/spaces.hpp"
#include "trellis/solver/bicgstab.hpp"
#include "trellis/solver/gcr.hpp"
#include "trellis/solver/normal_equations.hpp"

namespace trellis::solver {
namespace {

using test::HoppingOperator;
using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};
constexpr double kappa = 1.7;

enum class Method { bicgstab, gcr, normal_equations };
enum class Inner { none, single, fixed };  // precision of the iterations

struct Case {
  const char* name;
  Method method;
  Inner inner;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

template <int R, int W>
using V = ParityField<double, R, W>;

// A system in double precision, and what is needed to iterate in other precisions.
template <int R, int WD, int WS>
struct System {
  Lattice lattice, inner_lattice;
  PrecisionMaps<WD, WS> maps{lattice, inner_lattice};
  HoppingOperator<double, WD, R> a;
  HoppingOperator<float, WS, R> single;
  HoppingOperator<Fixed16, WS, R> fixed;

  explicit System(const Coordinate& its_size = size, double its_kappa = kappa)
      : lattice(its_size, WD),
        inner_lattice(its_size, WS),
        a(lattice, its_kappa),
        single(inner_lattice, its_kappa),
        fixed(inner_lattice, its_kappa) {}

  template <class Number, class A>
  SolverReport mixed(Method method, const A& inner, const V<R, WD>& b, const V<R, WD>& x, const Tolerance& tolerance,
                     int most) const {
    if (method == Method::bicgstab)
      return mixed_precision_bicgstab<Number>(a, inner, maps, b, x, {tolerance, most, 0.1});
    if (method == Method::gcr) return mixed_precision_gcr<Number>(a, inner, maps, b, x, {tolerance, most, 16, 0.1});
    return mixed_normal_equations_cg<Number>(a, inner, maps, b, x, {tolerance, most, 0.1});
  }
  SolverReport solve(const Case& c, const V<R, WD>& b, const V<R, WD>& x, const Tolerance& tolerance,
                     int most = 1000) const {
    if (c.inner == Inner::single) return mixed<float>(c.method, single, b, x, tolerance, most);
    if (c.inner == Inner::fixed) return mixed<Fixed16>(c.method, fixed, b, x, tolerance, most);
    if (c.method == Method::bicgstab) return bicgstab(a, b, x, {tolerance, most});
    if (c.method == Method::gcr) return gcr(a, b, x, {tolerance, most, 16});
    return normal_equations_cg(a, b, x, {tolerance, most});
  }
  // |b - A x| / |b|
  double residual(const V<R, WD>& b, const V<R, WD>& x, int n) const {
    const auto r = x.like();
    a.apply(x, r);
    return std::sqrt(subtract_from(b, r)[n] / norms2(b)[n]);
  }
};

class GeneralSolvers : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, GeneralSolvers,
                         ::testing::Values(Case{"BiCGStab", Method::bicgstab, Inner::none},
                                           Case{"BiCGStabSingle", Method::bicgstab, Inner::single},
                                           Case{"BiCGStabFixed", Method::bicgstab, Inner::fixed},
                                           Case{"GCR", Method::gcr, Inner::none},
                                           Case{"GCRSingle", Method::gcr, Inner::single},
                                           Case{"GCRFixed", Method::gcr, Inner::fixed},
                                           Case{"Normal", Method::normal_equations, Inner::none},
                                           Case{"NormalSingle", Method::normal_equations, Inner::single},
                                           Case{"NormalFixed", Method::normal_equations, Inner::fixed}),
                         [](const auto& its) { return its.param.name; });

TEST_P(GeneralSolvers, SourcesTooSmallForDoublePrecisionAreRefused) {
  const System<24, 1, 1> system;
  const auto b = random_vectors<V<24, 1>>(system.lattice, 1, 1), x = b.like();
  scale_and_add(std::vector<double>{1e-200}, std::vector<double>{0}, b, b);
  const auto message = test::message_of<InputError>([&] { system.solve(GetParam(), b, x, 1e-10); });
  EXPECT_TRUE(message.ends_with("too small for double precision; multiply b by a power of 2")) << message;
}

template <int R, int WD, int WS>
std::vector<double> find_known_solution(const Case& c) {
  const System<R, WD, WS> system;
  const auto exact = random_vectors<V<R, WD>>(system.lattice, 1, 2), b = exact.like(), x = exact.like();
  system.a.apply(exact, b);
  const SolverReport report = system.solve(c, b, x, 1e-12);
  EXPECT_TRUE(report.converged);
  EXPECT_FALSE(report.stagnated);
  EXPECT_LT(report.iterations, 100);
  std::vector<double> bits;
  for (int n = 0; n < 2; ++n) {
    EXPECT_LE(report.residuals[n], 1e-12);
    EXPECT_NEAR(report.residuals[n], system.residual(b, x, n), 1e-15);
    const auto found = numbers(x, n), expected = numbers(exact, n);
    double furthest = 0;
    for (std::size_t k = 0; k < found.size(); ++k) furthest = std::max(furthest, std::abs(found[k] - expected[k]));
    EXPECT_LT(furthest, 1e-10);
    bits.insert(bits.end(), found.begin(), found.end());
  }
  return bits;
}

TEST_P(GeneralSolvers, FindKnownSolutionsWithTheSameBitsForAllLanesAndThreads) {
  const int before = concurrency();
  set_thread_count(1);
  const auto spinors = find_known_solution<24, 1, 1>(GetParam());
  set_thread_count(2);
  test::for_each_lane_count(size, [&]<int W>() { EXPECT_EQ((find_known_solution<24, W, 1>(GetParam())), spinors); });
  test::for_each_lane_count<float>(size,
                                   [&]<int W>() { EXPECT_EQ((find_known_solution<24, 1, W>(GetParam())), spinors); });
  set_thread_count(before);
}

// Each with its own tolerance, so that they end at different times, and one that is zero.
TEST_P(GeneralSolvers, ABatchHasTheBitsOfEachAlone) {
  constexpr int W = test::wide, count = 5;
  const System<24, W, 1> system({4, 4, 4, 4});
  const std::vector<double> tolerances{1e-2, 1e-12, 1e-5, 1e-9, 1e-3};
  const auto b = random_vectors<V<24, W>>(system.lattice, 0, count),
             x = random_vectors<V<24, W>>(system.lattice, 0, count, 3);
  clear(b, 4);
  const auto start = x.clone();
  const SolverReport report = system.solve(GetParam(), b, x, tolerances);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.iterations_of[0], report.iterations_of[1]);
  EXPECT_EQ(report.residuals[4], 0);
  EXPECT_EQ(norms2(x)[4], 0);
  for (int n = 0; n < count; ++n) {
    const std::vector<int> place{n};
    const V<24, W> b1(system.lattice, 0), x1(system.lattice, 0);
    gather(b, place, b1);
    gather(start, place, x1);
    const SolverReport alone = system.solve(GetParam(), b1, x1, tolerances[n]);
    EXPECT_EQ(numbers(x1, 0), numbers(x, n)) << n;
    EXPECT_EQ(alone.iterations, report.iterations_of[n]);
    EXPECT_EQ(alone.residuals[0], report.residuals[n]);
  }
}

TEST_P(GeneralSolvers, StartFromTheGuess) {
  const System<24, 1, 1> system({4, 4, 4, 4});
  const auto b = random_vectors<V<24, 1>>(system.lattice, 0, 1), x = b.like();
  const SolverReport cold = system.solve(GetParam(), b, x, 1e-6);
  const SolverReport warm = system.solve(GetParam(), b, x, 1e-6);
  EXPECT_GT(cold.iterations, 5);
  EXPECT_EQ(warm.iterations, 0);
  EXPECT_EQ(warm.residuals, cold.residuals);
  EXPECT_LT(system.solve(GetParam(), b, x, 1e-9).iterations, system.solve(GetParam(), b, b.like(), 1e-9).iterations);
}

TEST_P(GeneralSolvers, ReportWhatTheyDidNotReach) {
  const System<24, 1, 1> system({4, 4, 4, 4});
  const auto b = random_vectors<V<24, 1>>(system.lattice, 0, 2), x = b.like();
  const SolverReport few = system.solve(GetParam(), b, x, 1e-12, 4);
  EXPECT_FALSE(few.converged);
  EXPECT_FALSE(few.stagnated);
  EXPECT_EQ(few.iterations, 4);
  for (int n = 0; n < 2; ++n) EXPECT_NEAR(few.residuals[n], system.residual(b, x, n), 1e-15);
  EXPECT_GT(few.residuals[0], 1e-6);
  try {
    require_converged(few, "a test");
    FAIL();
  } catch (const Error& error) {
    const std::string method = GetParam().method == Method::bicgstab ? "BiCGStab"
                               : GetParam().method == Method::gcr    ? "GCR"
                                                                     : "CG on the normal equations";
    EXPECT_EQ(std::string(error.what()).rfind(method + " for a test: residual ", 0), 0u) << error.what();
  }

  x.set_zero();
  const SolverReport deep = system.solve(GetParam(), b, x, 1e-18);
  EXPECT_FALSE(deep.converged);
  EXPECT_TRUE(deep.stagnated);
  EXPECT_LT(deep.iterations, 500);
  EXPECT_LT(deep.residuals[0], 1e-13);
  EXPECT_NEAR(deep.residuals[0], system.residual(b, x, 0), 1e-15);
}

TEST_P(GeneralSolvers, RefuseWhatIsNoNumber) {
  const System<24, 1, 1> system({4, 4, 4, 4});
  const auto b = random_vectors<V<24, 1>>(system.lattice, 0, 1), x = b.like();
  EXPECT_THROW(system.solve(GetParam(), b, V<24, 1>(system.lattice, 1), 1e-9), Error);
  EXPECT_THROW(system.solve(GetParam(), b, x, 0.0), Error);
  for (const double bad : {std::nan(""), HUGE_VAL}) {
    auto values = b.at({1, 0, 1, 0});
    values[2] = bad;
    b.set({1, 0, 1, 0}, values);
    x.set_zero();
    EXPECT_THROW(system.solve(GetParam(), b, x, 1e-9), Error);
  }
}

// Maps numbers 2 k and 2 k + 1 of a site to the next pair: complex, far from Hermitian, and useless for minimal
// residuals: A r is orthogonal to r until all pairs have been visited.
struct Rotation {
  using V = ParityField<double, 24, 1>;
  void apply(const V& in, const V& out) const { turn(in, out, 2); }
  void apply_adjoint(const V& in, const V& out) const { turn(in, out, 22); }

 private:
  static void turn(const V& in, const V& out, int by) {
    test::for_each_site(in.lattice(), in.parity(), [&](const Coordinate& x) {
      for (int n = 0; n < in.count(); ++n) {
        const auto v = in.at(x, n);
        std::array<double, 24> turned;
        for (std::size_t k = 0; k < 24; ++k) turned[(k + std::size_t(by)) % 24] = v[k];
        out.set(x, turned, n);
      }
    });
  }
};

// A source with one pair of numbers per site: b, A b and A^2 b are orthogonal.
ParityField<double, 24, 1> one_pair(const Lattice& lattice) {
  const ParityField<double, 24, 1> b(lattice, 0);
  test::for_each_site(lattice, 0,
                      [&](const Coordinate& x) { b.set(x, std::array<double, 24>{test::unit_number(lattice, x), 1}); });
  return b;
}

TEST(GeneralSolversThatBreakDown, SayThatTheyStagnate) {
  const Lattice lattice({4, 4, 4, 4}, 1);
  const auto b = one_pair(lattice), x = b.like();
  const SolverReport broken = bicgstab(Rotation{}, b, x, {1e-9, 1000});
  EXPECT_FALSE(broken.converged);
  EXPECT_TRUE(broken.stagnated);
  EXPECT_NEAR(broken.residuals[0], 1, 1e-12);
  EXPECT_LT(broken.operator_applications, 20);

  const SolverReport stuck = gcr(Rotation{}, b, x, {1e-9, 1000, 8});
  EXPECT_FALSE(stuck.converged);
  EXPECT_TRUE(stuck.stagnated);
  EXPECT_LT(stuck.operator_applications, 20);

  const SolverReport steady = normal_equations_cg(Rotation{}, b, x, {1e-9, 1000});
  EXPECT_TRUE(steady.converged);
  EXPECT_EQ(steady.iterations, 1);
}

// With a component that does not vanish at first, iterations make some progress, break down, and restart.
TEST(GeneralSolversThatBreakDown, GoOnWhereTheyCan) {
  constexpr int W = test::wide;
  const System<24, W, 1> easy({4, 4, 4, 4}, 0.5);
  const auto b = random_vectors<V<24, W>>(easy.lattice, 0, 1), x = b.like();
  // Single precision ends at 1e-7, where its inner products are rounding errors; later cycles continue from the true
  // residual.
  EXPECT_TRUE(mixed_precision_bicgstab(easy.a, easy.single, easy.maps, b, x, {1e-13, 100, 1e-9}).converged);
  x.set_zero();
  EXPECT_TRUE(mixed_precision_gcr(easy.a, easy.single, easy.maps, b, x, {1e-13, 100, 31, 1e-9}).converged);
}

// Three precisions: 16-bit directions, from a few steps in single precision, for a solution in double precision.
TEST(Gcr, PreconditionsInAThirdPrecision) {
  const System<24, test::wide, 1> system({4, 4, 4, 4}, 3.0);
  using Fixed = ParityField<Fixed16, 24, 1>;
  const SiteMap same(system.inner_lattice, system.inner_lattice);
  const auto b = random_vectors<V<24, test::wide>>(system.lattice, 0, 2), x = b.like();
  const auto inner = [&](const Fixed& in, const Fixed& out) {
    const ParityField<float, 24, 1> single_in(system.inner_lattice, 0, in.count()), single_out = single_in.like();
    convert_vectors(same, in, single_in);
    bicgstab(system.single, single_in, single_out, {0.1, 8});
    convert_vectors(same, single_out, out);
  };
  const SolverReport report =
      mixed_precision_gcr<Fixed16>(system.a, system.fixed, system.maps, b, x, {1e-12, 1000, 8, 0.1}, inner);
  EXPECT_TRUE(report.converged);
  EXPECT_LT(report.iterations, 60);
  EXPECT_LE(system.residual(b, x, 1), 1e-12);
}

TEST(Gcr, TakesAnyPreconditioner) {
  const System<24, test::wide, 1> system({4, 4, 4, 4}, 3.0);
  using Field = V<24, test::wide>;
  const auto b = random_vectors<Field>(system.lattice, 0, 3), x = b.like();
  const SolverReport bare = gcr(system.a, b, x, {1e-10, 1000, 8});
  EXPECT_TRUE(bare.converged);
  x.set_zero();
  // A few steps of GCR itself, which differ from residual to residual, in single precision.
  const auto inner = [&](const Field& in, const Field& out) {
    const ParityField<float, 24, 1> single_in(system.inner_lattice, 0, in.count()), single_out = single_in.like();
    system.maps.convert(in, single_in);
    gcr(system.single, single_in, single_out, {0.1, 8, 8});
    system.maps.convert(single_out, out);
  };
  const SolverReport helped = gcr(system.a, b, x, {1e-10, 1000, 8}, inner);
  EXPECT_TRUE(helped.converged);
  EXPECT_LT(helped.iterations, bare.iterations / 3);
  EXPECT_THROW(gcr(system.a, b, x, {1e-10, 1000, 0}), Error);
  EXPECT_THROW(gcr(system.a, b, x, {1e-10, 1000, most_vectors + 1}), Error);
}

// The tests above rely on this.
TEST(HoppingOperatorOfTests, HasTheAdjointItSays) {
  const System<24, test::wide, 1> system;
  const auto x = random_vectors<V<24, test::wide>>(system.lattice, 0, 1, 1), ax = x.like();
  const auto y = random_vectors<V<24, test::wide>>(system.lattice, 0, 1, 2), ay = x.like();
  system.a.apply(x, ax);
  system.a.apply_adjoint(y, ay);
  const Complex there = complex_dots(y, ax)[0], back = complex_dots(ay, x)[0];
  EXPECT_NEAR(std::abs(there - back), 0, 1e-11);
  EXPECT_GT(std::abs(there - complex_dots(ax, y)[0]), 1) << "it is not Hermitian";
}

}  // namespace
}  // namespace trellis::solver
