// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/hmc/integrator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "trellis/core/error.hpp"

namespace trellis::hmc {
namespace {

// A pendulum with two terms, S = sum_k w_k (1 - cos(k q)).
struct Pendulum {
  double q = 0.7, p = 0.4;
  double weight[2] = {1.0, 0.3};

  double force(int level, double at) const {
    const double k = level + 1;
    return level < 0 ? force(0, at) + force(1, at) : -weight[level] * k * std::sin(k * at);
  }
  double energy() const { return 0.5 * p * p + weight[0] * (1 - std::cos(q)) + weight[1] * (1 - std::cos(2 * q)); }
  void kick(int level, double time) { p += time * force(level, q); }
  void gradient_kick(int level, double time, double displacement) {
    p += time * force(level, q + displacement * force(level, q));
  }
  void drift(double time) { q += time * p; }
};

// Both terms on one level.
struct FlatPendulum : Pendulum {
  void kick(int, double time) { Pendulum::kick(-1, time); }
  void gradient_kick(int, double time, double displacement) { Pendulum::gradient_kick(-1, time, displacement); }
};

template <class P>
P moved(const std::vector<Level>& levels, double length) {
  P space;
  integrate(make_plan(levels, length), space);
  return space;
}

template <class P>
double energy_change(const std::vector<Level>& levels) {
  return moved<P>(levels, 1.0).energy() - P().energy();
}

TEST(Integrator, EnergyChangeFallsWithItsOrder) {
  for (const auto& [scheme, order] :
       {std::pair{leapfrog(), 2}, {minimum_norm_2(), 2}, {minimum_norm_4(), 4}, {force_gradient(), 4}}) {
    const double coarse = energy_change<FlatPendulum>({{scheme, 8, {}}});
    const double fine = energy_change<FlatPendulum>({{scheme, 16, {}}});
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.1) << scheme.name;
  }
}

TEST(Integrator, NestedLevelsKeepTheirOrder) {
  for (const auto& [outer, inner, order] : {std::tuple{leapfrog(), minimum_norm_4(), 2},
                                            {minimum_norm_4(), force_gradient(), 4},
                                            {force_gradient(), force_gradient(), 4},
                                            {minimum_norm_2(), leapfrog(), 2}}) {
    const double coarse = energy_change<Pendulum>({{outer, 8, {}}, {inner, 2, {}}});
    const double fine = energy_change<Pendulum>({{outer, 16, {}}, {inner, 2, {}}});
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.2) << outer.name << " " << inner.name;
  }
}

TEST(Integrator, ComesBack) {
  const auto plan = make_plan({{minimum_norm_4(), 3, {}}, {force_gradient(), 2, {}}}, 1.3);
  Pendulum space;
  integrate(plan, space);
  EXPECT_GT(std::abs(space.q - Pendulum().q), 0.1);
  space.p = -space.p;
  integrate(plan, space);
  EXPECT_NEAR(space.q, Pendulum().q, 1e-14);
  EXPECT_NEAR(space.p, -Pendulum().p, 1e-14);
}

TEST(Integrator, OneInnerLeapfrogStepIsTheFlatLeapfrog) {
  const auto nested = moved<Pendulum>({{leapfrog(), 7, {}}, {leapfrog(), 1, {}}}, 1.0);
  const auto flat = moved<FlatPendulum>({{leapfrog(), 7, {}}}, 1.0);
  EXPECT_NEAR(nested.q, flat.q, 1e-14);
  EXPECT_NEAR(nested.p, flat.p, 1e-14);
}

TEST(Plan, MergesWhatCommutes) {
  const int n = 6;
  const auto forces = [&](const Scheme& s) { return force_evaluations(make_plan({{s, n, {}}}, 1.0), 0); };
  EXPECT_EQ(forces(leapfrog()), n + 1);
  EXPECT_EQ(forces(minimum_norm_2()), 2 * n + 1);
  EXPECT_EQ(forces(minimum_norm_4()), 5 * n + 1);
  EXPECT_EQ(forces(force_gradient()), 3 * n + 1);
  // Inner kicks on both sides of an outer kick are merged.
  const auto plan = make_plan({{leapfrog(), n, {}}, {leapfrog(), 3, {}}}, 2.0);
  EXPECT_EQ(force_evaluations(plan, 0), n + 1);
  EXPECT_EQ(force_evaluations(plan, 1), 3 * n + 1);
  double time[3] = {0, 0, 0};
  for (const Operation& o : plan) time[o.kind == Step::Kind::drift ? 2 : o.level] += o.time;
  for (const double t : time) EXPECT_NEAR(t, 2.0, 1e-14);
}

TEST(Plan, Errors) {
  EXPECT_THROW(make_plan({}, 1.0), InputError);
  EXPECT_THROW(make_plan({{leapfrog(), 0, {}}}, 1.0), InputError);
  EXPECT_THROW(make_plan({{leapfrog(), 4, {}}}, 0.0), InputError);
  EXPECT_THROW(make_plan({{leapfrog(), 4, {}}}, std::nan("")), InputError);
}

}  // namespace
}  // namespace trellis::hmc
