// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// The bodies of one launch against the same iterations kernel by kernel, with an operator that multiplies each number
// by its own: on a host part by part, on a GPU in one launch. dirac/staggered has the operator that uses them.
#include "trellis/solver/resident_steps.hpp"

#include <gtest/gtest.h>

#include "tests/support/reference_links.hpp"
#include "tests/support/test_operators.hpp"
#include "trellis/core/device/resident.hpp"
#include "trellis/solver/conjugate_gradient.hpp"
#include "trellis/solver/largest_eigenvalue.hpp"
#include "trellis/solver/multi_shift_cg.hpp"
#include "trellis/solver/resident_bodies.hpp"

namespace trellis::solver {
namespace resident_steps_test {

using test::DiagonalOperator;
using test::numbers;
using test::random_vectors;

constexpr Coordinate size{4, 4, 4, 8};

template <class T, int W>
using V = ParityField<T, 6, W>;

template <class T, int W>
struct Copy {
  ParityAccess<T, 6, W> from, to;
  TRELLIS_INLINE void operator()(int tile) const {
    SiteVector<lanes_t<T, W>, 6>::load(from, tile, 0).store(to, tile, 0);
  }
};

template <class T, int W>
struct Multiply {
  using Site = SiteVector<lanes_t<T, W>, 6>;
  ParityAccess<T, 6, W> factors, from;
  TRELLIS_INLINE Term<W> operator()(int tile, const Site& p, Site& image) const {
    Term<W> sum(0.0);
    const Site v = Site::load(from, tile, 0);
    for (int k = 0; k < 6; ++k) {
      image.e[k] = factors.load(tile, 0, k) * v.e[k];
      sum = fma(convert<double>(p.e[k]), convert<double>(image.e[k]), sum);
    }
    return sum;
  }
};

// DiagonalOperator, and its iterations in one launch.
template <class T, int W>
struct InOneLaunch {
  const DiagonalOperator<T, W>& a;
  V<T, W> factors, middle;
  Resident<FieldSpace> resident;
  static constexpr bool steps_in_one_launch = true;

