// SPDX-FileCopyrightText: The Trellis authors
// SPDX-License-Identifier: Apache-2.0
#include "trellis/dirac/stencil/hop_sum.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "tests/support/reference_links.hpp"
#include "trellis/dirac/staggered/staggered_hops.hpp"
#include "trellis/dirac/stencil/finish.hpp"
#include "trellis/dirac/stencil/pass.hpp"
#include "trellis/dirac/stencil/select.hpp"

// Operators that exist only here, written against the documented requirements.
namespace trellis::dirac::stencil {
namespace {

// Naik hops in addition to nearest-neighbour ones; and hops of two steps, within a parity.
struct NaikHops : StaggeredHops {
  static constexpr HopPattern pattern = naik_neighbours;
  static constexpr int hops = pattern.count;
};
struct SecondNeighbourHops : StaggeredHops {
  static constexpr HopPattern pattern = second_neighbours;
  static constexpr int hops = pattern.count;
};

using Number = std::complex<double>;

// Random numbers of a site, the same for every lane count.
struct SiteNumbers {
  std::mt19937 generator;
  SiteNumbers(const Lattice& lattice, const Coordinate& x, int what)
      : generator(unsigned(lattice.lexicographic(x)) * 97u + unsigned(what)) {}
  Number operator()() {
    std::uniform_real_distribution<double> between(-1, 1);
    const double re = between(generator);
    return {re, between(generator)};
  }
};

Number coefficient(const Coordinate& x, int hop) {
  return {0.5 + 0.25 * ((x[0] + 2 * x[1] + 3 * x[2] + x[3] + hop) % 3), hop % 2 == 0 ? 0.0 : 0.125};
}

Coordinate target(const Lattice& lattice, Coordinate x, const PatternHop& hop) {
  const int mu = hop.step % 4, size = lattice.size(mu);
  x[mu] = (x[mu] + (hop.step < 4 ? hop.distance : 3 * size - hop.distance)) % size;
  return x;
}

std::array<Number, 3> vector_at(const Lattice& lattice, const Coordinate& x, int n) {
  SiteNumbers numbers(lattice, x, n);
  return {numbers(), numbers(), numbers()};
}

// sum_k c_k(x) V_k(x) psi(x + hop k), written literally.
template <class Operator>
std::array<Number, 3> naive(const Lattice& lattice, const Coordinate& x, int n) {
  std::array<Number, 3> total{};
  SiteNumbers links(lattice, x, 1000);
  for (int k = 0; k < Operator::hops; ++k) {
    const auto psi = vector_at(lattice, target(lattice, x, Operator::pattern.hops[std::size_t(k)]), n);
    for (auto& component : total)
      for (const Number& number : psi) component += coefficient(x, k) * links() * number;
  }
  return total;
}

template <class Operator, int W>
double distance_from_naive(const Coordinate& size, int count, const LatticeShape& shape) {
  constexpr int hops = Operator::hops;
  const Lattice lattice(size, W, SiteOrder::even_odd, shape);
  const HopTable<double, W> table(lattice, coefficient, Operator::pattern);
  const HostView<double* [hops][3][3][2], FieldLayout<W>> packed("packed links", lattice.places());
  const auto sites = [&](const auto& f) {
    for (std::int64_t site = 0; site < lattice.volume(); ++site) f(lattice.coordinate(site));
  };
  sites([&](const Coordinate& x) {
    SiteNumbers links(lattice, x, 1000);
    for (int k = 0; k < hops; ++k)
      for (int i = 0; i < 9; ++i) {
        const Number u = links();
        packed(lattice.index(x), k, i / 3, i % 3, 0) = u.real();
        packed(lattice.index(x), k, i / 3, i % 3, 1) = u.imag();
      }
  });
  const auto links = in_field_memory(packed);
  double worst = 0;
  for (const int parity : {0, 1}) {
    const ColourVectorField<double, W> in(lattice, parity_after(Operator::pattern, parity), count);
    const ColourVectorField<double, W> out(lattice, parity, count);
    const auto is_on = [](const Coordinate& x, int which) { return (x[0] + x[1] + x[2] + x[3]) % 2 == which; };
    sites([&](const Coordinate& x) {
      for (int n = 0; n < count && is_on(x, in.parity()); ++n) {
        const auto psi = vector_at(lattice, x, n);
        in.set(x,
               std::array<double, 6>{psi[0].real(), psi[0].imag(), psi[1].real(), psi[1].imag(), psi[2].real(),
                                     psi[2].imag()},
               n);
      }
    });
    with_vectors<4, 1, Takes::all_vectors>(
        in, parity, true, false,
        [&]<Takes takes, class Vectors>(const Vectors& from) {
          const auto read = links_of<double, W, 18>(links.data(), lattice, parity, hops);
          const auto where = hops_of<Factors::complex, hops>(table, parity);
          using Sum = HopSum<Operator, Vectors, std::remove_cv_t<decltype(read)>, std::remove_cv_t<decltype(where)>,
                             PrefetchDistances, takes>;
          const auto to = vectors_of<1>(out);
          apply(Kernel{"hops"}, in.halo_parts(), lattice, parity, count,
                Sum{from, read, where, {.links = 16, .vectors = count == 1 ? 12 : 4}},
                StoreSum<std::remove_cv_t<decltype(to)>>{to, false});
        },
        Operator::pattern);
    sites([&](const Coordinate& x) {
      for (int n = 0; n < count && is_on(x, parity); ++n) {
        const auto found = out.at(x, n);
        const auto expected = naive<Operator>(lattice, x, n);
        for (int i = 0; i < 3; ++i)
          worst = std::max(worst, std::abs(Number(found[std::size_t(2 * i)], found[std::size_t(2 * i + 1)]) -
                                           expected[std::size_t(i)]));
      }
    });
  }
  return worst;
}

template <class Operator>
void expect_agreement() {
  const Coordinate size{8, 4, 4, 8};
  for (const Coordinate& ghosts : {Coordinate{}, Coordinate{0, 0, 1, 1}, Coordinate{1, 1, 1, 1}})
    test::for_each_lane_count(size, [&]<int W>() {
      for (const int count : {1, 3, 8}) {
        const LatticeShape shape{.ghosts = ghosts, .vector_reach = 3};
        EXPECT_LT((distance_from_naive<Operator, W>(size, count, shape)), 1e-13) << W << " lanes, " << count;
      }
    });
}

TEST(HopSum, ThreeStepsOfANaikTermAreWhatTheNaiveSumSays) { expect_agreement<NaikHops>(); }

TEST(HopSum, SecondNeighboursOfTheSameParityAreWhatTheNaiveSumSays) { expect_agreement<SecondNeighbourHops>(); }

}  // namespace
}  // namespace trellis::dirac::stencil
