// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/hadrons.hpp"

#include <cmath>
#include <numbers>

#include "trellis/core/error.hpp"

namespace trellis::reference {
namespace {

DenseMatrix one_in_colour(const SpinMatrix& a) {
  DenseMatrix b(12);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int c = 0; c < 3; ++c) b(3 * i + c, 3 * j + c) = a(i, j);
  return b;
}

// sum over space of exp(-ipx) f(site index)
template <class F>
Correlator sum_over_space(const Site& size, const Momentum& n, const F& f) {
  const GaugeConfiguration lattice(size);
  Correlator c(size[3]);
  for (int k = 0; k < lattice.volume(); ++k) {
    const Site x = lattice.site(k);
    double px = 0.0;
    for (int j = 0; j < 3; ++j) px += 2.0 * std::numbers::pi * n[j] * x[j] / size[j];
    c[x[3]] += std::polar(1.0, -px) * f(k);
  }
  return c;
}

double epsilon_tensor(int a, int b, int c) { return (a - b) * (b - c) * (c - a) / 2.0; }

// < chi_g chibar_h > at one site.
Complex proton_element(const DenseMatrix& up, const DenseMatrix& down, int g, int h) {
  const SpinMatrix diquark = charge_conjugation() * gamma5();
  const SpinMatrix bar = gamma_matrix(3) * adjoint(diquark) * gamma_matrix(3);
  Complex sum = 0.0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        for (int l = 0; l < 4; ++l) {
          const Complex spins = diquark(i, j) * bar(k, l);
          if (spins == 0.0) continue;
          for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b)
              for (int c = 0; c < 3; ++c)
                for (int d = 0; d < 3; ++d)
                  for (int e = 0; e < 3; ++e)
                    for (int f = 0; f < 3; ++f) {
                      const double sign = epsilon_tensor(a, b, c) * epsilon_tensor(d, e, f);
                      if (sign == 0.0) continue;
                      const Complex direct = up(3 * i + a, 3 * l + d) * up(3 * g + c, 3 * h + f);
                      const Complex exchange = up(3 * i + a, 3 * h + f) * up(3 * g + c, 3 * l + d);
                      sum += sign * spins * down(3 * j + b, 3 * k + e) * (direct - exchange);
                    }
        }
  return sum;
}

}  // namespace

Propagator seen_from_source(const Site& size, const Propagator& s, const Site& source,
                            const std::array<double, 4>& boundary_angle_over_pi) {
  const GaugeConfiguration lattice(size);
  Propagator result(s.size(), DenseMatrix(12));
  for (int n = 0; n < lattice.volume(); ++n) {
    const Site x = lattice.site(n);
    Site from_source;
    double angle = 0.0;
    for (int mu = 0; mu < 4; ++mu) {
      from_source[mu] = x[mu] - source[mu];
      if (x[mu] < source[mu]) angle += std::numbers::pi * boundary_angle_over_pi[mu];
    }
    result[lattice.index(from_source)] = std::polar(1.0, angle) * s.at(n);
  }
  return result;
}

Correlator meson_correlator(const Site& size, const Propagator& quark, const Propagator& antiquark,
                            const SpinMatrix& sink, const SpinMatrix& source, const Momentum& n) {
  const DenseMatrix left = one_in_colour(sink), middle = one_in_colour(source * gamma5()),
                    right = one_in_colour(gamma5());
  return sum_over_space(size, n,
                        [&](int k) { return trace(left * quark.at(k) * middle * adjoint(antiquark.at(k)) * right); });
}

double meson_sign(const SpinMatrix& gamma) {
  const SpinMatrix bar = gamma_matrix(3) * adjoint(gamma) * gamma_matrix(3);
  if (distance(bar, gamma) == 0.0) return -1.0;
  if (distance(bar, Complex(-1.0) * gamma) == 0.0) return 1.0;
  fail("the meson of this matrix has no sign");
}

Correlator proton_correlator(const Site& size, const Propagator& up, const Propagator& down, int parity,
                             const Momentum& n) {
  const SpinMatrix projector = Complex(0.5) * (spin_identity() + Complex(parity) * gamma_matrix(3));
  return sum_over_space(size, n, [&](int k) {
    Complex sum = 0.0;
    for (int g = 0; g < 4; ++g)
      for (int h = 0; h < 4; ++h)
        if (projector(h, g) != 0.0) sum += projector(h, g) * proton_element(up.at(k), down.at(k), g, h);
    return sum;
  });
}

namespace {

// tr[X <N Nbar>] at one site of one term at the sink and one at the source.
Complex baryon_element(const std::vector<const DenseMatrix*>& quark, const BaryonOperatorTerm& sink,
                       const BaryonOperatorTerm& source, const SpinMatrix& x) {
  const SpinMatrix bar = gamma_matrix(3) * adjoint(source.diquark) * gamma_matrix(3);
  const int permutations[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  Complex sum = 0.0;
  for (int way = 0; way < 6; ++way) {
    // Quark k of the sink is contracted with antiquark to[k] of the source: bar(h)_f bar(g)_e Bbar bar(f)_d.
    const int* to = permutations[way];
    bool possible = true;
    for (int k = 0; k < 3; ++k) possible = possible && sink.flavours[k] == source.flavours[to[k]];
    if (!possible) continue;
    for (int spins = 0; spins < 4096; ++spins) {
      int at[3], from[3];
      for (int k = 0; k < 3; ++k) {
        at[k] = spins >> (2 * k) & 3;
        from[k] = spins >> (6 + 2 * k) & 3;
      }
      const Complex matrices = sink.diquark(at[0], at[1]) * bar(from[1], from[0]) * x(from[2], at[2]);
      if (matrices == 0.0) continue;
      for (const auto& a : permutations)
        for (const auto& b : permutations) {
          double sign = epsilon_tensor(a[0], a[1], a[2]) * epsilon_tensor(b[0], b[1], b[2]) * (way < 3 ? 1.0 : -1.0);
          Complex product = sign * matrices;
          for (int k = 0; k < 3; ++k)
            product *= (*quark[sink.flavours[k]])(3 * at[k] + a[k], 3 * from[to[k]] + b[to[k]]);
          sum += product;
        }
    }
  }
  return sink.weight * std::conj(source.weight) * sum;
}

}  // namespace

Correlator baryon_correlator(const Site& size, const std::vector<Propagator>& flavours, const BaryonOperator& sink,
                             const BaryonOperator& source, const SpinMatrix& x, const Momentum& n) {
  return sum_over_space(size, n, [&](int k) {
    std::vector<const DenseMatrix*> quark;
    for (const Propagator& s : flavours) quark.push_back(&s.at(k));
    Complex sum = 0.0;
    for (const auto& a : sink)
      for (const auto& b : source) sum += baryon_element(quark, a, b, x);
    return sum;
  });
}

}  // namespace trellis::reference
