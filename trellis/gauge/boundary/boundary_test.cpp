// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/gauge/boundary/boundary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/boundary.hpp"
#include "reference/numerical_derivative.hpp"
#include "tests/support/reference_links.hpp"
#include "tests/support/wide_lanes.hpp"
#include "trellis/core/error.hpp"
#include "trellis/gauge/boundary/boundary_action.hpp"
#include "trellis/gauge/boundary/boundary_links.hpp"
#include "trellis/gauge/boundary/eta_derivative.hpp"
#include "trellis/gauge/boundary/slice_observables.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"

namespace trellis::gauge {
namespace {

using test::for_each_lane_count;
using test::to_reference;

constexpr double pi = std::numbers::pi;

Boundary open(double c_g) { return {.kind = BoundaryKind::open, .c_g = c_g}; }

// The fields "A" of M. Luescher et al., Nucl. Phys. B 413 (1994) 481, with nu = 0.
Boundary schroedinger_functional(int extent, double c_g, double eta = 0) {
  return {.kind = BoundaryKind::schroedinger_functional,
          .c_g = c_g,
          .extent = extent,
          .phi = {eta - pi / 3, -eta / 2, -eta / 2 + pi / 3},
          .phi_prime = {-eta - pi, eta / 2 + pi / 3, eta / 2 + 2 * pi / 3}};
}

Boundary weighted(Boundary boundary, double c_g_rectangles = 1.5) {
  boundary.rectangles = BoundaryRectangles::weighted;
  boundary.c_g_rectangles = c_g_rectangles;
  return boundary;
}

struct Case {
  Boundary boundary;
  LoopWeights weights;
  Coordinate size;
};
const Case cases[]{{open(1), Action{5.5, 0}, {4, 4, 4, 4}},
                   {open(1.7), Action{5.5, 0}, {2, 4, 4, 8}},
                   {open(0.9), Action{5.5, -1.0 / 12}, {4, 4, 4, 8}},
                   {open(1), Action{5.5, -0.331}, {4, 4, 2, 4}},
                   {schroedinger_functional(4, 1), Action{5.5, 0}, {4, 4, 4, 6}},
                   {schroedinger_functional(6, 0.8), Action{5.5, 0}, {4, 2, 4, 8}},
                   {schroedinger_functional(3, 1.2), Action{5.5, 0}, {4, 4, 4, 4}},
                   {schroedinger_functional(2, 1.2), Action{5.5, 0}, {2, 2, 2, 4}},
                   {schroedinger_functional(4, 1.1), Action{5.5, -1.0 / 12}, {2, 2, 4, 6}},
                   {schroedinger_functional(3, 0.9), Action{5.5, -0.331}, {4, 2, 2, 4}},
                   {schroedinger_functional(2, 1), {0, -0.7, 0}, {2, 4, 2, 4}},
                   {weighted(schroedinger_functional(4, 1.1), 1.3), Action{5.5, -0.331}, {2, 4, 2, 6}},
                   {weighted(schroedinger_functional(3, 1)), Action{5.5, -1.0 / 12}, {2, 2, 4, 4}},
                   {open(1.3), {5.5, -0.3, 0.7}, {4, 4, 2, 4}},
                   {open(2), {5.5, 0, 0.7}, {2, 4, 4, 4}},
                   {schroedinger_functional(4, 1.1), {5.5, -0.3, 0.7}, {2, 4, 2, 6}},
                   {schroedinger_functional(3, 0.9), {5.5, 0, 0.7}, {4, 2, 2, 4}}};

reference::LoopWeights of(const LoopWeights& w) { return {w.plaquette, w.rectangle, w.parallelogram}; }
reference::TimeBoundary of(const Boundary& b, const Coordinate& size) {
  return {b.kind == BoundaryKind::schroedinger_functional, b.last_slice(size), b.c_g,
          b.rectangles == BoundaryRectangles::orbifold, b.c_g_rectangles};
}

template <class T, int W>
GaugeField<T, W> random_links(const Case& c) {
  GaugeField<T, W> u{Lattice(c.size, W)};
  hot_start({2026, 0, hot_start_purpose}, u);
  impose_boundary(c.boundary, u);
  return u;
}

template <class T, int W>
AlgebraField<T, W> force(const Case& c, const GaugeField<T, W>& u) {
  const AlgebraField<T, W> p(u.lattice());
  LoopForceWork<T, W> work;
  add_force(c.weights, c.boundary, u, 1.0, p, work);
  return p;
}

TEST(Boundary, ActionAgreesWithReference) {
  for (const Case& c : cases)
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = random_links<double, W>(c);
      const double expected = reference::gauge_action(to_reference(u), of(c.weights), of(c.boundary, c.size));
      EXPECT_NEAR(action(c.weights, c.boundary, u) / expected, 1, 1e-14) << W << " " << c.weights.rectangle;
    });
}

