// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_wilson.hpp"

#include <cmath>
#include <numbers>

#include "trellis/app/verify/naive_boundary.hpp"
#include "trellis/core/error.hpp"

namespace trellis::app {
namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr std::array<std::size_t, 4> spins{0, 1, 2, 3};
constexpr std::array<std::size_t, 3> colours{0, 1, 2};

NaiveSpin identity() {
  NaiveSpin a{};
  for (const auto i : spins) a[i][i] = 1;
  return a;
}

NaiveSpin sum(const NaiveSpin& a, Complex factor, const NaiveSpin& b) {
  NaiveSpin c{};
  for (const auto i : spins)
    for (const auto j : spins) c[i][j] = a[i][j] + factor * b[i][j];
  return c;
}

NaiveSpin product(const NaiveSpin& a, const NaiveSpin& b) {
  NaiveSpin c{};
  for (const auto i : spins)
    for (const auto j : spins)
      for (const auto k : spins) c[i][j] += a[i][k] * b[k][j];
  return c;
}

NaiveSpin conjugate(const NaiveSpin& a) {
  NaiveSpin c{};
  for (const auto i : spins)
    for (const auto j : spins) c[i][j] = std::conj(a[j][i]);
  return c;
}

NaiveSpin gamma5() { return product(product(naive_gamma(0), naive_gamma(1)), product(naive_gamma(2), naive_gamma(3))); }

// (i/2) [gamma_mu, gamma_nu]
NaiveSpin sigma(int mu, int nu) {
  const auto a = product(naive_gamma(mu), naive_gamma(nu)), b = product(naive_gamma(nu), naive_gamma(mu));
  return sum({}, {0, 0.5}, sum(a, -1, b));
}

// The same link matrix on each spin.
NaiveSpinor times(const NaiveMatrix& u, const NaiveSpinor& psi) {
  NaiveSpinor result{};
  for (const auto s : spins)
    for (const auto a : colours)
      for (const auto b : colours) result[3 * s + a] += u[a][b] * psi[3 * s + b];
  return result;
}

void add_spin(NaiveSpinor& to, Complex factor, const NaiveSpin& gamma, const NaiveSpinor& psi) {
  for (const auto s : spins)
    for (const auto r : spins)
      for (const auto a : colours) to[3 * s + a] += factor * gamma[s][r] * psi[3 * r + a];
}

// exp(i pi angle) on the link that leaves x in direction mu.
Complex twist(const NaiveLinks& u, std::size_t x, int mu, const std::array<double, 4>& boundary_angle_over_pi) {
  const auto d = std::size_t(mu);
  return u.coordinate(x)[d] == u.size()[d] - 1 ? std::polar(1.0, pi * boundary_angle_over_pi[d]) : 1.0;
}

int direction_of(char letter) {
  switch (letter) {
    case 'x':
      return 0;
    case 'y':
      return 1;
    case 'z':
      return 2;
    default:
      return 3;
  }
}

NaiveSpin meson_matrix(const std::string& channel) {
  const auto last = direction_of(channel.back());
  if (channel == "scalar") return identity();
  if (channel == "pseudoscalar" || channel == "pion") return gamma5();
  if (channel.starts_with("vector_")) return naive_gamma(last);
  if (channel.starts_with("axial_")) return product(naive_gamma(last), gamma5());
  if (channel.starts_with("tensor_")) return sigma(direction_of(channel[channel.size() - 2]), last);
  fail("no naive contraction of the channel '{}'", channel);
}

// -tr[Gamma S Gammabar gamma_5 S'^dagger gamma_5]
Complex meson(const NaivePropagator::value_type& s, const NaivePropagator::value_type& antiquark,
              const NaiveSpin& gamma) {
  const auto g4 = naive_gamma(3), right = product(product(product(g4, conjugate(gamma)), g4), gamma5()),
             left = product(gamma5(), gamma);
  Complex trace = 0;
  for (const auto i : spins)
    for (const auto j : spins)
      for (const auto k : spins)
        for (const auto l : spins) {
          const Complex factor = left[i][j] * right[k][l];
          if (factor == 0.0) continue;
          for (const auto a : colours)
            for (const auto b : colours)
              trace += factor * s[3 * j + a][3 * k + b] * std::conj(antiquark[3 * i + a][3 * l + b]);
        }
  return -trace;
}

struct Permutation {
  std::array<std::size_t, 3> of;
  double sign;
};
constexpr std::array<Permutation, 6> permutations{
    {{{0, 1, 2}, 1}, {{1, 2, 0}, 1}, {{2, 0, 1}, 1}, {{0, 2, 1}, -1}, {{2, 1, 0}, -1}, {{1, 0, 2}, -1}}};

// tr[P <N Nbar>], by Wick's theorem for the two ways in which the up quarks connect.
Complex proton(const NaivePropagator::value_type& s, const NaiveSpin& p) {
  const auto g4 = naive_gamma(3), c5 = product(product(naive_gamma(1), g4), gamma5()),
             bar = product(product(g4, conjugate(c5)), g4);
  Complex trace = 0;
  for (const auto i : spins)
    for (const auto j : spins)
      for (const auto k : spins)
        for (const auto l : spins) {
          if (c5[i][j] == 0.0 || bar[k][l] == 0.0) continue;
          for (const auto g : spins)
            for (const auto h : spins) {
              const Complex factor = p[h][g] * c5[i][j] * bar[k][l];
              if (factor == 0.0) continue;
              for (const auto& [in, sign_in] : permutations)
                for (const auto& [out, sign_out] : permutations) {
                  const auto up = [&](std::size_t row, std::size_t a, std::size_t column, std::size_t b) {
                    return s[3 * row + a][3 * column + b];
                  };
                  trace += factor * sign_in * sign_out * up(j, in[1], k, out[1]) *
                           (up(i, in[0], l, out[0]) * up(g, in[2], h, out[2]) -
                            up(i, in[0], h, out[2]) * up(g, in[2], l, out[0]));
                }
            }
        }
  return trace;
}

}  // namespace

