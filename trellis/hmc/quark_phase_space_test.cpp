// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
// Molecular dynamics with quarks as a map (U, p) -> (U', p') of phase space at fixed pseudofermions, by finite
// differences.
//
// A tangent vector at (U, p) is (w, pi): dU = i W U, dp_a = pi_a, W = sum_a w_a T_a on every link. The canonical
// one-form is theta = sum_a p_a w_a, and its exterior derivative, with [i W_1 U, i W_2 U] = -[i W_1, i W_2] U as vector
// fields, is the symplectic form
//   Omega(1, 2) = sum over links of pi_1 . w_2 - pi_2 . w_1 + 2 i tr(H [W_1, W_2]),  H = sum_a p_a T_a,
// which the flow of any Hamiltonian preserves, J^T Omega' J = Omega; kicks do so only if the force is a gradient. It
// implies det J = 1 in these coordinates, whose measure is Haar's times dp.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/dense.hpp"
#include "tests/support/changed_term.hpp"
#include "tests/support/reference_links.hpp"
#include "trellis/gauge/loop_weights.hpp"
#include "trellis/gauge/molecular_dynamics.hpp"
#include "trellis/gauge/smearing/stout.hpp"
#include "trellis/hmc/field_kernels.hpp"
#include "trellis/hmc/hybrid_monte_carlo.hpp"
#include "trellis/hmc/quark_action.hpp"

namespace trellis::hmc {
namespace {

using Links = GaugeField<double, 1>;
using Momenta = AlgebraField<double, 1>;
using Changed = test::ChangedTerm<1>;

struct Point {
  Links links;
  Momenta momenta;
};

// w and pi of all links, or their coefficients.
using Coefficients = std::vector<std::array<double, 8>>;
struct Tangent {
  Coefficients w, pi;
};

Coefficients to_coefficients(const Momenta& p) {
  Coefficients result;
  for (std::int64_t n = 0; n < p.lattice().volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) result.push_back(p.at(p.lattice().coordinate(n), mu));
  return result;
}

Momenta to_momenta(const Coefficients& c, const Lattice& lattice) {
  const Momenta p(lattice);
  for (std::int64_t n = 0; n < lattice.volume(); ++n)
    for (int mu = 0; mu < 4; ++mu) p.set(lattice.coordinate(n), mu, c[std::size_t(4 * n + mu)]);
  return p;
}

double symplectic_form(const Momenta& p, const Tangent& a, const Tangent& b) {
  const Coefficients h = to_coefficients(p);
  double sum = 0;
  for (std::size_t l = 0; l < h.size(); ++l) {
    for (int k = 0; k < 8; ++k) sum += a.pi[l][k] * b.w[l][k] - b.pi[l][k] * a.w[l][k];
    const auto w1 = reference::from_coefficients(a.w[l]), w2 = reference::from_coefficients(b.w[l]);
    sum -= 2 * reference::trace(reference::from_coefficients(h[l]) * (w1 * w2 - w2 * w1)).imag();
  }
  return sum;
}

// A trajectory of HybridMonteCarlo from a point of our choice. A term without a force comes first on the outermost
// level: its first kick sets links and momenta, and its handle on the momenta sees where they end.
class Trajectory {
 public:
  Trajectory(HmcParameters parameters, Terms<double, 1> terms, const Lattice& lattice)
      : probe_(std::make_shared<Probe>()) {
    const auto probe = std::make_shared<Changed>("probe");
    probe->force = [probe = probe_](const Links& u, double, const Momenta& p) {
      if (probe->start == nullptr) return;
      u.copy_from(probe->start->links);
      p.copy_from(probe->start->momenta);
      probe->start = nullptr;
      probe->momenta = p;
    };
    for (auto& term : terms) {
      const auto quiet = std::make_shared<Changed>(term);
      quiet->draws = false;
      quiet->energy = [](const Links&, const Links&) { return 0.0; };
      term = quiet;
    }
    terms.push_back(probe);
    parameters.levels.at(0).terms.insert(parameters.levels[0].terms.begin(), "probe");
    hmc_.emplace(parameters, terms, lattice);
  }

  Point operator()(const Point& start) const {
    const Links u = start.links.clone();
    probe_->start = &start;
    (*hmc_)({.accept_always = true}, u);
    return {u, probe_->momenta.clone()};
  }