// From the action in which all loops that exist have the same weight: 16 parallelograms for each site in space and step
// in time, and 4 more.
TEST(Boundary, ParallelogramsAreAveragedWhereTheyExist) {
  for (const Case& c : {Case{open(2), {}, {4, 4, 2, 4}}, Case{schroedinger_functional(3, 1), {}, {2, 4, 2, 4}},
                        Case{schroedinger_functional(4, 1), {}, {4, 2, 2, 6}}})
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = random_links<double, W>(c);
      const double loops = c.size[0] * c.size[1] * c.size[2] * (16 * c.boundary.last_slice(c.size) + 4);
      const double sum = reference::gauge_action(to_reference(u), {0, 0, 1}, of(c.boundary, c.size));
      EXPECT_NEAR(parallelogram(c.boundary, u), 1 - sum / loops, 1e-14) << W;
    });
}

TEST(Boundary, ForceAgreesWithReference) {
  for (const Case& c : cases) {
    const auto expected =
        reference::gauge_derivative(to_reference(random_links<double, 1>(c)), of(c.weights), of(c.boundary, c.size));
    const double scale =
        c.weights.plaquette + 12 * std::abs(c.weights.rectangle) + 16 * std::abs(c.weights.parallelogram);
    for_each_lane_count(c.size, [&]<int W>() {
      const auto p = force(c, random_links<double, W>(c));
      for (std::int64_t n = 0; n < p.lattice().volume(); ++n)
        for (int mu = 0; mu < 4; ++mu) {
          const auto found = p.at(p.lattice().coordinate(n), mu);
          for (int a = 0; a < 8; ++a) {
            const auto d = 2 * reference::trace(reference::generator(a) * expected[std::size_t(4 * n + mu)]).real();
            ASSERT_NEAR(found[std::size_t(a)], -d, 2e-14 * scale) << W << " site " << n << " direction " << mu;
          }
        }
    });
  }
}

TEST(Boundary, ForceIsMinusTheNumericalDerivative) {
  for (const Case& c : cases) {
    const auto u = random_links<double, 1>(c);
    const auto links = to_reference(u);
    const auto p = force(c, u);
    const auto f = [&](const reference::GaugeConfiguration& v) {
      return reference::gauge_action(v, of(c.weights), of(c.boundary, c.size));
    };
    const int end = c.boundary.last_slice(c.size);
    for (const int t : {0, 1, end - 1, end})
      for (const int mu : {0, 3}) {
        const Coordinate x{1, 0, 1, t};
        if (!reference::is_variable(x, mu, of(c.boundary, c.size))) {
          EXPECT_EQ(p.at(x, mu), (std::array<double, 8>{}));
          continue;
        }
        const auto derivative = reference::numerical_derivative(f, links, x, mu);
        double scale = 0;
        for (const double d : derivative) scale = std::max(scale, std::abs(d));
        for (int a = 0; a < 8; ++a)
          EXPECT_NEAR(p.at(x, mu)[std::size_t(a)], -derivative[std::size_t(a)], 1e-8 * scale) << t << " " << mu;
      }
  }
}

TEST(Boundary, BitsDoNotDependOnLanesAndInactiveLinksStay) {
  for (const Case& c : cases) {
    std::vector<reference::Matrix> links;
    double change = 0;
    for_each_lane_count(c.size, [&]<int W>() {
      const auto u = random_links<double, W>(c);
      const auto before = to_reference(u);
      const AlgebraField<double, W> p(u.lattice());
      draw_momenta({7, 3, momenta_purpose}, p);
      clear_inactive(c.boundary, p);
      LoopForceWork<double, W> work;
      for (int step = 0; step < 3; ++step) {
        add_force(c.weights, c.boundary, u, 0.02, p, work);
        update_links(0.1, p, u);
        reunitarise(u);
      }
      const auto after = to_reference(u);
      for (int n = 0; n < after.volume(); ++n)
        for (int mu = 0; mu < 4; ++mu) {
          const auto i = std::size_t(4 * n + mu);
          const bool moves = reference::is_variable(after.site(n), mu, of(c.boundary, c.size));
          ASSERT_EQ(after.links[i] == before.links[i], !moves) << W << " site " << n << " direction " << mu;
        }
      const auto start = random_links<double, W>(c);
      const double here = action_difference(c.weights, c.boundary, u, start);
      EXPECT_NEAR(here, action(c.weights, c.boundary, u) - action(c.weights, c.boundary, start), 1e-9);
      if (W == 1) {
        links = after.links;
        change = here;
      }
      EXPECT_EQ(after.links, links) << W;
      EXPECT_EQ(here, change) << W;
    });
  }
}