NaiveSpin naive_gamma(int mu) {
  // Off-diagonal blocks b and b^dagger: i s_1, -i s_2, i s_3, 1.
  constexpr Complex i(0, 1);
  const std::array<std::array<Complex, 4>, 4> blocks{{{0, i, i, 0}, {0, -1, 1, 0}, {i, 0, 0, -i}, {1, 0, 0, 1}}};
  NaiveSpin gamma{};
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t column = 0; column < 2; ++column) {
      const Complex b = blocks[std::size_t(mu)][2 * row + column];
      gamma[row][2 + column] = b;
      gamma[2 + column][row] = std::conj(b);
    }
  return gamma;
}

NaiveWilson::NaiveWilson(const NaiveLinks& u, const dirac::WilsonParameters& quark) : links_(u), quark_(quark) {
  for (int mu = 0; mu < 4; ++mu) {
    const double s = mu == 3 ? 1 : quark.spatial_hopping;
    forward_[std::size_t(mu)] = sum({}, s, sum(identity(), -1, naive_gamma(mu)));
    backward_[std::size_t(mu)] = sum({}, s, sum(identity(), 1, naive_gamma(mu)));
  }
  const auto slices = naive_wilson_slices(quark.boundary, u.size());
  if (quark.clover == 0 && quark.clover_temporal == 0 && (slices.all || quark.c_f == 1)) return;
  for (std::size_t x = 0; x < u.volume(); ++x) {
    auto& a = clover_.emplace_back();
    const int t = u.coordinate(x)[3];
    double diagonal = 1;
    for (const int next : {t - 1, t + 1})
      if (slices.contain(t) && !slices.contain(next)) diagonal += 2 * quark.kappa * (quark.c_f - 1);
    for (std::size_t k = 0; k < 12; ++k) a[k][k] = diagonal;
    if (!slices.contain(t)) continue;
    for (int mu = 0; mu < 4; ++mu)
      for (int nu = mu + 1; nu < 4; ++nu) {
        const Complex factor(0, quark.kappa * (nu == 3 ? quark.clover_temporal : quark.clover));
        const auto f = naive_leaves(u, x, mu, nu);
        const auto s = sigma(mu, nu);
        for (std::size_t row = 0; row < 12; ++row)
          for (std::size_t column = 0; column < 12; ++column)
            a[row][column] += factor * s[row / 3][column / 3] * f[row % 3][column % 3];
      }
  }
}

std::vector<NaiveSpinor> NaiveWilson::operator()(const std::vector<NaiveSpinor>& psi) const {
  std::vector<NaiveSpinor> result = psi;
  const auto slices = naive_wilson_slices(quark_.boundary, links_.size());
  for (std::size_t x = 0; x < psi.size(); ++x) {
    if (!clover_.empty()) {
      result[x] = {};
      for (std::size_t row = 0; row < 12; ++row)
        for (std::size_t column = 0; column < 12; ++column) result[x][row] += clover_[x][row][column] * psi[x][column];
    }
    for (int mu = 0; mu < 4; ++mu) {
      const auto ahead = links_.step(x, mu, 1), behind = links_.step(x, mu, -1);
      const auto& angles = quark_.boundary_angle_over_pi;
      const int t = links_.coordinate(x)[3], in_time = mu == 3 ? 1 : 0;
      if (slices.have_hop(t, in_time))
        add_spin(result[x], -quark_.kappa * twist(links_, x, mu, angles), forward_[std::size_t(mu)],
                 times(links_(x, mu), psi[ahead]));
      if (slices.have_hop(t, -in_time))
        add_spin(result[x], -quark_.kappa * std::conj(twist(links_, behind, mu, angles)), backward_[std::size_t(mu)],
                 times(adjoint(links_(behind, mu)), psi[behind]));
    }
  }
  return result;
}