 private:
  struct Probe {
    const Point* start = nullptr;
    Momenta momenta;
  };
  std::shared_ptr<Probe> probe_;
  std::optional<HybridMonteCarlo<double, 1>> hmc_;
};

// J t by central differences of width 2 epsilon: W' = anti-Hermitian part of U'(+) U'(-)^dagger / (2 i epsilon).
Tangent difference(const Trajectory& f, const Point& start, const Tangent& t, double epsilon) {
  const Lattice& lattice = start.links.lattice();
  const Momenta w = to_momenta(t.w, lattice);
  const auto moved = [&](double step) {
    Coefficients p = to_coefficients(start.momenta);
    for (std::size_t l = 0; l < p.size(); ++l)
      for (int k = 0; k < 8; ++k) p[l][k] += step * t.pi[l][k];
    const Point point{start.links.clone(), to_momenta(p, lattice)};
    displace_links(step, w, start.links, point.links);
    return f(point);
  };
  const Point plus = moved(epsilon), minus = moved(-epsilon);
  const auto u = test::to_reference(plus.links), v = test::to_reference(minus.links);
  Tangent result{{}, to_coefficients(plus.momenta)};
  const Coefficients q = to_coefficients(minus.momenta);
  for (std::size_t l = 0; l < q.size(); ++l) {
    const auto a = reference::traceless_antihermitian(u.links[l] * reference::adjoint(v.links[l]));
    result.w.push_back(reference::coefficients(reference::Complex(0, -0.5 / epsilon) * a));
    for (int k = 0; k < 8; ++k) result.pi[l][k] = (result.pi[l][k] - q[l][k]) / (2 * epsilon);
  }
  return result;
}

// To fourth order in epsilon.
Tangent pushed(const Trajectory& f, const Point& start, const Tangent& t, double epsilon) {
  Tangent result = difference(f, start, t, epsilon);
  const Tangent wide = difference(f, start, t, 2 * epsilon);
  for (std::size_t l = 0; l < result.w.size(); ++l)
    for (int k = 0; k < 8; ++k) {
      result.w[l][k] += (result.w[l][k] - wide.w[l][k]) / 3;
      result.pi[l][k] += (result.pi[l][k] - wide.pi[l][k]) / 3;
    }
  return result;
}

Coefficients random_coefficients(const Lattice& lattice, std::uint32_t number) {
  const Momenta p(lattice);
  gauge::draw_momenta({31, number, RandomPurpose::test}, p);
  return to_coefficients(p);
}

Point random_point(const Coordinate& size) {
  const Links u = test::from_reference<double, 1>(reference::warm_configuration(size, 4, 0.5));
  return {u, to_momenta(random_coefficients(u.lattice(), 0), u.lattice())};
}

// 2+1 flavours with pseudofermions drawn at these links, and a gauge action. Of HISQ links the strange quark has a Naik
// epsilon, and the gauge action all its loops. Hops of three steps are those of one step on an extent of 2, with the
// product of three links.
Terms<double, 1> terms_at(const Links& u, const gauge::SmearingParameters& smearing) {
  const bool improved = smearing.kind == "hisq";
  QuarkAction action;
  action.smearing = smearing;
  action.molecular_dynamics_residual = 1e-13;
  action.molecular_dynamics_error = 1e-5;  // the force of any approximation is a gradient, even of a rough one
  action.molecular_dynamics_precision = SolverPrecision::double_;
  auto terms = make_quark_terms<1>(action,
                                   {{"light", 0.4, 0.8, 0.25, 2, {.imaginary_mu = 0.2}},
                                    {.name = "strange",
                                     .mass = 0.7,
                                     .power = 0.25,
                                     .phases = {.quanta = {0, 0, 0, 0, 0, 1}},
                                     .naik_epsilon = improved ? -0.2 : 0.0}},
                                   u.lattice());
  for (const auto& term : terms) term->refresh({8, 0, RandomPurpose::test}, u);
  const auto loops =
      improved ? gauge::one_loop_symanzik(6.0, 0.9, 3) : gauge::LoopWeights(gauge::Action{4.0, -1.0 / 12});
  terms.push_back(make_gauge_terms<double, 1>({{"gauge", loops}})[0]);
  return terms;
}

HmcParameters nested(const Scheme& outer, int steps, double length) {
  return {length, {{outer, steps, {"light", "strange"}}, {minimum_norm_2(), 1, {"gauge"}}}};
}

// Relative change of Omega for two pairs of random tangent vectors; returns the larger one.
double change_of_form(const HmcParameters& parameters, const Terms<double, 1>& terms, const Point& start) {
  const Lattice& lattice = start.links.lattice();
  const Trajectory f(parameters, terms, lattice);
  std::vector<Tangent> before, after;
  for (std::uint32_t n = 0; n < 3; ++n) {
    before.push_back({random_coefficients(lattice, 2 * n + 1), random_coefficients(lattice, 2 * n + 2)});
    after.push_back(pushed(f, start, before.back(), 5e-4));
  }
  const Momenta end = f(start).momenta;
  double worst = 0;
  for (const int n : {1, 2}) {
    const double old = symplectic_form(start.momenta, before[0], before[std::size_t(n)]);
    worst = std::max(worst, std::abs(symplectic_form(end, after[0], after[std::size_t(n)]) / old - 1));
  }
  return worst;
}

TEST(QuarkPhaseSpace, TrajectoriesAreSymplectic) {
  const Point start = random_point({2, 2, 2, 4});
  const std::vector<std::string> all{"light", "strange", "gauge"};
  auto terms = terms_at(start.links, gauge::stout_smearing(0.12, 2));
  for (const Scheme& scheme : {minimum_norm_2(), minimum_norm_4()})
    EXPECT_LT(change_of_form(nested(scheme, 1, 0.3), terms, start), 1e-10) << scheme.name;
  // A force on displaced links is a gradient only up to the square of the displacement, h^4, and kicks for a time h.
  // Detailed balance needs less: a kick that depends only on the links preserves the volume.
  const double coarse = change_of_form({0.05, {{force_gradient(), 1, all}}}, terms, start),
               fine = change_of_form({0.025, {{force_gradient(), 1, all}}}, terms, start);
  EXPECT_NEAR(std::log2(coarse / fine), 5, 0.5) << coarse << " " << fine;

  // A force that is one percent too large in one direction is not a gradient.
  const auto bent = std::make_shared<Changed>(terms[0]);
  bent->force = [light = terms[0]](const Links& u, double step, const Momenta& p) {
    light->add_force(u, step, p);
    const Momenta more(u.lattice());
    light->add_force(u, 0.01 * step, more);
    Coefficients sum = to_coefficients(p);
    const Coefficients part = to_coefficients(more);
    for (std::size_t l = 0; l < sum.size(); l += 4)
      for (int k = 0; k < 8; ++k) sum[l][k] += part[l][k];
    p.copy_from(to_momenta(sum, u.lattice()));
  };
  terms[0] = bent;
  EXPECT_GT(change_of_form(nested(minimum_norm_2(), 1, 0.3), terms, start), 1e-5);
}

TEST(QuarkPhaseSpace, TrajectoriesOfHisqAreSymplectic) {
  const Point start = random_point({2, 2, 2, 4});
  const auto terms = terms_at(start.links, {"hisq", {}});
  for (const Scheme& scheme : {minimum_norm_2(), minimum_norm_4()})
    EXPECT_LT(change_of_form(nested(scheme, 1, 0.3), terms, start), 1e-9) << scheme.name;
}

// log |det J| from all 1024 columns.
double log_jacobian(const HmcParameters& parameters, const Terms<double, 1>& terms, const Point& start) {
  const Lattice& lattice = start.links.lattice();
  const Trajectory f(parameters, terms, lattice);
  const std::size_t links = std::size_t(4 * lattice.volume());
  reference::DenseMatrix jacobian(int(16 * links));
  for (int column = 0; column < jacobian.n; ++column) {
    Tangent t{Coefficients(links), Coefficients(links)};
    const auto entry = [&](Tangent& v, int n) -> double& {
      const std::size_t l = std::size_t(n / 8) % links;
      return (std::size_t(n / 8) < links ? v.w : v.pi)[l][std::size_t(n % 8)];
    };
    entry(t, column) = 1;
    Tangent image = pushed(f, start, t, 5e-4);
    for (int row = 0; row < jacobian.n; ++row) jacobian(row, column) = entry(image, row);
  }
  return reference::log_determinant(reference::lu_decomposition(jacobian)).real();
}

TEST(NightlyQuarkPhaseSpace, VolumeIsPreserved) {
  const Point start = random_point({2, 2, 2, 2});
  const double length = 0.4, friction = 1e-3;
  auto terms = terms_at(start.links, gauge::stout_smearing(0.12, 1));
  for (const Scheme& scheme : {minimum_norm_2(), force_gradient()})
    EXPECT_NEAR(log_jacobian(nested(scheme, 1, length), terms, start), 0, 1e-6) << scheme.name;

  // Friction, p <- exp(-friction time) p in each of its 512 components, does not preserve it.
  const auto drag = std::make_shared<Changed>("drag");
  drag->force = [&](const Links& u, double step, const Momenta& p) {
    Coefficients c = to_coefficients(p);
    for (auto& link : c)
      for (double& value : link) value *= std::exp(-friction * step);
    p.copy_from(to_momenta(c, u.lattice()));
  };
  auto with_drag = make_gauge_terms<double, 1>({{"gauge", gauge::Action{4.0, -1.0 / 12}}});
  with_drag.push_back(drag);
  const HmcParameters parameters{length, {{minimum_norm_2(), 1, {"drag", "gauge"}}}};
  EXPECT_NEAR(log_jacobian(parameters, with_drag, start), -friction * length * 512, 1e-6);
}

TEST(NightlyQuarkPhaseSpace, VolumeIsPreservedByHisq) {
  const Point start = random_point({2, 2, 2, 2});
  const auto terms = terms_at(start.links, {"hisq", {}});
  for (const Scheme& scheme : {minimum_norm_2(), force_gradient()})
    EXPECT_NEAR(log_jacobian(nested(scheme, 1, 0.4), terms, start), 0, 1e-6) << scheme.name;
}

}  // namespace
}  // namespace trellis::hmc