// An open lattice is invariant under gauge transformations of its sites, a Schroedinger functional under those that
// leave slices 0 and T alone.
TEST(Boundary, OpenActionIsGaugeInvariant) {
  for (const Case& c : cases) {
    if (c.boundary.kind != BoundaryKind::open) continue;
    const auto u = random_links<double, test::wide>({c.boundary, c.weights, {4, 4, 4, 8}});
    const auto before = u.clone();
    random_gauge_transformation({99, 0, gauge_transformation_purpose}, u);
    EXPECT_NEAR(action_difference(c.weights, c.boundary, u, before), 0, 1e-13 * action(c.weights, c.boundary, u));
  }
}

// The constant field between the boundaries of a Schroedinger functional: V_k(t) = exp(i diag(phi + t (phi' - phi) / T)
// / L), V_t = 1.
template <int W>
GaugeField<double, W> background_field(const Boundary& boundary, const Coordinate& size) {
  const auto u = GaugeField<double, W>::unit(Lattice(size, W));
  impose_boundary(boundary, u);
  for (std::int64_t n = 0; n < u.lattice().volume(); ++n) {
    const auto x = u.lattice().coordinate(n);
    if (x[3] == 0 || x[3] >= boundary.extent) continue;
    for (int mu = 0; mu < 3; ++mu) {
      std::array<double, 18> link{};
      for (std::size_t k = 0; k < 3; ++k) {
        const double angle =
            (boundary.phi[k] + x[3] * (boundary.phi_prime[k] - boundary.phi[k]) / boundary.extent) / size[mu];
        link[8 * k] = std::cos(angle);
        link[8 * k + 1] = std::sin(angle);
      }
      u.set_link(x, mu, link);
    }
  }
  u.exchange();
  return u;
}

// M. Luescher et al., Nucl. Phys. B 413 (1994) 481: at tree level g^2 dS/d eta = 12 L^2 (sin 2 gamma + sin gamma),
// gamma = (eta + pi / 3) / (L T); beta = 6 / g^2. The action is g^-2 6 L^3 T sum_k (1 - cos E_k), E = gamma (-2, 1, 1).
TEST(Boundary, SchroedingerFunctionalAtTreeLevel) {
  const Coordinate size{4, 4, 4, 6};
  const int extent = 4;
  const Case c{schroedinger_functional(extent, 1), Action{6.0, 0}, size};
  const auto u = background_field<test::wide>(c.boundary, size);
  const double gamma = pi / 3 / (size[0] * extent);
  const double expected = 6.0 * 64 * extent * ((1 - std::cos(2 * gamma)) + 2 * (1 - std::cos(gamma)));
  EXPECT_NEAR(action(c.weights, c.boundary, u), expected, 1e-11);
  // It is a solution of the field equations.
  const auto p = force(c, u);
  EXPECT_LT(kinetic_energy(p), 1e-26);
  const double h = 1e-3;
  const auto at = [&](double eta) {
    const auto boundary = schroedinger_functional(extent, 1, eta);
    return action(c.weights, boundary, background_field<test::wide>(boundary, size));
  };
  const double derivative = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
  EXPECT_NEAR(derivative, 12.0 * 16 * (std::sin(2 * gamma) + std::sin(gamma)), 1e-8);
  EXPECT_NEAR(6 * eta_derivative(c.boundary, u), 12.0 * 16 * (std::sin(2 * gamma) + std::sin(gamma)), 1e-11);
}

