// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/app/verify/naive_staggered.hpp"

#include <array>
#include <cmath>
#include <utility>

#include "trellis/app/verify/naive_boundary.hpp"

namespace trellis::app {
namespace {

using Complex = std::complex<double>;

// Its columns are f(unit vector).
template <class F>
Dense matrix_of(std::size_t volume, const F& f) {
  Dense a(3 * volume);
  for (std::size_t column = 0; column < a.size(); ++column) {
    std::vector<NaiveVector> unit(volume);
    unit[column / 3][column % 3] = 1;
    const std::vector<NaiveVector> image = f(unit);
    for (std::size_t row = 0; row < a.size(); ++row) a(row, column) = image[row / 3][row % 3];
  }
  return a;
}

// By Gauss and Jordan with row pivots.
Dense inverse_of(Dense a) {
  const auto n = a.size();
  Dense b(n);
  for (std::size_t k = 0; k < n; ++k) b(k, k) = 1;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t row = k; row < n; ++row)
      if (std::abs(a(row, k)) > std::abs(a(pivot, k))) pivot = row;
    const Complex scale = 1.0 / a(pivot, k);
    for (std::size_t column = 0; column < n; ++column) {
      std::swap(a(k, column), a(pivot, column));
      std::swap(b(k, column), b(pivot, column));
      a(k, column) *= scale;
      b(k, column) *= scale;
    }
    for (std::size_t row = 0; row < n; ++row) {
      const Complex factor = a(row, k);
      if (row == k || factor == 0.0) continue;
      for (std::size_t column = 0; column < n; ++column) {
        a(row, column) -= factor * a(k, column);
        b(row, column) -= factor * b(k, column);
      }
    }
  }
  return b;
}

Dense product(const Dense& a, const Dense& b) {
  Dense c(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a.size(); ++k) {
      const Complex factor = a(i, k);
      if (factor == 0.0) continue;
      for (std::size_t j = 0; j < a.size(); ++j) c(i, j) += factor * b(k, j);
    }
  return c;
}

}  // namespace

Dense dense_propagator(const NaiveHopLinks& links, const QuarkInput& quarks, const FlavourInput& flavour) {
  return inverse_of(matrix_of(links.one_step.volume(), [&](const std::vector<NaiveVector>& psi) {
    auto image = naive_staggered(links, quarks, flavour, psi);
    for (std::size_t x = 0; x < psi.size(); ++x)
      for (std::size_t i = 0; i < 3; ++i) image[x][i] += flavour.mass * psi[x][i];
    return image;
  }));
}

ExactQuarkTraces exact_quark_traces(const NaiveHopLinks& smeared, const QuarkInput& quarks, const FlavourInput& flavour,
                                    double tastes, const std::vector<int>& planes) {
  const Coordinate& size = smeared.one_step.size();
  const std::size_t volume = smeared.one_step.volume();
  const auto hops = [&](const NaiveHopWeights& weights) {
    return matrix_of(volume, [&](const std::vector<NaiveVector>& psi) {
      return naive_hops(smeared, quarks, flavour, weights, psi);
    });
  };
  using Weights = std::array<Complex, 2>;
  // Derivatives of exp(d mu) forwards and exp(-d mu) backwards, for hops of d steps.
  const auto in_time = [](int order) {
    return [=](int mu, const Coordinate&, int distance) {
      return mu == 3 ? Weights{std::pow(distance, order), std::pow(-distance, order)} : Weights{0.0, 0.0};
    };
  };
  const auto g = dense_propagator(smeared, quarks, flavour), first = product(g, hops(in_time(1)));
  // Of the rows of sites with quarks, which matrices do not mix with others.
  std::vector<std::size_t> rows;
  const auto slices = naive_staggered_slices(quarks.lattice_boundary, size);
  for (std::size_t row = 0; row < g.size(); ++row)
    if (slices.contain(smeared.one_step.coordinate(row / 3)[3])) rows.push_back(row);
  const auto trace = [&](const Dense& a) {
    Complex sum = 0;
    for (const auto row : rows) sum += a(row, row);
    return sum;
  };
  const double factor = tastes / 4 / (double(rows.size()) / 3);
  double squares = 0;
  for (const auto i : rows)
    for (const auto j : rows) squares += std::norm(g(i, j));
  measure::QuarkEstimate exact;
  exact.condensate = factor * trace(g);
  exact.quark_number = factor * trace(first);
  exact.second_derivative = factor * trace(product(g, hops(in_time(2))));
  exact.bubble = factor * trace(product(first, first));
  for (const int plane : planes)
    exact.magnetisation[plane] = factor * trace(product(g, hops([&](int mu, Coordinate x, int distance) {
                                                          double turn = 0;
                                                          for (int k = 0; k < distance; ++k) {
                                                            turn += naive_flux_angle(size, std::size_t(plane), x, mu);
                                                            int& along = x[std::size_t(mu)];
                                                            along = (along + 1) % size[std::size_t(mu)];
                                                          }
                                                          return Weights{Complex(0, turn), Complex(0, -turn)};
                                                        })));
  return {exact, std::sqrt(squares / double(rows.size()))};
}

}  // namespace trellis::app