std::vector<NaiveSpinor> naive_gaussian(const NaiveLinks& links, const measure::GaussianParameters& parameters,
                                        const std::array<double, 4>& boundary_angle_over_pi,
                                        std::vector<NaiveSpinor> psi) {
  double own = 1 / (1 + 6 * parameters.alpha), hop = parameters.alpha * own;
  if (parameters.width) {
    hop = *parameters.width * *parameters.width / (4 * parameters.steps);
    own = 1 - 6 * hop;
  }
  for (int step = 0; step < parameters.steps; ++step) {
    const auto from = psi;
    for (std::size_t x = 0; x < psi.size(); ++x) {
      NaiveSpinor h{};
      for (int mu = 0; mu < 3; ++mu) {
        const auto behind = links.step(x, mu, -1);
        const auto forward = times(links(x, mu), from[links.step(x, mu, 1)]),
                   backward = times(adjoint(links(behind, mu)), from[behind]);
        for (std::size_t k = 0; k < 12; ++k)
          h[k] += twist(links, x, mu, boundary_angle_over_pi) * forward[k] +
                  std::conj(twist(links, behind, mu, boundary_angle_over_pi)) * backward[k];
      }
      for (std::size_t k = 0; k < 12; ++k) psi[x][k] = own * from[x][k] + hop * h[k];
    }
  }
  return psi;
}

NaiveCorrelator naive_hadron(const Coordinate& size, const NaivePropagator& s, const std::string& channel,
                             const Coordinate& source, const measure::Momentum& momentum,
                             const std::array<double, 4>& boundary_angle_over_pi) {
  return naive_meson(size, s, s, channel, source, momentum, boundary_angle_over_pi);
}

NaiveCorrelator naive_meson(const Coordinate& size, const NaivePropagator& s, const NaivePropagator& antiquark,
                            const std::string& channel, const Coordinate& source, const measure::Momentum& momentum,
                            const std::array<double, 4>& boundary_angle_over_pi) {
  if (channel == "rho") {
    auto mean = naive_meson(size, s, antiquark, "vector_x", source, momentum, boundary_angle_over_pi);
    for (const auto* other : {"vector_y", "vector_z"}) {
      const auto more = naive_meson(size, s, antiquark, other, source, momentum, boundary_angle_over_pi);
      for (std::size_t t = 0; t < mean.value.size(); ++t) mean.value[t] += more.value[t];
    }
    for (auto& c : mean.value) c /= 3.0;
    return mean;
  }
  const bool baryon = channel.starts_with("proton");
  const auto matrix = !baryon               ? meson_matrix(channel)
                      : channel == "proton" ? sum({}, 0.5, sum(identity(), 1, naive_gamma(3)))
                                            : sum({}, -0.5, sum(identity(), -1, naive_gamma(3)));
  // The phase that the hadron gets on its way around the lattice, over pi.
  const double quarks = baryon ? 3 : 0;
  const NaiveLinks shape(size);
  NaiveCorrelator result{std::vector<Complex>(std::size_t(size[3])), std::vector<double>(std::size_t(size[3]))};
  for (std::size_t n = 0; n < s.size(); ++n) {
    const auto x = shape.coordinate(n);
    double phase = 0;
    for (std::size_t i = 0; i < 3; ++i)
      phase -= pi * (2 * momentum[i] + quarks * boundary_angle_over_pi[i]) * (x[i] - source[i]) / size[i];
    if (x[3] < source[3]) phase += pi * quarks * boundary_angle_over_pi[3];
    const auto t = std::size_t((x[3] - source[3] + size[3]) % size[3]);
    result.value[t] += std::polar(1.0, phase) * (baryon ? proton(s[n], matrix) : meson(s[n], antiquark[n], matrix));
    double norm = 0;
    for (const auto& row : s[n])
      for (const auto& element : row) norm += std::norm(element);
    result.scale[t] += baryon ? norm * std::sqrt(norm) : norm;
  }
  return result;
}

}  // namespace trellis::app