// With rectangles k = 12 L^2 [c0 (sin 2 gamma + sin gamma) + 4 c1 (sin 4 gamma + sin 2 gamma)], and the field is still
// a solution, if c_G_rectangles = 3/2.
TEST(Boundary, SchroedingerFunctionalWithRectanglesAtTreeLevel) {
  const Coordinate size{4, 4, 4, 6};
  const int extent = 4;
  for (const double c1 : {-1.0 / 12, -0.331})
    for (Boundary boundary : {schroedinger_functional(extent, 1), weighted(schroedinger_functional(extent, 1))}) {
      boundary.c1 = c1;
      const auto u = background_field<test::wide>(boundary, size);
      EXPECT_LT(kinetic_energy(force<double, test::wide>({boundary, Action{6.0, c1}, size}, u)), 1e-25) << c1;
      const double gamma = pi / 3 / (size[0] * extent);
      const double k = 12.0 * 16 *
                       ((1 - 8 * c1) * (std::sin(2 * gamma) + std::sin(gamma)) +
                        4 * c1 * (std::sin(4 * gamma) + std::sin(2 * gamma)));
      EXPECT_NEAR(6 * eta_derivative(boundary, u), k, 1e-10) << c1;
      if (boundary.rectangles == BoundaryRectangles::orbifold) continue;
      boundary.c_g_rectangles = 1.4;
      EXPECT_GT(kinetic_energy(force<double, test::wide>({boundary, Action{6.0, c1}, size}, u)), 1e-6) << c1;
    }
}

// With parallelograms, whose weight is the same at the boundaries, it is a solution too.
TEST(Boundary, SchroedingerFunctionalWithParallelogramsAtTreeLevel) {
  const Coordinate size{4, 4, 4, 6};
  const auto boundary = schroedinger_functional(4, 1);
  const auto u = background_field<test::wide>(boundary, size);
  EXPECT_LT(kinetic_energy(force<double, test::wide>({boundary, {6.0, 0, 0.7}, size}, u)), 1e-25);
  auto unknown = boundary;
  unknown.has_parallelograms = true;
  EXPECT_THROW(eta_derivative(unknown, u), Error);
}

// With the links between the boundaries as they are.
TEST(Boundary, DerivativeByEtaOfRandomLinks) {
  const Coordinate size{4, 2, 6, 8};
  const int extent = 6;
  const double c_g = 0.8, h = 1e-3;
  const auto at_eta = [&](double eta, double c1, bool is_weighted) {
    Boundary boundary = schroedinger_functional(extent, c_g, eta);
    boundary.c1 = c1;
    return is_weighted ? weighted(boundary, 1.2) : boundary;
  };
  for (const auto& [c1, is_weighted] : {std::pair{0.0, false}, {-1.0 / 12, false}, {-0.331, true}})
    for_each_lane_count(size, [&]<int W>() {
      const auto u = random_links<double, W>({at_eta(0, c1, is_weighted), {}, size});
      const auto at = [&](double eta) {
        const auto boundary = at_eta(eta, c1, is_weighted);
        const auto moved = u.clone();
        impose_boundary(boundary, moved);
        return action(Action{1, c1}, boundary, moved);
      };
      const double expected = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
      EXPECT_NEAR(eta_derivative(at_eta(0, c1, is_weighted), u), expected, 2e-9) << W << " " << c1;
    });
  EXPECT_THROW(eta_derivative(open(1), random_links<double, 1>({open(1), {}, size})), Error);
}

TEST(Boundary, BadParametersAreRefused) {
  const Coordinate size{4, 4, 4, 8};
  EXPECT_NO_THROW(require_valid({}, size));
  EXPECT_NO_THROW(require_valid(open(1), size));
  for (const double c_g : {0.0, -1.0, double(INFINITY), std::nan("")})
    EXPECT_THROW(require_valid(open(c_g), size), InputError) << c_g;
  for (const int extent : {6, 7}) EXPECT_NO_THROW(require_valid(schroedinger_functional(extent, 1), size));
  for (const int extent : {-1, 0, 1, 5, 8})
    EXPECT_THROW(require_valid(schroedinger_functional(extent, 1), size), InputError) << extent;
  for (const double c : {0.0, double(INFINITY), std::nan("")})
    EXPECT_THROW(require_valid(weighted(schroedinger_functional(6, 1), c), size), InputError) << c;
  Boundary wrong = schroedinger_functional(6, 1);
  wrong.phi[2] += 1e-3;
  EXPECT_THROW(require_valid(wrong, size), InputError);
  wrong.phi[2] = std::nan("");
  EXPECT_THROW(require_valid(wrong, size), InputError);
}

}  // namespace
}  // namespace trellis::gauge