  std::vector<double> operator()(const V<T, W>& in, const V<T, W>& out) const { return a(in, out); }
  template <class Steps>
  bool run_steps(const Steps& steps) const {
    const auto between = middle.access();
    const TwoHops<Copy<T, W>, Multiply<T, W>> hops{{steps.p.access(), between}, {factors.access(), between}};
    resident.run("steps", Index(steps.p.tiles()) * W, W, resident_body(hops, steps));
    return true;
  }
};

template <class T, int W>
void expect_the_same_iterations() {
  const Lattice lattice(size, W);
  const DiagonalOperator<T, W> a(lattice, 0, T(0.01), T(2));
  const InOneLaunch<T, W> together{a, a.factors(), V<T, W>(lattice, 0, 1), Resident<FieldSpace>()};
  static_assert(RunsSteps<InOneLaunch<T, W>, CgSteps<V<T, W>>>);
  const auto b = random_vectors<V<T, W>>(lattice, 0, 1);
  constexpr double tolerance = 1e-5;

  V<T, W> x[2];
  std::vector<Progress> progress[2];
  for (const bool one_launch : {false, true}) {
    x[one_launch] = V<T, W>(lattice, 0, 1);
    progress[one_launch] = detail::start_progress(norms2(b), tolerance, 1000);
    progress[one_launch][0].start(norms2(b)[0]);
    const Workspace<V<T, W>> work(lattice, 0, 1);
    work.r.copy_from(b);
    work.p.copy_from(b);
    if (!one_launch) {
      iterate(a, work, x[0], progress[0]);
      continue;
    }
    StepState state(progress[1]);
    for (int k = 0; k < 20; ++k)  // also after convergence, when nothing may change
      ASSERT_TRUE(run_steps(together, CgSteps<V<T, W>>{work.r, work.p, work.ap, x[1], state, resident_turns}));
    state.advance(progress[1]);
    state.settle(progress[1]);
  }
  EXPECT_EQ(numbers(x[1], 0), numbers(x[0], 0));
  EXPECT_EQ(progress[1][0].iterations, progress[0][0].iterations);
  EXPECT_EQ(progress[1][0].rr, progress[0][0].rr);
  EXPECT_GT(progress[1][0].iterations, 20);
  EXPECT_LT(progress[1][0].iterations, 20 * resident_turns);
}

TEST(ResidentSteps, AreTheIterationsOfConjugateGradients) {
  test::for_each_lane_count(size, [&]<int W>() {
    expect_the_same_iterations<double, W>();
    expect_the_same_iterations<float, W>();
  });
}

template <class T, int W>
void expect_the_same_shifts() {
  const Lattice lattice(size, W);
  const DiagonalOperator<T, W> a(lattice, 0, T(0.01), T(2));
  const InOneLaunch<T, W> together{a, a.factors(), V<T, W>(lattice, 0, 1), Resident<FieldSpace>()};
  const auto b = random_vectors<V<T, W>>(lattice, 0, 1);
  const std::vector<double> shifts{0, 0.02, 0.3, 5};
  const MultiShiftParameters parameters{.tolerance = 1e-5, .finish = false};
  const V<T, W> expected(lattice, 0, 4), x(lattice, 0, 4), directions = x.like("directions");
  const SolverReport report = multi_shift_cg(a, shifts, b, expected, parameters);

  const double bb = norms2(b)[0];
  std::vector<ShiftProgress> start;
  for (const double shift : shifts) start.push_back({.sigma = shift, .target = 1e-10 * bb});
  const V<T, W> p = b.clone(), ap = b.like("A p");
  std::vector<V<T, W>> r;
  for (int j = 0; j < parameters.deferred; ++j) r.push_back(b.like("residual"));
  r.back().copy_from(b);
  broadcast(b, directions);
  MultiShiftState state(start, 0, bb, is_single<T>);
  for (int k = 0; k < 20; ++k)
    ASSERT_TRUE(run_steps(together, MultiShiftSteps<V<T, W>>{p, ap, r, x, directions, state, resident_turns}));
  state.advance();
  state.settle();
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(numbers(x, i), numbers(expected, i)) << i;
    EXPECT_EQ(state.shifts()[std::size_t(i)].iterations, report.iterations_of[std::size_t(i)]) << i;
  }
  EXPECT_GT(report.iterations_of[0], report.iterations_of[3]);
}

TEST(ResidentSteps, AreTheIterationsOfManyShifts) {
  test::for_each_lane_count(size, [&]<int W>() {
    expect_the_same_shifts<double, W>();
    expect_the_same_shifts<float, W>();
  });
}

template <class T, int W>
void expect_the_same_eigenvalue() {
  const Lattice lattice(size, W);
  const DiagonalOperator<T, W> a(lattice, 0, T(0.01), T(2));
  const InOneLaunch<T, W> together{a, a.factors(), V<T, W>(lattice, 0, 1), Resident<FieldSpace>()};
  const RandomStream stream{3, 1, RandomPurpose::test};
  for (const LanczosParameters& parameters : {LanczosParameters{}, {.max_steps = 37, .tolerance = 1e-30}}) {
    const auto expected = largest_eigenvalue(a, a.factors(), stream, parameters);
    const auto found = largest_eigenvalue(together, a.factors(), stream, parameters);
    EXPECT_EQ(found.value, expected.value);
    EXPECT_EQ(found.error, expected.error);
    EXPECT_EQ(found.steps, expected.steps);
    EXPECT_GT(found.steps, resident_lanczos_turns);
  }
}

TEST(ResidentSteps, AreThoseOfLanczos) {
  test::for_each_lane_count(size, [&]<int W>() {
    expect_the_same_eigenvalue<double, W>();
    expect_the_same_eigenvalue<float, W>();
  });
}

}  // namespace resident_steps_test
}  // namespace trellis::solver
